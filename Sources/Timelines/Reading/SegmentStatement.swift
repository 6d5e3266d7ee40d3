import Events
import Postgres
import Storage
import InboundLinks

/// `sql/timelines/segments.sql` with the parameters of a plan.
struct SegmentStatement {
    private let text: String
    private let parameters: [String: String]

    /// - Parameter columns: the columns to read; nil for those that the plan's report needs.
    init(_ plan: SnapshotPlan, columns: [SegmentColumn]? = nil) {
        let query = plan.snapshot.query
        let columns = columns ?? SegmentColumn.needed(by: query, storiesHaveChanged: !plan.stories.isEmpty)
        text = SegmentColumn.fill(TimelineSQL.segments, reading: columns, textLimit: query.textLimit)
        parameters = [
            "app_number": String(plan.snapshot.app.number),
            "generation": String(plan.snapshot.state.generation),
            "first_month": min(query.touchesFrom, query.eventsFrom).monthText,
            // Segments that span months are always read. They have deferred links that were tapped in the range and
            // arrived after it.
            "last_month": query.through.monthText,
        ]
    }

    func statement(_ buckets: ClosedRange<Int>) -> BoundStatement {
        let buckets = ["first_bucket": String(buckets.lowerBound), "last_bucket": String(buckets.upperBound)]
        return BoundStatement(text, parameters.merging(buckets) { $1 })
    }
}
