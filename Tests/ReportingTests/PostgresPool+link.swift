import Postgres
import Storage

extension PostgresPool {
    /// Gives an app a short link: without one, reports do not look for clicks beyond their range.
    func giveLink(to app: App) async throws {
        try await withConnection { connection in
            try connection.execute(
                """
                insert into link (
                    app_number, host, slug, ref, fallback, forward_query, append_click_id, disabled, created_at,
                    updated_at, revision, content_hash
                )
                values ($1, 'go' || $1::integer || '.example', 'a', '{}', 'store', true, false, false, now(), now(), 1, 1)
                """,
                [.int(Int64(app.number))]
            )
        }
    }
}
