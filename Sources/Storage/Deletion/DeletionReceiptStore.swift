import Events
import InboundLinks
import Time
package import Postgres

/// The receipts of a database.
package struct DeletionReceiptStore: Sendable {
    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The newest receipts first.
    ///
    /// - Parameter appID: nil: the receipts of every app, and of deletions that concerned all apps.
    package func list(appID: String?, limit: Int) async throws -> [DeletionReceipt] {
        try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.selectDeletionReceipts,
                [PostgresValue(appID), .int(Int64(limit))]
            ).map { row in
                DeletionReceipt(
                    id: try row.eventID(0),
                    kind: DeletionReceipt.Kind(rawValue: try row.text(1)) ?? .retention,
                    appID: try row.optionalText(2),
                    startedAt: Timestamp(microseconds: try row.timestamp(3)),
                    finishedAt: Timestamp(microseconds: try row.timestamp(4)),
                    counts: DeletionCounts(json: try row.text(5))
                )
            }
        }
    }

    static func keep(
        _ kind: DeletionReceipt.Kind,
        appID: String?,
        startedAt: Timestamp,
        counts: DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws -> DeletionReceipt {
        let row = try connection.query(
            StoredSQL.insertDeletionReceipt,
            [
                .text(kind.rawValue), PostgresValue(appID), .timestamp(microseconds: startedAt.microseconds),
                .text(counts.json),
            ]
        )[0]
        return DeletionReceipt(
            id: try row.eventID(0),
            kind: kind,
            appID: appID,
            startedAt: startedAt,
            finishedAt: Timestamp(microseconds: try row.timestamp(1)),
            counts: counts
        )
    }
}
