import Events
import InboundLinks
import Time
import Time
import Postgres
import Storage

/// The parameters of `sql/reports/timelines.sql`, and of what stands on the same ground, for one demand.
struct TimelineSettings {
    /// By their names in the statements.
    let parameters: [String: String]

    init(_ demand: TimelineDemand, app: App) {
        let types = EventType.allCases.filter(demand.types.contains).map(\.rawValue)
        parameters = [
            "app_number": String(app.number),
            "types": "{\(types.joined(separator: ","))}",
            "touches_from": demand.touchesFrom.rfc3339,
            "events_from": demand.eventsFrom.rfc3339,
            "through": demand.through.rfc3339,
            "needs_refs": String(demand.needsRefs),
            "needs_referers": String(demand.needsReferers),
            "needs_targets": String(demand.needsTargets),
            "needs_story_posts": String(demand.needsStoryPosts),
        ]
    }

    /// The scan of everybody's timelines.
    var scan: BoundStatement { BoundStatement(StoredSQL.timelines, parameters) }

    /// The scan as a script that psql runs.
    var script: String {
        let settings = ScanPlanning.byHash.settings.map { name, value in "set local \(name) = '\(value)';" }
        return """
            begin transaction isolation level repeatable read read only;
            \(settings.joined(separator: "\n"))

            \(scan.text);

            commit;

            """
    }
}
