import Postgres
import Storage

extension ChangedLinks {
    /// The links that have changed since the segments were written.
    static func read(
        app: App,
        state: TimelineState,
        on connection: isolated PostgresConnection
    ) throws -> ChangedLinks {
        var changes: [ChangedLinks.Change] = []
        try forEach(app: app, state: state, on: connection) { key, person in changes.append((key, person)) }
        return ChangedLinks(consume changes)
    }

    /// - Parameter body: gets each changed key and the person it belongs to now. Some keys come twice.
    static func forEach(
        app: App,
        state: TimelineState,
        on connection: isolated PostgresConnection,
        _ body: (PersonHash, PersonHash) throws -> Void
    ) throws {
        let statement = BoundStatement(
            TimelineSQL.changedLinks,
            ["app_number": String(app.number), "linked_from": String(state.linkedThrough)]
        )
        try connection.copyOut(statement.copyOut) { row in
            guard let key = try PersonHash(reading: &row, state.hash),
                let person = try PersonHash(reading: &row, state.hash)
            else { return }
            try body(key, person)
        }
    }
}
