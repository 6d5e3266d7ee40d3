import Events
import Postgres
import Storage
import InboundLinks

/// `sql/timelines/segments.sql` with what a reader of packed timelines wants of them.
struct SegmentStatement {
    private let parameters: [String: String]

    /// - Parameter columns: those that are wanted beside the strands; nil: what the plan's report reads.
    init(_ plan: SnapshotPlan, columns: [String]? = nil) {
        let columns = columns ?? Self.columns(of: plan)
        let query = plan.snapshot.query
        parameters = [
            "app_number": String(plan.snapshot.app.number),
            "generation": String(plan.snapshot.state.generation),
            "first_month": min(query.touchesFrom, query.eventsFrom).monthText,
            "last_month": query.through.monthText,
            "columns": "{\(columns.joined(separator: ","))}",
        ]
    }

    private static func columns(of plan: SnapshotPlan) -> [String] {
        let query = plan.snapshot.query
        // A deferred link tapped up to the end may have come in a day later, which is lasting, as all that matters to
        // other months is.
        let needsTouches = !query.types.isDisjoint(with: TimelineQuery.touchTypes)
        var columns: [String] = []
        if query.needsIDs { columns.append("ids") }
        if needsTouches { columns.append("clicks") }
        if query.needsRefs { columns.append("refs") }
        if query.needsStoryPosts || query.needsRefs && !plan.stories.isEmpty { columns.append("stories") }
        if query.types.contains(.conversion) { columns += ["goals", "amounts"] }
        if query.needsReferers { columns.append("referers") }
        if query.needsTargets { columns.append("targets") }
        return columns
    }

    func statement(_ buckets: ClosedRange<Int>) -> BoundStatement {
        let buckets = ["first_bucket": String(buckets.lowerBound), "last_bucket": String(buckets.upperBound)]
        return BoundStatement(StoredSQL.segments, parameters.merging(buckets) { $1 })
    }
}
