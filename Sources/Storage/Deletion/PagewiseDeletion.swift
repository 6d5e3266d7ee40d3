import Postgres

/// Deletes rows that no index finds: one page range after the other, each in a transaction of its own. So no writer
/// waits long, and no transaction grows with the table.
struct PagewiseDeletion {
    /// 16 MiB of pages.
    private static let pagesAtOnce = 2_048

    /// A table's name from PostgreSQL's catalogue or from `StoredTable`: it becomes part of the statement.
    let table: String
    /// The condition of a row. Its parameters begin with `$3`.
    let condition: String
    /// The values for `$3` and further.
    let parameters: [PostgresValue]

    /// Deletes the rows. Pages that the table gets while this runs are not read.
    ///
    /// - Returns: the number of deleted rows.
    func run(
        on connection: isolated PostgresConnection,
        stage: String,
        progress: DeletionProgress.Handler
    ) throws -> Int {
        // A table's name cannot be a parameter.
        let name = "\"\(table)\""
        let pages = try connection.query(
            "select pg_relation_size($1::text::regclass) / current_setting('block_size')::bigint",
            [.text(name)]
        )[0].int(0)
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
}
