import Events
import Time
import InboundLinks
import Timelines

/// One row for each person: what the person did in the range.
struct PeopleExport: TimelineExport {
    static let name = "people"
    static let summary = "Every person with an event in the range: when they came, how, and what they did."
    static let examples = ["--from 7d --output people.csv", "--cursor-file people.cursor"]
    static let parameters = ReportParameter.ofExportedPeople
    static let columns: [ReportColumn] =
        ReportColumn.person + [
            .time("first_event_at", "The person's first event in the range; a touch counts at its own time."),
            .time("last_event_at", "The last one."),
            .integer("events", unit: "events", "How many there are."),
            .uuid("first_touch_id", "The first touch in the range; empty if there is none."),
            .time("first_touched_at", "Its time."),
            .text("first_channel", "Its channel."),
            .list("first_refs", "Its refs after the story join."),
            .time(
                "first_authenticated_at",
                "The first granted authentication in the range, or inbound link that carried a token."
            ),
            .integer("touches", unit: "touches", "Touches in the range."),
            .integer("authenticated_touches", unit: "touches", "Those of them that carried a token."),
            .integer("posts", unit: "posts", "Feed posts in the range with the outcome `posted`."),
            .integer("installs", unit: "installs", "Installs in the range; re-installs do not count."),
            .integer("conversions", unit: "conversions", "Conversions in the range."),
            .decimal(
                "value",
                unit: ReportColumn.currency,
                "Their value. A conversion in another currency adds none without a rate."
            ),
            .deleted,
        ]

    init(reading parameters: inout ParameterReader) throws(ReportError) {}

    func query(in range: ReportRange) -> TimelineQuery {
        TimelineQuery(Set(EventType.allCases), in: range, needs: [.refs, .ids])
    }

    func write(
        _ person: borrowing PersonTimeline,
        _ run: ReportRun,
        to rows: inout ExportRowWriter,
        handOn: (inout ExportRowWriter) throws -> Void
    ) throws {
        guard person.isPerson else { return }
        var figures = Figures()
        for touch in person.touches where run.range.contains(touch.time) {
            let event = person.events[touch.event]
            // An install with its link is one event.
            figures.add(touch, isCounted: event.type != .install || !run.range.contains(event.occurredAt))
        }
        for event in person.events where run.range.contains(event.occurredAt) {
            figures.add(event)
        }
        let currency = run.dictionary.code(of: run.currency, as: .currency)
        CreditedEvents(range: run.range, currency: currency).forEach(of: person) { event in
            if event.isInstall { figures.installs += 1 } else { figures.conversions += 1 }
            figures.value += Int128(event.value)
        }
        guard let first = figures.firstAt else { return }
        rows.beginRow()
        rows.person(person)
        rows.time(first)
        rows.time(figures.lastAt)
        rows.integer(figures.events)
        rows.uuid(figures.firstTouch?.id)
        rows.time(figures.firstTouch?.time)
        rows.text(figures.firstTouch?.channel.rawValue)
        rows.refs(figures.firstTouch?.refs ?? .none, of: run.dictionary)
        rows.time(figures.authenticatedAt)
        rows.integer(figures.touches)
        rows.integer(figures.authenticatedTouches)
        rows.integer(figures.posts)
        rows.integer(figures.installs)
        rows.integer(figures.conversions)
        rows.decimal(millionths: figures.value)
        rows.endPersonRow()
    }

    private struct Figures {
        private(set) var firstAt: Timestamp?
        private(set) var lastAt: Timestamp?
        private(set) var events: Int64 = 0
        private(set) var firstTouch: TimelineTouch?
        private(set) var authenticatedAt: Timestamp?
        private(set) var touches: Int64 = 0
        private(set) var authenticatedTouches: Int64 = 0
        private(set) var posts: Int64 = 0
        var installs: Int64 = 0
        var conversions: Int64 = 0
        /// In millionths of the currency.
        var value: Int128 = 0

        /// Touches must come in the order of their times.
        mutating func add(_ touch: TimelineTouch, isCounted: Bool) {
            if firstTouch == nil { firstTouch = touch }
            touches += 1
            if touch.isAuthenticated {
                authenticatedTouches += 1
                if !touch.isLinkClick { authenticate(at: touch.time) }
            }
            note(touch.time)
            if isCounted { events += 1 }
        }

        mutating func add(_ event: TimelineEvent) {
            switch event.type {
            // Touches count at their time t instead.
            case .inboundLink, .linkClick: return
            case .feedPost: if event.outcome == .posted { posts += 1 }
            case .authentication: if case .granted = event.login { authenticate(at: event.occurredAt) }
            case .install, .conversion, .appOpen: break
            }
            events += 1
            note(event.occurredAt)
        }

        private mutating func authenticate(at time: Timestamp) {
            authenticatedAt = authenticatedAt.map { min($0, time) } ?? time
        }

        private mutating func note(_ time: Timestamp) {
            firstAt = firstAt.map { min($0, time) } ?? time
            lastAt = lastAt.map { max($0, time) } ?? time
        }
    }
}
