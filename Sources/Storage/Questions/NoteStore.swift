import InboundLinks
package import Postgres
package import Time

/// What happened on a day that figures may show: a release, an outage.
package struct Note: Equatable, Sendable {
    package var number: Int64
    package var day: CivilDate
    package var text: String

    package init(number: Int64, day: CivilDate, text: String) {
        self.number = number
        self.day = day
        self.text = text
    }
}

extension Note {
    /// As the log of changes shows them.
    fileprivate var changeFields: ChangeLog.Fields { [("day", .string(day.description)), ("text", .string(text))] }
}

/// The notes of apps.
package struct NoteStore: Sendable {
    /// How many notes an app may have.
    package static let limit = 10_000
    /// In bytes.
    package static let textLimit = 500

    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// - Parameter text: at most ``textLimit`` bytes, without U+0000.
    /// - Returns: nil if the app has ``limit`` notes.
    package func add(_ text: String, on day: CivilDate, of app: App) async throws -> Note? {
        try await pool.withTransaction { connection in
            let note = try Self.query(
                StoredSQL.insertNote,
                [.int(Int64(app.number)), .text(day.description), .text(text), .int(Int64(Self.limit))],
                on: connection
            ).first
            guard let note else { return nil }
            let fields = note.changeFields
            try ChangeLog.write(.addNote, "\(note.number)", app: app.number, after: fields, on: connection)
            return note
        }
    }

    /// The notes of some days, by day.
    ///
    /// - Parameters:
    ///   - from: nil: from the first.
    ///   - to: the day after the last one; nil: to the last.
    package func list(of app: App, from: CivilDate? = nil, to: CivilDate? = nil) async throws -> [Note] {
        func value(_ day: CivilDate?) -> PostgresValue { day.map { .text($0.description) } ?? .null }
        let values: [PostgresValue] = [.int(Int64(app.number)), value(from), value(to)]
        return try await pool.withConnection { try Self.query(StoredSQL.selectNotes, values, on: $0) }
    }

    /// - Returns: nil if the app has no such note.
    package func delete(_ number: Int64, of app: App) async throws -> Note? {
        try await pool.withTransaction { connection in
            let values: [PostgresValue] = [.int(Int64(app.number)), .int(number)]
            guard let note = try Self.query(StoredSQL.deleteNote, values, on: connection).first else { return nil }
            let fields = note.changeFields
            try ChangeLog.write(.deleteNote, "\(number)", app: app.number, before: fields, on: connection)
            return note
        }
    }

    private static func query(
        _ statement: String,
        _ values: [PostgresValue],
        on connection: isolated PostgresConnection
    ) throws -> [Note] {
        try connection.query(statement, values).compactMap { row in
            // PostgreSQL has days beyond the calendar of reports, such as `infinity`.
            guard let day = CivilDate(try row.text(1)) else { return nil }
            return Note(number: try row.int64(0), day: day, text: try row.text(2))
        }
    }
}
