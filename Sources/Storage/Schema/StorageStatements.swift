package import Postgres

/// The statements of this module that a distributed database needs in other words (``Distribution``).
package enum StorageStatements {
    /// Whether a session's database is distributed by Citus, as questions of `StatementVariants`.
    package static let isDistributed = [
        "select to_regclass('pg_catalog.pg_dist_partition') is not null and to_regclass('event') is not null",
        "select exists (select from pg_dist_partition where logicalrelid = to_regclass('event') and partmethod = 'h')",
    ]

    /// The variants by their originals: those of the SQL files, and commands that open transactions.
    package static let distributed = StoredSQL.citusVariants.merging(EventInsert.distributedOpening) { $1 }
}

extension PostgresConnection {
    /// Whether the tables of the database are spread over the workers of a Citus cluster (``Distribution``).
    package var isDistributed: Bool { usesVariants }
}
