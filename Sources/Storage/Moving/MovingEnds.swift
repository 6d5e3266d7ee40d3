import Events
import Postgres

/// The two databases of a move, each with a session of its own for transactions that span several copies.
struct MovingEnds: Sendable {
    /// A column of a table that is copied.
    struct Column: Sendable {
        var name: String
        var type: String
    }

    let source: PostgresConnection
    let target: PostgresConnection
    let app: App
    let sourceID: DatabaseIdentity
    let targetID: DatabaseIdentity
    let columns: [String: [Column]]
    /// The columns whose numbers a database makes itself, by the tables that make them.
    let madeNumbers: [String: String]

    /// Copies rows from one database to the other, in the transactions that are open there.
    ///
    /// - Returns: how many rows.
    func copy(_ query: String, into table: String, _ columns: [String]) async throws -> Int {
        let pipe = CopyPipe()
        let (source, target) = (source, target)
        async let written = target.run { connection in
            do {
                let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
                return try connection.copyInBytes("copy \(table) (\(names)) from stdin (format binary)") {
                    try pipe.read()
                }
            } catch {
                pipe.breakOff()
                throw error
            }
        }
        do {
            try await source.run { connection in
                do {
                    try connection.copyOutBytes("copy (\(query)) to stdout (format binary)") { try pipe.write($0) }
                    try pipe.finish()
                } catch {
                    pipe.breakOff()
                    throw error
                }
            }
        } catch is CopyPipe.Broken {
            return try await written
        } catch {
            _ = try? await written
            throw error
        }
        return try await written
    }

    /// The query for the rows of a table, as they are to be in the other database.
    ///
    /// - Parameters:
    ///   - values: expressions for columns.
    ///   - condition: of the rows.
    func rows(of table: String, _ values: [String: String], where condition: String) -> String {
        let list = (columns[table] ?? []).map { column in
            let value = values[column.name] ?? "\"\(column.name)\""
            return "(\(value))::\(column.type)"
        }
        return "select \(list.joined(separator: ", ")) from \(table) where \(condition)"
    }

    func names(of table: String) -> [String] { (columns[table] ?? []).map(\.name) }
}
