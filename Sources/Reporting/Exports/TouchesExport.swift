import Events
import Time
import InboundLinks
import Timelines

/// Touches as reports count them: at their time t, with the refs of the story join, and the person that they belong to
/// now.
struct TouchesExport: TimelineExport {
    static let name = "touches"
    static let summary = "Every touch with its person, its time, its channel and its refs after the story join."
    static let examples = ["--from 7d --output touches.csv", "--since 0 --format ndjson"]
    static let parameters = ReportParameter.ofExportedPeople
    static let columns: [ReportColumn] =
        ReportColumn.person + [
            .uuid("event_id", "The event of the touch."),
            .text("type", "`inbound_link`, `link_click`, or `install` for the link that came with one."),
            .time(
                "touched_at",
                "The touch's time, by which it counts: for a deferred link, when it was tapped (see *Touch* in [reports.md](reports.md#words))."
            ),
            .time("occurred_at", "When the link came in."),
            .text("channel", "The way in."),
            .list("refs", "The refs, of the link itself or of the post that it came from."),
            .text("platform", "`ios`, `android`, `web` or `desktop`."),
            .text("referer_app", "The name of the app that the link was tapped in."),
            .text("target_url", "Where the link leads."),
            .flag("authenticated", "Whether the link carried a token."),
            .flag("deferred", "Whether the link was tapped before the app was installed."),
            .deleted, .shortLink, .postEventID, .refFrom,
        ]

    private static let needs: TimelineQuery.Needs = [
        .refs, .refOrigins, .referers, .targets, .links, .storyPosts, .ids,
    ]

    init(reading parameters: inout ParameterReader) throws(ReportError) {}

    func query(in range: ReportRange) -> TimelineQuery {
        TimelineQuery(TimelineQuery.touchTypes, in: range, needs: Self.needs)
    }

    func write(
        _ person: borrowing PersonTimeline,
        _ run: ReportRun,
        to rows: inout ExportRowWriter,
        handOn: (inout ExportRowWriter) throws -> Void
    ) throws {
        for touch in person.touches where run.range.contains(touch.time) {
            let event = person.events[touch.event]
            rows.beginRow()
            rows.person(person)
            rows.uuid(touch.id)
            rows.text(event.type.rawValue)
            rows.time(touch.time)
            rows.time(event.occurredAt)
            rows.text(touch.channel.rawValue)
            rows.refs(touch.refs, of: run.dictionary)
            rows.text(event.platform?.rawValue)
            rows.code(event.referer, of: run.dictionary[.referer])
            rows.code(event.target, of: run.dictionary[.target])
            rows.flag(touch.isAuthenticated)
            rows.flag(touch.isDeferred)
            rows.deleted(false)
            rows.code(event.shortLink, of: run.dictionary[.link])
            rows.post(event.storyPost, of: run.dictionary)
            rows.text(event.refFrom?.rawValue)
            rows.endRow()
            try handOn(&rows)
        }
    }
}
