import Events
import InboundLinks
import Postgres
import Storage

/// The parameters of `sql/reports/timelines.sql`: settings of the transaction, because COPY takes no others.
struct TimelineSettings {
    /// How a sort of many events may spend memory before it goes to disk.
    private static let sortMemory = "64MB"

    let values: [(name: String, value: String)]

    /// - Parameters:
    ///   - joinsByHash: for a scan of many events.
    ///   - others: what another statement takes beside.
    init(
        _ demand: TimelineDemand,
        app: App,
        joinsByHash: Bool = true,
        and others: [(name: String, value: String)] = []
    ) {
        let types = EventType.allCases.filter(demand.types.contains).map(\.rawValue)
        var values = [
            ("tributary.app_number", String(app.number)),
            ("tributary.types", "{\(types.joined(separator: ","))}"),
            ("tributary.touches_from", demand.touchesFrom.rfc3339),
            ("tributary.events_from", demand.eventsFrom.rfc3339),
            ("tributary.through", demand.through.rfc3339),
            ("tributary.needs_refs", String(demand.needsRefs)),
            ("tributary.needs_referers", String(demand.needsReferers)),
            ("tributary.needs_targets", String(demand.needsTargets)),
            ("tributary.needs_story_posts", String(demand.needsStoryPosts)),
            ("work_mem", Self.sortMemory),
            // Compiling the expressions of every month's partition takes longer than the whole scan.
            ("jit", "off"),
        ]
        // All its joins are equalities over many rows; on tables that have not been analyzed yet the planner would take
        // nested loops, which took ten times as long over the first day of an app.
        if joinsByHash { values.append(("enable_nestloop", "off")) }
        self.values = values + others
    }

    /// Sets them for the transaction at hand.
    func apply(on connection: isolated PostgresConnection) throws(PostgresError) {
        for (name, value) in values {
            try connection.execute("select set_config($1, $2, true)", [.text(name), .text(value)])
        }
    }

    /// The whole scan as a script that psql runs.
    var script: String {
        let settings = values.map { name, value in
            "set local \(name) = '\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))';"
        }
        return """
            begin transaction isolation level repeatable read read only;
            \(settings.joined(separator: "\n"))

            \(Self.statement);

            commit;

            """
    }

    static var statement: String { StoredSQL.asOneStatement(StoredSQL.timelines) }
}
