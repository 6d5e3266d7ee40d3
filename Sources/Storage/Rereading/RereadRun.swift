import Events
import InboundLinks
import JSONReading
import Postgres
import Redirects
import Time

/// Reads the links of an app's stored touches again: one page range after the other, each in a transaction of its own,
/// which also rewrites what is read differently. Events are stored meanwhile. If it is interrupted, the next run
/// continues: what is done is not done again.
struct RereadRun {
    /// 8 MiB of pages.
    private static let pagesAtOnce = 1_024

    let app: Int32
    let rereading: TouchRereading
    /// Inclusive; nil: the beginning.
    let from: Timestamp?
    /// Exclusive; nil: the end.
    let to: Timestamp?
    let progress: DeletionProgress.Handler

    /// Counts what would move; changes nothing.
    func count(on connection: isolated PostgresConnection) throws -> RereadMoves {
        try readPages(rewriting: false, stage: "reading links", on: connection)
    }

    /// Rewrites what is read differently.
    func rewrite(on connection: isolated PostgresConnection) throws -> RereadMoves {
        // Whatever is stored by transactions below it is in the pages that are read now.
        let horizon = try TransactionHorizon.read(of: app, on: connection)
        var moves = try readPages(rewriting: true, stage: "reading links again", on: connection)
        // What was being stored at the beginning was read by the rules before. Whoever begins to store later reads the
        // links by those of today (`EventInsert.OutdatedRules`).
        try StoringTransactions.waitForThose(on: connection)
        for month in try months(on: connection) {
            moves.add(
                try StoringTransactions.retrying {
                    try connection.transaction(isolation: .repeatableRead) {
                        try read(month, where: "transaction_number >= \(horizon)", rewriting: true, on: connection)
                    }
                }
            )
        }
        return moves
    }

    private func months(on connection: isolated PostgresConnection) throws -> [EventMonth] {
        try EventMonth.all(on: connection).filter { month in
            (from.map { month.to > $0 } ?? true) && (to.map { month.from < $0 } ?? true)
        }
    }

    private func readPages(
        rewriting: Bool,
        stage: String,
        on connection: isolated PostgresConnection
    ) throws -> RereadMoves {
        var moves = RereadMoves()
        let months = try months(on: connection)
        let pages = try months.map { try TablePages.all(of: $0.name, app: app, on: connection).first?.count ?? 0 }
        let total = pages.reduce(0, +)
        var done = 0
        for (month, pages) in zip(months, pages) {
            for first in stride(from: 0, to: pages, by: Self.pagesAtOnce) {
                progress(DeletionProgress(stage, done: done + first, total: total))
                let range = "ctid >= '(\(first),0)' and ctid < '(\(first + Self.pagesAtOnce),0)'"
                // Repeatable read: while its snapshot lasts, no place of a row is used again.
                moves.add(
                    try StoringTransactions.retrying {
                        try connection.transaction(isolation: .repeatableRead, readOnly: !rewriting) {
                            try read(month, where: range, rewriting: rewriting, on: connection)
                        }
                    }
                )
            }
            done += pages
        }
        return moves
    }

    private func read(
        _ month: EventMonth,
        where condition: String,
        rewriting: Bool,
        on connection: isolated PostgresConnection
    ) throws -> RereadMoves {
        var moves = RereadMoves()
        var changed: [StoredTouch] = []
        guard try connection.query("select to_regclass($1) is not null", [.text("\"\(month.name)\"")])[0].bool(0) else {
            return moves
        }
        let bounds =
            (from.map { " and occurred_at >= '\($0.rfc3339)'" } ?? "")
            + (to.map { " and occurred_at < '\($0.rfc3339)'" } ?? "")
        try connection.copyOut(
            """
            copy (
                select \(StoredTouch.columns)
                from "\(month.name)"
                where app_number = \(app)
                    and channel is not null
                    and \(condition)\(bounds)
            ) to stdout (format binary)
            """
        ) { row in
            guard let touch = try StoredTouch(&row), let read = touch.read(by: rereading) else { return }
            moves.add(touch.link, read.link)
            if rewriting { changed.append(read) }
        }
        if !changed.isEmpty { try rewrite(changed, in: month, on: connection) }
        return moves
    }

    private func rewrite(
        _ touches: [StoredTouch],
        in month: EventMonth,
        on connection: isolated PostgresConnection
    ) throws {
        // First, so that everybody takes the locks in the same order.
        try connection.execute(StoredSQL.markForRebuild, [.int(Int64(app))])
        var writer = JSONWriter()
        writer.array { writer in
            for touch in touches { touch.write(to: &writer) }
        }
        try connection.execute(
            """
            update "\(month.name)" as stored
            set \(StoredTouch.assignments),
                reread_transaction = $2
            from json_to_recordset($1::json) as change (\(StoredTouch.declaration))
            where stored.ctid = change.tid
                and stored.app_number = $3
            """,
            [
                .text(writer.text),
                // On a cluster, the number is the coordinator's.
                .int(try connection.query("select current_transaction_number()")[0].int64(0)),
                .int(Int64(app)),
            ]
        )
        try connection.execute(
            "update reread set last_transaction = current_transaction_number() where app_number = $1",
            [.int(Int64(app))]
        )
    }
}
