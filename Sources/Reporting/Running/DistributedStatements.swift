package import Postgres
import Storage
import Timelines

/// Every statement that a database on a Citus cluster needs in other words (docs/scaling.md). For the options of every
/// pool that may work on one.
package enum DistributedStatements {
    package static let variants = StatementVariants(
        isNeeded: StorageStatements.isDistributed,
        texts: StorageStatements.distributed.merging(TimelineStatements.distributed) { $1 }
            .merging(ReportSQL.citusVariants) { $1 }
    )
}
