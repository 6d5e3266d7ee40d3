package import Postgres

/// How the server is to plan a scan of events, whatever its statistics say: they know nothing of what came last, and of an
/// app's first day nothing at all.
package struct ScanPlanning: Sendable {
    /// Settings of the transaction.
    let settings: [(name: String, value: String)]

    /// For many events. All joins are equalities over many rows; on tables that have not been analyzed yet the planner would
    /// take nested loops, which took ten times as long over the first day of an app.
    package static let byHash = ScanPlanning(avoiding: ["enable_nestloop"])

    /// For a small part of all events: to look up the links of those that need one is less than to join all links. A table
    /// that was small when it was analyzed last must not be scanned for each. Two connections share the work, so that workers
    /// of each would only be in each other's way.
    static let byLookup = ScanPlanning(
        avoiding: ["enable_hashjoin", "enable_mergejoin", "enable_seqscan"],
        [("max_parallel_workers_per_gather", "0")]
    )

    /// For events alone, in no order. By index they come in the order of their times, each from another page; on tables that have
    /// not been analyzed yet the planner expects one event, and takes twice as long for all of them. A bitmap of the same
    /// index has the pages in their order.
    package static let byPage = ScanPlanning(avoiding: ["enable_indexscan"])

    private init(avoiding methods: [String], _ others: [(name: String, value: String)] = []) {
        settings =
            ["enable_nestloop", "enable_hashjoin", "enable_mergejoin", "enable_seqscan", "enable_indexscan"]
            .map { ($0, methods.contains($0) ? "off" : "on") } + [
                // What a sort of many events may take before it goes to disk.
                ("work_mem", "64MB"),
                // Compiling the expressions of every month's partition takes longer than the whole scan.
                ("jit", "off"),
            ] + others
    }

    /// For the transaction at hand.
    package func apply(on connection: isolated PostgresConnection) throws(PostgresError) {
        try connection.execute(
            "select set_config(name, value, true) from unnest($1::text[], $2::text[]) as setting (name, value)",
            [.textArray(settings.map(\.name)), .textArray(settings.map(\.value))]
        )
    }
}
