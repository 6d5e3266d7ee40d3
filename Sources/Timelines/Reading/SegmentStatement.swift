import Events
import Postgres
import Storage
import InboundLinks

/// `sql/timelines/segments.sql` with the parameters of a plan.
struct SegmentStatement {
    private let parameters: [String: String]

    /// - Parameter columns: the columns to read beside `strands`; nil for those that the plan's report needs.
    init(_ plan: SnapshotPlan, columns: [String]? = nil) {
        let columns = columns ?? Self.columns(of: plan)
        let query = plan.snapshot.query
        parameters = [
            "app_number": String(plan.snapshot.app.number),
            "generation": String(plan.snapshot.state.generation),
            "first_month": min(query.touchesFrom, query.eventsFrom).monthText,
            // Segments that span months are always read. They have deferred links that were tapped in the range and
            // arrived after it.
            "last_month": query.through.monthText,
            "columns": "{\(columns.joined(separator: ","))}",
        ]
    }

    private static func columns(of plan: SnapshotPlan) -> [String] {
        let query = plan.snapshot.query
        let needsTouches = !query.types.isDisjoint(with: TimelineQuery.touchTypes)
        var columns: [String] = []
        if query.needs.contains(.ids) { columns.append("ids") }
        if needsTouches { columns += ["clicks", "opened_clicks"] }
        if query.needs.contains(.refs) { columns.append("refs") }
        var stories: TimelineQuery.Needs = [.storyPosts, .storyKeys]
        if !plan.stories.isEmpty { stories.insert(.refs) }
        if !query.needs.isDisjoint(with: stories) { columns.append("stories") }
        if query.types.contains(.conversion) { columns += ["goals", "amounts"] }
        if query.needs.contains(.referers) { columns.append("referers") }
        if query.needs.contains(.targets) { columns.append("targets") }
        if query.needs.contains(.links) { columns.append("links") }
        return columns
    }

    func statement(_ buckets: ClosedRange<Int>) -> BoundStatement {
        let buckets = ["first_bucket": String(buckets.lowerBound), "last_bucket": String(buckets.upperBound)]
        return BoundStatement(TimelineSQL.segments, parameters.merging(buckets) { $1 })
    }
}
