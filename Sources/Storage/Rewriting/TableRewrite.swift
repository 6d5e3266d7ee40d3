import JSONReading
import Postgres

/// Reads the rows of a stored table, and rewrites some of them: one page range after the other, each in a transaction
/// of its own. So no transaction grows with the table, and events are stored meanwhile. What was rewritten is not found
/// again, so after an interruption the next run continues. Pages that the table gets while this runs are not read.
protocol TableRewrite {
    /// What becomes of a row.
    associatedtype Change

    /// A name from PostgreSQL's catalogue or from `StoredTable`.
    var tableName: String { get }
    /// Nil: the rows of every app.
    var app: Int32? { get }
    /// SQL expressions of what is read of a row, beside its place.
    var columns: [String] { get }
    /// Of the rows that are read. Begins with `and`, if there is any.
    var condition: String { get }

    /// - Parameter row: the row's place (`tid`), then the values of ``columns``.
    /// - Returns: nil if the row stays as it is.
    func change(of row: inout PostgresCopyRow) throws -> Change?

    /// Called in the transaction that has read the rows, perhaps again if it is repeated.
    ///
    /// - Parameter app: the app of the rows; nil: they may be those of every app.
    func write(_ changes: [Change], of app: Int32?, on connection: isolated PostgresConnection) throws
}

extension TableRewrite {
    var condition: String { "" }

    /// 8 MiB of pages.
    private var pagesAtOnce: Int { 1_024 }

    /// - Parameters:
    ///   - writing: false: rows are only read.
    ///   - progress: called before each range, with the pages before it and the number of all.
    ///   - done: called with the changes of a page range, if there are any, once, after its transaction.
    func run(
        on connection: isolated PostgresConnection,
        writing: Bool,
        progress: (_ done: Int, _ total: Int) -> Void,
        done: ([Change]) -> Void = { _ in }
    ) throws {
        for pages in try TablePages.all(of: tableName, app: app, on: connection) {
            for first in stride(from: 0, to: pages.count, by: pagesAtOnce) {
                progress(first, pages.count)
                let range = "ctid >= '(\(first),0)' and ctid < '(\(first + pagesAtOnce),0)'"
                let changes = try rewrite(range, of: pages.app, on: connection, writing: writing)
                if !changes.isEmpty { done(changes) }
            }
        }
    }

    /// Rewrites the rows that a condition chooses, in one transaction.
    @discardableResult
    func rewrite(
        _ rows: String,
        of app: Int32?,
        on connection: isolated PostgresConnection,
        writing: Bool
    ) throws -> [Change] {
        // Repeatable read: while its snapshot lasts, no place of a row is used again.
        try StoringTransactions.retrying {
            try connection.transaction(isolation: .repeatableRead, readOnly: !writing) {
                var changes: [Change] = []
                // A month may be dropped meanwhile.
                let exists = try connection.query("select to_regclass($1) is not null", [.text("\"\(tableName)\"")])
                guard try exists[0].bool(0) else { return changes }
                try connection.copyOut(
                    """
                    copy (
                        select \((["ctid::text"] + columns).joined(separator: ", "))
                        from "\(tableName)"
                        where \(rows)\(Self.condition(of: app))\(condition)
                    ) to stdout (format binary)
                    """
                ) { row in
                    if let change = try change(of: &row) { changes.append(change) }
                }
                if writing, !changes.isEmpty { try write(changes, of: app, on: connection) }
                return changes
            }
        }
    }

    /// Sets columns of rows.
    ///
    /// - Parameters:
    ///   - assignments: `change` are the new values, and `stored` the row.
    ///   - declarations: the new values, with types that need no cast: Citus refuses one from text to `channel`.
    ///   - parameters: `$2` and so on of the assignments.
    ///   - members: writes a row's new values, and its place as `tid`.
    func update(
        _ changes: [Change],
        of app: Int32?,
        set assignments: [String],
        from declarations: [String],
        _ parameters: [PostgresValue] = [],
        on connection: isolated PostgresConnection,
        members: (Change, inout JSONWriter) -> Void
    ) throws {
        var writer = JSONWriter()
        writer.array { writer in
            for change in changes { writer.object { members(change, &$0) } }
        }
        try connection.execute(
            """
            update "\(tableName)" as stored
            set \(assignments.joined(separator: ", "))
            from json_to_recordset($1::json) as change (\((["tid tid"] + declarations).joined(separator: ", ")))
            where stored.ctid = change.tid\(Self.condition(of: app))
            """,
            [.text(writer.text)] + parameters
        )
    }

    func delete(_ tids: [String], of app: Int32?, on connection: isolated PostgresConnection) throws {
        try connection.execute(
            "delete from \"\(tableName)\" where ctid = any ($1::tid[])\(Self.condition(of: app))",
            [.textArray(tids)]
        )
    }

    /// What every statement on rows needs beside their places: on a cluster, rows of other shards have the same places.
    private static func condition(of app: Int32?) -> String { app.map { " and app_number = \($0)" } ?? "" }
}
