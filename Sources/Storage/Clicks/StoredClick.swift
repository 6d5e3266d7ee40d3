package import Postgres
package import Time

/// A click on a link, as it was stored.
package struct StoredClick: Equatable, Sendable {
    package var occurredAt: Timestamp
    /// Host and slug of the short link; nil if another program has sent the click.
    package var host: String?
    package var slug: String?
    package var targetURL: String?
    package var refs: [String]

    /// Reads the click of an app that has an id; nil if there is none.
    package static func read(id: String, of app: App, on pool: PostgresPool) async throws -> StoredClick? {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectClick, [.int(Int64(app.number)), .text(id)]).first.map {
                try StoredClick($0)
            }
        }
    }

    private init(_ row: PostgresRow) throws {
        occurredAt = Timestamp(microseconds: try row.timestamp(0))
        host = try row.optionalText(1)
        slug = try row.optionalText(2)
        targetURL = try row.optionalText(3)
        refs = try row.optionalTextArray(4) ?? []
    }
}
