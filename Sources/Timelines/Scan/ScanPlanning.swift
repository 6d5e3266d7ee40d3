package import Postgres
import Storage

/// Planner settings for a scan of events. The planner's statistics do not help: they miss the newest events, and on an
/// app's first day all of them.
package struct ScanPlanning: Sendable {
    /// Settings of the transaction.
    let settings: [(name: String, value: String)]

    /// For many events. All joins are equalities over many rows. On tables that have not been analyzed yet, the planner
    /// would choose nested loops, which took ten times as long over an app's first day.
    package static let byHash = ScanPlanning(avoiding: ["enable_nestloop"])

    /// For a small part of all events. Looking up the links that are needed costs less than joining all links. A table
    /// that was small when it was last analyzed must not be scanned for each event. Two connections share a report, so
    /// parallel workers of each would compete.
    package static let byLookup = ScanPlanning(
        avoiding: ["enable_hashjoin", "enable_mergejoin", "enable_seqscan"],
        [("max_parallel_workers_per_gather", "0")]
    )

    /// For groups of many events by something that an index has in order, of which few are looked up. Hashing groups
    /// that are nearly as many as the events took three times as long, and more memory than a statement has.
    package static let byOrder = ScanPlanning(
        avoiding: ["enable_hashjoin", "enable_mergejoin", "enable_seqscan", "enable_hashagg"]
    )

    /// For one person or a few events, by prepared statements. All months are planned once for each session, and not
    /// for each question. Citus plans nothing with the parameters of a generic plan, so there each question is planned.
    package static let byIndex = ScanPlanning(
        avoiding: ["enable_hashjoin", "enable_mergejoin", "enable_seqscan"],
        [("max_parallel_workers_per_gather", "0"), ("plan_cache_mode", "force_generic_plan")]
    )

    /// For events alone, in no order. By index they would come in the order of their times, each from another page. On
    /// tables that have not been analyzed yet, the planner expects one event, and reading all of them takes twice as
    /// long. A bitmap of the same index reads pages in order.
    package static let byPage = ScanPlanning(avoiding: ["enable_indexscan"])

    private init(avoiding methods: [String], _ others: [(name: String, value: String)] = []) {
        settings =
            [
                "enable_nestloop", "enable_hashjoin", "enable_mergejoin", "enable_seqscan", "enable_indexscan",
                "enable_hashagg",
            ]
            .map { ($0, methods.contains($0) ? "off" : "on") } + [
                // The memory for sorting many events before a sort goes to disk.
                ("work_mem", "64MB")
            ] + others
    }

    /// Applies the settings to the current transaction.
    package func apply(on connection: isolated PostgresConnection) throws(PostgresError) {
        let settings = settings.filter { !connection.isDistributed || $0.name != "plan_cache_mode" }
        try connection.execute(
            "select set_config(name, value, true) from unnest($1::text[], $2::text[]) as setting (name, value)",
            [.textArray(settings.map(\.name)), .textArray(settings.map(\.value))]
        )
    }
}
