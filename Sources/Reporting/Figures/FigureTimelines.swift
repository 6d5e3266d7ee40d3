import Postgres
import Storage
import Timelines

/// The timelines that figures are computed from. As for reports, these are packed timelines and the delta, or the event
/// table if nothing is packed.
enum FigureTimelines {
    /// Folds all people's timelines inside the caller's transaction, which must be `repeatableRead`.
    static func fold<Result>(
        _ query: TimelineQuery,
        app: App,
        on connection: isolated PostgresConnection,
        making makeResult: (TimelineDictionary) -> Result,
        _ add: (inout Result, borrowing PersonTimeline) throws -> Void
    ) throws -> Result {
        let texts = TimelineDictionary.makeSharedTexts()
        let plan = try SnapshotPlan.read(query, app: app, texts: texts, inLittleMemory: true, on: connection)
        guard let plan else {
            return try TimelineScan.read(query, app: app, on: connection) { source in
                var result = makeResult(source.dictionary)
                try source.forEachPerson { person in try add(&result, person) }
                return result
            }
        }
        var reader = PackedReader(plan)
        defer { reader.deallocate() }
        var result = makeResult(reader.dictionary)
        try reader.readAll(on: connection) { person in try add(&result, person) }
        return result
    }
}
