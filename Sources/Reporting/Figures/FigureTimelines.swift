import Postgres
import Storage
import Timelines

/// The timelines that figures are made of: packed ones and the delta, as for reports; the events themselves where none are
/// packed.
enum FigureTimelines {
    /// Folds everybody's timeline in the transaction at hand, of isolation `repeatableRead`.
    static func fold<Result>(
        _ query: TimelineQuery,
        app: App,
        on connection: isolated PostgresConnection,
        making makeResult: (TimelineDictionary) -> Result,
        _ add: (inout Result, borrowing PersonTimeline) -> Void
    ) throws -> Result {
        let texts = TimelineDictionary.makeSharedTexts()
        let plan = try SnapshotPlan.read(query, app: app, texts: texts, inLittleMemory: true, on: connection)
        guard let plan else {
            return try TimelineScan.read(query, app: app, on: connection) { source in
                var result = makeResult(source.dictionary)
                try source.forEachPerson { person in add(&result, person) }
                return result
            }
        }
        var reader = PackedReader(plan)
        defer { reader.deallocate() }
        var result = makeResult(reader.dictionary)
        try reader.readAll(on: connection) { person in add(&result, person) }
        return result
    }
}
