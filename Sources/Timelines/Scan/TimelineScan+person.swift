package import Postgres
package import Storage

extension TimelineScan {
    /// Scans the events of one person by their indexes, inside the caller's transaction, whatever the size of the app.
    ///
    /// The events have neither refs nor posts, and the range of the query does not matter: all events of its types are
    /// read.
    package static func read<Result>(
        _ person: Person,
        _ query: TimelineQuery,
        on connection: isolated PostgresConnection,
        _ body: (TimelineScan) throws -> Result
    ) throws -> Result {
        let settings = TimelineSettings(query, app: person.app).parameters
        let keys = [
            "person": person.root.text,
            "users": BoundStatement.array(person.ids(.user)),
            "devices": BoundStatement.array(person.ids(.device)),
            "clicks": BoundStatement.array(person.ids(.click)),
        ]
        let statement = BoundStatement(TimelineSQL.person, settings.merging(keys) { $1 }).copyOut
        return try withoutActuallyEscaping({ row in try connection.copyOut(statement, row) }) { rows in
            try body(TimelineScan(rows: rows))
        }
    }
}
