import Events
import Time
import InboundLinks
import Timelines

/// The single credits that `attribution` sums.
struct CreditsExport: TimelineExport {
    static let name = "credits"
    static let summary =
        "The credit of every touch for every install or conversion, by one attribution model or several."
    static let examples = ["--model all --output credits.csv", "--event install --from 7d"]
    // Groups, and conditions on touches, are of the report's rows alone.
    static let parameters =
        AttributionReport.parameters.filter { !["by", "limit", "where"].contains($0.name) }
        + ReportParameter.ofExportedPeople
    static let columns: [ReportColumn] =
        ReportColumn.person + [
            .uuid("event_id", "The install or conversion that is credited."),
            .text("event_type", "`install` or `conversion`."),
            .time("occurred_at", "When it happened."),
            .text("name", "The conversion's name."),
            .decimal(
                "event_value",
                unit: ReportColumn.currency,
                "The value of the whole conversion, repeated in each of the event's rows. 0 in another currency without a rate, empty for installs."
            ),
            .text("model", "The attribution model: `last`, `first`, `linear`, `position` or `decay`."),
            .uuid("touch_id", "The event of the touch; empty for `direct`."),
            .time("touched_at", "The touch's time."),
            .text("channel", "The touch's channel; `direct` if no touch is credited."),
            .list(
                "refs",
                "The touch's refs after the story join. With several, each has an equal part of the credit."
            ),
            .decimal(
                "credit",
                unit: "installs or conversions",
                "The part of the event that the touch is credited with, up to 15 decimals. Those of one event and model sum to exactly 1."
            ),
            .integer(
                "credit_units",
                unit: "1/\(CreditUnits.one) of an event",
                "The same without rounding: sums of it, divided by \(CreditUnits.one), are the report's to the last digit."
            ),
            .decimal(
                "value",
                unit: ReportColumn.currency,
                "The part of `event_value`, up to 12 decimals. Those of one event and model sum to exactly `event_value`; sums over others may be off by one in the 12th decimal for each row. Sums of `credit_units` × `event_value`, divided by \(CreditUnits.one), are the report's to the last digit."
            ),
            .deleted, .shortLink, .postEventID, .refFrom,
        ]

    private let report: AttributionReport

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        report = try AttributionReport(reading: &parameters)
    }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = report.query(in: range)
        query.needs.formUnion([.refs, .refOrigins, .links, .storyPosts, .goals])
        return query
    }

    func write(
        _ person: borrowing PersonTimeline,
        _ run: ReportRun,
        to rows: inout ExportRowWriter,
        handOn: (inout ExportRowWriter) throws -> Void
    ) throws {
        var candidates: [TimelineTouch] = []
        var shares: [Int64] = []
        try report.events(run).forEach(of: person) { credited in
            person.copyTouches(before: credited, within: report.lookback.microseconds, to: &candidates)
            let event = person.events[credited.position]
            for model in report.models {
                if candidates.isEmpty {
                    shares = [CreditUnits.one]
                } else {
                    model.split(among: candidates, at: credited.time, into: &shares)
                }
                var given: Int64 = 0
                for (position, units) in shares.enumerated() where units != 0 {
                    rows.beginRow()
                    rows.person(person)
                    rows.uuid(event.id)
                    rows.text(event.type.rawValue)
                    rows.time(event.occurredAt)
                    rows.code(event.goal, of: run.dictionary[.goal])
                    rows.decimal(millionths: credited.isInstall ? nil : Int128(credited.value))
                    rows.text(model.rawValue)
                    if candidates.isEmpty {
                        rows.null()
                        rows.null()
                        rows.text(ReportNames.direct)
                        rows.refs(.none, of: run.dictionary)
                    } else {
                        rows.uuid(candidates[position].id)
                        rows.time(candidates[position].time)
                        rows.text(candidates[position].channel.rawValue)
                        rows.refs(candidates[position].refs, of: run.dictionary)
                    }
                    rows.number(CreditUnits.part(of: 1, from: given, units: units, decimals: 15))
                    rows.integer(units)
                    rows.number(
                        credited.isInstall
                            ? nil
                            : CreditUnits.part(
                                of: Int128(credited.value),
                                from: given,
                                units: units,
                                decimals: 12,
                                whole: 6
                            )
                    )
                    rows.deleted(false)
                    if !candidates.isEmpty {
                        let touched = person.events[candidates[position].event]
                        rows.code(touched.shortLink, of: run.dictionary[.link])
                        rows.post(touched.storyPost, of: run.dictionary)
                        rows.text(touched.refFrom?.rawValue)
                    }
                    rows.endRow()
                    given += units
                    try handOn(&rows)
                }
            }
        }
    }
}
