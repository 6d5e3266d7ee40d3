import InboundLinks
import Postgres
import Redirects
import Time

/// Reads the links of an app's stored touches again, and rewrites what is read differently (``TableRewrite``).
struct RereadRun {
    let app: Int32
    let rereading: TouchRereading
    /// Inclusive; nil: the beginning.
    let from: Timestamp?
    /// Exclusive; nil: the end.
    let to: Timestamp?
    let progress: DeletionProgress.Handler

    /// Counts what would move; changes nothing.
    func count(on connection: isolated PostgresConnection) throws -> RereadMoves {
        try readPages(writing: false, stage: "reading links", on: connection)
    }

    /// Rewrites what is read differently.
    func rewrite(on connection: isolated PostgresConnection) throws -> RereadMoves {
        // Whatever is stored by transactions below it is in the pages that are read now.
        let horizon = try TransactionHorizon.read(of: app, on: connection)
        var moves = try readPages(writing: true, stage: "reading links again", on: connection)
        // What was being stored at the beginning was read by the rules before. Whoever begins to store later reads the
        // links by those of today (`EventInsert.OutdatedRules`).
        try StoringTransactions.waitForThose(of: app, on: connection)
        for month in try months(on: connection) {
            let condition = "transaction_number >= \(horizon)"
            moves.add(try month.rewrite(condition, of: app, on: connection, writing: true))
        }
        return moves
    }

    private func months(on connection: isolated PostgresConnection) throws -> [RereadMonth] {
        try EventMonth.all(on: connection).filter { month in
            (from.map { month.to > $0 } ?? true) && (to.map { month.from < $0 } ?? true)
        }.map { RereadMonth(tableName: $0.name, run: self) }
    }

    private func readPages(
        writing: Bool,
        stage: String,
        on connection: isolated PostgresConnection
    ) throws -> RereadMoves {
        var moves = RereadMoves()
        let months = try months(on: connection)
        let pages = try months.map { try TablePages.all(of: $0.tableName, app: app, on: connection).first?.count ?? 0 }
        let total = pages.reduce(0, +)
        var before = 0
        for (month, pages) in zip(months, pages) {
            try month.run(on: connection, writing: writing) { done, _ in
                progress(DeletionProgress(stage, done: before + done, total: total))
            } done: { touches in
                moves.add(touches)
            }
            before += pages
        }
        return moves
    }
}

/// The touches of a month's partition.
private struct RereadMonth: TableRewrite {
    let tableName: String
    let run: RereadRun

    var app: Int32? { run.app }
    let columns = StoredTouch.columns

    var condition: String {
        " and channel is not null"
            + (run.from.map { " and occurred_at >= '\($0.rfc3339)'" } ?? "")
            + (run.to.map { " and occurred_at < '\($0.rfc3339)'" } ?? "")
    }

    /// Nil also if a later version of this program has stored the touch.
    func change(of row: inout PostgresCopyRow) throws -> (old: InboundLink, new: StoredTouch)? {
        guard let touch = try StoredTouch(&row), let read = touch.read(by: run.rereading) else { return nil }
        return (touch.link, read)
    }

    func write(
        _ touches: [(old: InboundLink, new: StoredTouch)],
        of app: Int32?,
        on connection: isolated PostgresConnection
    ) throws {
        let number = PostgresValue.int(Int64(run.app))
        // First, so that everybody takes the locks in the same order.
        try connection.execute(StoredSQL.markForRebuild, [number])
        // On a cluster, the number is the coordinator's.
        let transaction = try connection.query("select current_transaction_number()")[0].int64(0)
        let assignments = StoredTouch.assignments + ["reread_transaction = $2"]
        let declarations = StoredTouch.declarations
        try update(touches, of: app, set: assignments, from: declarations, [.int(transaction)], on: connection) {
            $0.new.write(to: &$1)
        }
        try connection.execute(
            "update reread set last_transaction = current_transaction_number() where app_number = $1",
            [number]
        )
    }
}

extension RereadMoves {
    fileprivate mutating func add(_ touches: [(old: InboundLink, new: StoredTouch)]) {
        for touch in touches { add(touch.old, touch.new.link) }
    }
}
