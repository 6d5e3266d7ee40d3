import Events
import InboundLinks
import Postgres
import Storage

/// The parameters of `sql/timelines/segments.sql`: settings of the transaction, because COPY takes no others.
struct SegmentQuery {
    private let values: [(name: String, value: String)]

    static var statement: String {
        "copy (\(StoredSQL.asOneStatement(StoredSQL.segments))) to stdout (format binary)"
    }

    init(_ plan: PackedPlan, buckets: ClosedRange<Int>) {
        let demand = plan.demand
        // A deferred link tapped up to the end may have come in a day later, which is lasting, as all that matters to
        // other months is.
        let needsTouches = !demand.types.isDisjoint(with: TimelineDemand.touchTypes)
        var columns: [String] = []
        if demand.needsIDs { columns.append("ids") }
        if needsTouches { columns.append("clicks") }
        if demand.needsRefs { columns.append("refs") }
        if demand.needsRefs, !plan.stories.isEmpty { columns.append("stories") }
        if demand.types.contains(.conversion) { columns += ["goals", "amounts"] }
        if demand.needsReferers { columns.append("referers") }
        if demand.needsTargets { columns.append("targets") }
        values = [
            ("tributary.app_number", String(plan.appNumber)),
            ("tributary.generation", String(plan.generation)),
            ("tributary.first_month", min(demand.touchesFrom, demand.eventsFrom).monthText),
            ("tributary.last_month", demand.through.monthText),
            ("tributary.first_bucket", String(buckets.lowerBound)),
            ("tributary.last_bucket", String(buckets.upperBound)),
            ("tributary.columns", "{\(columns.joined(separator: ","))}"),
        ]
    }

    func apply(on connection: isolated PostgresConnection) throws {
        for (name, value) in values {
            try connection.execute("select set_config($1, $2, true)", [.text(name), .text(value)])
        }
    }
}
