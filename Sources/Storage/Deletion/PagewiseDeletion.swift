import Postgres

/// Deletes rows of a table that no index finds: stretch by stretch of its pages, each in a transaction of its own, so that
/// nobody waits for long and no transaction grows with the table.
struct PagewiseDeletion {
    /// 16 MiB.
    private static let pagesAtOnce = 2_048

    /// A name of the catalogue's, or of `StoredTable`.
    let table: String
    /// The condition of a row, which may use `$3` and further; the values for those.
    let condition: String
    let parameters: [PostgresValue]

    /// What is added while it runs, behind the last page, is not looked at.
    ///
    /// - Returns: how many rows were deleted.
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
