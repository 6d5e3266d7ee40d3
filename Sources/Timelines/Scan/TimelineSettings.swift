import Events
import InboundLinks
import Time
package import Postgres
package import Storage

/// The parameters of `sql/reports/timelines.sql`, and of statements derived from it, for one query.
package struct TimelineSettings {
    /// Values by their names in the statements.
    package let parameters: [String: String]

    package init(_ query: TimelineQuery, app: App) {
        let types = EventType.allCases.filter(query.types.contains).map(\.rawValue)
        func names(_ kind: AppProperty.Kind) -> String {
            BoundStatement.array(query.properties.values.filter { $0.kind == kind }.map(\.name).sorted())
        }
        parameters = [
            "app_number": String(app.number),
            "types": "{\(types.joined(separator: ","))}",
            "touches_from": query.touchesFrom.rfc3339,
            "events_from": query.eventsFrom.rfc3339,
            "through": query.through.rfc3339,
            "needs_refs": String(query.needs.contains(.refs)),
            "needs_ref_origins": String(query.needs.contains(.refOrigins)),
            "needs_referers": String(query.needs.contains(.referers)),
            "needs_targets": String(query.needs.contains(.targets)),
            "needs_links": String(query.needs.contains(.links)),
            "needs_forms": String(query.needs.contains(.forms)),
            "needs_app_versions": String(query.needs.contains(.appVersions)),
            "needs_countries": String(query.needs.contains(.countries)),
            "needs_languages": String(query.needs.contains(.languages)),
            "needs_goals": String(query.needs.contains(.goals)),
            "needs_properties": String(!query.properties.isEmpty),
            "person_properties": names(.person),
            "touch_properties": names(.touch),
            "conversion_properties": names(.conversion),
            "needs_story_posts": String(query.needs.contains(.storyPosts)),
            "needs_story_keys": String(query.needs.contains(.storyKeys)),
        ]
    }

    /// The scan of all people's timelines.
    package var scan: BoundStatement { BoundStatement(TimelineSQL.timelines, parameters) }

    /// The scan as a script for psql, with other statements after it.
    package func script(with others: [BoundStatement] = []) -> String {
        let settings = (ScanPlanning.byHash.settings + PostgresOptions.planning.map { ($0, $1) }).map { name, value in
            "set local \(name) = '\(value)';"
        }
        return """
            begin transaction isolation level repeatable read read only;
            \(settings.joined(separator: "\n"))

            \(([scan] + others).map { "\($0.text);" }.joined(separator: "\n\n"))

            commit;

            """
    }
}
