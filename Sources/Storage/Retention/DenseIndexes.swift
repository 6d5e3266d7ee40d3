import Postgres
import Time

/// Rebuilds the indexes of months that are over, while events are stored. Users and ids come in no order, so an index
/// that grows with them has pages that are a third empty. A rebuilt one has full pages, and is marked by its
/// `fillfactor` of 100.
struct DenseIndexes {
    /// How long after its end a month is taken as over. Later events cost some of what was won.
    static let delay: Duration = .seconds(7 * 86_400)

    let now: Timestamp
    /// At most how many months are rebuilt.
    let limit: Int
    let progress: DeletionProgress.Handler

    /// If it is interrupted, the next call continues.
    ///
    /// - Throws: `PostgresError`; with `isStatementTimeout` if others hold the tables; then call it later.
    func make(on connection: isolated PostgresConnection) throws {
        // The months of a cluster are on its workers.
        if connection.isDistributed { return }
        let before = now.advanced(by: .zero - Self.delay)
        var rebuilt = 0
        for month in try EventMonth.all(on: connection) where !month.isDetaching && month.to <= before {
            let indexes = try connection.query(StoredSQL.selectLooseIndexes, [.text(month.name)])
            if indexes.isEmpty { continue }
            if rebuilt == limit { return }
            for (done, index) in indexes.enumerated() {
                progress(DeletionProgress("rebuilding indexes of \(month.name)", done: done, total: indexes.count))
                let name = "\"\(try index.text(0))\""
                guard try index.bool(1) else {
                    try connection.execute("drop index concurrently if exists \(name)")
                    continue
                }
                // Lower than the mark until it is done.
                try connection.execute("alter index \(name) set (fillfactor = 99)")
                try connection.execute("reindex index concurrently \(name)")
                try connection.execute("alter index \(name) set (fillfactor = 100)")
            }
            rebuilt += 1
        }
    }
}
