package import Events
package import Postgres

/// The checkpoints of imports in a database.
package struct ImportCheckpointStore: Sendable {
    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Nil if nothing of the source has been imported, or its checkpoint has been deleted.
    package func checkpoint(of source: EventID, app: App) async throws -> ImportCheckpoint? {
        try await pool.withConnection { connection in
            let rows = try connection.query(
                StoredSQL.selectImportProgress,
                [.int(Int64(app.number)), .uuid(high: source.high, low: source.low)]
            )
            guard let row = rows.first else { return nil }
            return ImportCheckpoint(
                source: source,
                byteOffset: Int(try row.int(0)),
                line: Int(try row.int(1)),
                fingerprint: try row.bytes(2),
                rejected: Int(try row.int(3)),
                isFinished: try row.bool(4)
            )
        }
    }

    static func record(
        _ checkpoint: ImportCheckpoint,
        app: Int32,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            StoredSQL.recordImportProgress,
            [
                .int(Int64(app)),
                .uuid(high: checkpoint.source.high, low: checkpoint.source.low),
                .int(Int64(checkpoint.byteOffset)),
                .int(Int64(checkpoint.line)),
                .bytes(checkpoint.fingerprint),
                .int(Int64(checkpoint.rejected)),
                .bool(checkpoint.isFinished),
            ]
        )
    }
}
