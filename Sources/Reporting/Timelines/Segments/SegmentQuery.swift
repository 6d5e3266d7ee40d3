import Events
import Postgres
import Storage
import InboundLinks

/// `sql/timelines/segments.sql` with what a reader of packed timelines wants of them.
struct SegmentQuery {
    private let parameters: [String: String]

    /// - Parameter columns: those that are wanted beside the strands; nil: what the plan's report reads.
    init(_ plan: PackedPlan, columns: [String]? = nil) {
        let columns = columns ?? Self.columns(of: plan)
        let demand = plan.base.demand
        parameters = [
            "app_number": String(plan.base.app.number),
            "generation": String(plan.base.state.generation),
            "first_month": min(demand.touchesFrom, demand.eventsFrom).monthText,
            "last_month": demand.through.monthText,
            "columns": "{\(columns.joined(separator: ","))}",
        ]
    }

    private static func columns(of plan: PackedPlan) -> [String] {
        let demand = plan.base.demand
        // A deferred link tapped up to the end may have come in a day later, which is lasting, as all that matters to
        // other months is.
        let needsTouches = !demand.types.isDisjoint(with: TimelineDemand.touchTypes)
        var columns: [String] = []
        if demand.needsIDs { columns.append("ids") }
        if needsTouches { columns.append("clicks") }
        if demand.needsRefs { columns.append("refs") }
        if demand.needsStoryPosts || demand.needsRefs && !plan.stories.isEmpty { columns.append("stories") }
        if demand.types.contains(.conversion) { columns += ["goals", "amounts"] }
        if demand.needsReferers { columns.append("referers") }
        if demand.needsTargets { columns.append("targets") }
        return columns
    }

    func statement(_ buckets: ClosedRange<Int>) -> BoundStatement {
        let buckets = ["first_bucket": String(buckets.lowerBound), "last_bucket": String(buckets.upperBound)]
        return BoundStatement(StoredSQL.segments, parameters.merging(buckets) { $1 })
    }
}
