import Postgres

/// Deletes rows that no index finds: one page range after the other, each in a transaction of its own. So no writer
/// waits long, and no transaction grows with the table.
struct PagewiseDeletion {
    /// 16 MiB of pages.
    private static let pagesAtOnce = 2_048
    /// Rows of a distributed table in one transaction.
    private static let rowsAtOnce = 20_000

    /// A table's name from PostgreSQL's catalogue or from `StoredTable`: it becomes part of the statement.
    let table: String
    /// The condition of a row. Its parameters begin with `$3`.
    let condition: String
    /// The values for `$3` and further.
    let parameters: [PostgresValue]
    /// The apps whose rows may fulfil the condition. A distributed table is read app by app.
    let apps: [Int32]

    /// Deletes the rows. Pages that the table gets while this runs are not read.
    ///
    /// - Returns: the number of deleted rows.
    /// - Throws: `DistributionError.nothingDeleted` if the table's rows are not on this server.
    func run(
        on connection: isolated PostgresConnection,
        stage: String,
        progress: DeletionProgress.Handler
    ) throws -> Int {
        // A table's name cannot be a parameter.
        let name = "\"\(table)\""
        if try connection.isDistributed && Distribution.isPlaced(name, connection) {
            return try runOnWorkers(name, on: connection, stage: stage, progress: progress)
        }
        let pages = try pages(of: name, on: connection)
        if pages == 0, try connection.query("select exists (select from \(name))")[0].bool(0),
            // Another session may just have stored the first row.
            try self.pages(of: name, on: connection) == 0
        {
            throw DistributionError.nothingDeleted(table: table)
        }
        var count = 0
        for first in stride(from: 0, to: pages, by: Self.pagesAtOnce) {
            progress(DeletionProgress(stage, done: first, total: pages))
            let end = first + Self.pagesAtOnce
            count += try connection.execute(
                "delete from \(name) where ctid >= $1::text::tid and ctid < $2::text::tid and \(condition)",
                [.text("(\(first),0)"), .text("(\(end),0)")] + parameters
            )
        }
        return count
    }

    private func pages(of name: String, on connection: isolated PostgresConnection) throws -> Int {
        try connection.query(
            "select pg_relation_size($1::text::regclass) / current_setting('block_size')::bigint",
            [.text(name)]
        )[0].int(0)
    }

    /// The pages of a distributed table are on the workers. So it deletes some rows of an app after the other.
    private func runOnWorkers(
        _ name: String,
        on connection: isolated PostgresConnection,
        stage: String,
        progress: DeletionProgress.Handler
    ) throws -> Int {
        let statement = """
            delete from \(name)
            where app_number = $1
                and (\(condition))
                and ctid = any (array(
                    select ctid from \(name) where app_number = $1 and (\(condition)) limit $2
                ))
            """
        var count = 0
        for (done, app) in apps.enumerated() {
            var deleted = 0
            repeat {
                progress(DeletionProgress(stage, done: done, total: apps.count))
                deleted = try connection.execute(
                    statement,
                    [.int(Int64(app)), .int(Int64(Self.rowsAtOnce))] + parameters
                )
                count += deleted
            } while deleted == Self.rowsAtOnce
        }
        return count
    }
}
