import Ingest
import Storage
import Time

/// The page "Live": the events of the last minutes, and the state of the daemon.
struct LiveView {
    struct Line {
        var name: String
        var value: String
    }

    /// An event that was stored. Names are HTML, which keeps one from right to left to itself.
    struct Event {
        /// Of today, the time alone.
        var time: String
        var type: String
        var channel: String
        /// The first ones, and how many there are beside them.
        var refs: String
        /// All of them; nil if there are none.
        var allRefs: String?
        var person: Person?
    }

    struct Person {
        var name: String
        var id: String
        var href: String
    }

    /// How many refs of an event are shown.
    private static let shownRefs = 3
    /// How many characters of a name are shown.
    private static let shownCharacters = 24

    var chart: String
    var rates: [Line]
    var codes: [Line]
    var hasCodes: Bool
    var state: [Line]
    /// Nil if the database does not answer.
    var checklist: Checklist?
    /// Those that happened last, the newest first.
    var events: [Event]
    /// Whether a person leads to the timeline.
    var showsPeople = Caller.seesPeople
    /// Whether they cannot be read now.
    var eventsAreUnknown: Bool
    /// How to send an event; nil if one has come.
    var firstEvent: FirstEvent?

    /// - Parameters:
    ///   - reached: what has happened in the app; nil if that is not known.
    ///   - newest: the events that happened last, of every daemon; nil if they cannot be read.
    init(
        _ live: LiveIngest,
        _ request: ViewRequest,
        readiness: Readiness,
        reached: Set<AppMilestone>? = nil,
        newest: [NewestEvent]? = []
    ) {
        let app = request.app
        let zone = LocalTime(timeZone: app.profile.timeZone)
        eventsAreUnknown = newest == nil
        events = (newest ?? []).map { event in
            let time = zone.text(event.time)
            return Event(
                time: time.hasPrefix(request.today + " ") ? String(time.dropFirst(request.today.count + 1)) : time,
                type: event.type + (event.isTest ? ", test traffic" : ""),
                channel: event.channel ?? "",
                refs: Self.html(event.refs),
                allRefs: event.refs.isEmpty ? nil : event.refs.joined(separator: ", "),
                person: !Caller.seesPeople
                    ? nil
                    : event.person.map { key in
                        let link = PersonLink(key)
                        return Person(name: Self.html(key.id), id: key.id, href: link.href)
                    }
            )
        }
        checklist = reached.map { Checklist($0, app: app) }
        let (counts, codes) = live.recent(ofApp: app.number)
        let last = live.last(ofApp: app.number).map { last in
            "\(zone.text(Timestamp(microseconds: last.second * 1_000_000))), \(last.type)"
        }
        func average(_ seconds: Int) -> String {
            let accepted = counts.suffix(seconds).reduce(0) { $0 + $1.accepted }
            return NumberText.grouped(Double(accepted) / Double(seconds)) + " / s"
        }
        rates = [
            Line(name: "Last event", value: last ?? "none since the daemon started"),
            Line(name: "Accepted, last 10 seconds", value: average(10)),
            Line(name: "Accepted, last minute", value: average(60)),
            Line(name: "Accepted, last 5 minutes", value: average(counts.count)),
            Line(name: "Duplicates, last 5 minutes", value: NumberText.grouped(counts.sum(\.duplicates))),
            Line(name: "Rejected, last 5 minutes", value: NumberText.grouped(counts.sum(\.rejected))),
        ]
        self.codes = codes.map { Line(name: $0.code, value: NumberText.grouped(Double($0.count))) }
        hasCodes = !codes.isEmpty
        state =
            [
                Line(
                    name: "State",
                    value: readiness.isReady ? "ready" : readiness.reasons.joined(separator: "; ")
                )
            ]
            + readiness.details.map { detail in
                let value =
                    switch detail.value {
                    case .text(let text): text
                    case .number(let number) where detail.name.hasSuffix("_bytes"): NumberText.bytes(Double(number))
                    case .number(let number) where detail.name.hasSuffix("_seconds"):
                        NumberText.duration(seconds: Double(number))
                    case .number(let number): NumberText.grouped(Double(number))
                    case .flag(let flag): flag ? "yes" : "no"
                    }
                return Line(name: Self.title(detail.name), value: value)
            }
        chart = Self.drawing(counts)
        // Before the daemon started, events may have come.
        if last == nil, reached?.subtracting([.link]).isEmpty ?? true { firstEvent = FirstEvent(request, .touch) }
    }

    private static func html(_ name: String) -> String {
        "<bdi>\(BreakableText.html(BreakableText.beginning(of: name, upTo: shownCharacters)))</bdi>"
    }

    private static func html(_ refs: [String]) -> String {
        let shown = refs.prefix(shownRefs).map { html($0) }.joined(separator: ", ")
        return refs.count > shownRefs ? "\(shown) +\(refs.count - shownRefs)" : shown
    }

    /// `spool_limit_bytes` as `Spool limit`: the value shows the unit.
    private static func title(_ name: String) -> String {
        var words = name.split(separator: "_")
        if let unit = words.last, ["bytes", "seconds"].contains(unit), words.count > 2 { words.removeLast() }
        let text = words.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func drawing(_ counts: [LiveIngest.Counts]) -> String {
        let (top, bottom) = (16.0, 184.0)
        var svg = SVG(height: bottom + 18, class: "chart")
        let axis = Axis(largest: Double(counts.map { $0.accepted + $0.rejected }.max() ?? 0))
        func y(_ value: Double) -> Double { bottom - (bottom - top) * value / axis.top }
        for tick in axis.ticks {
            svg.line(from: (0, y(tick)), to: (1, y(tick)), class: tick == 0 ? "axis" : "grid")
        }
        let step = 1 / Double(max(counts.count, 1))
        for (position, count) in counts.enumerated() where count != LiveIngest.Counts() {
            let x = Double(position) * step
            let (accepted, all) = (y(Double(count.accepted)), y(Double(count.accepted + count.rejected)))
            svg.rectangle(x: x, y: accepted, width: step * 0.8, height: bottom - accepted, class: "accepted")
            svg.rectangle(x: x, y: all, width: step * 0.8, height: accepted - all, class: "rejected")
            svg.rectangle(
                x: x,
                y: top,
                width: step,
                height: bottom - top,
                class: "hover",
                hint: "\(NumberText.duration(seconds: Double(counts.count - position))) ago: "
                    + "\(NumberText.grouped(Double(count.accepted))) accepted, "
                    + "\(NumberText.grouped(Double(count.rejected))) rejected"
            )
        }
        for tick in axis.ticks where tick > 0 {
            svg.label(NumberText.grouped(tick), x: 0, y: y(tick) - 4, class: "tick")
        }
        svg.label("5 minutes ago", x: 0, y: bottom + 15, class: "tick")
        svg.label("now", x: 1, y: bottom + 15, anchor: .end, class: "tick")
        return svg.text(
            title: "Events per second",
            description: "\(NumberText.grouped(counts.sum(\.accepted))) accepted and "
                + "\(NumberText.grouped(counts.sum(\.rejected))) rejected in the last 5 minutes"
        )
    }
}

extension [LiveIngest.Counts] {
    fileprivate func sum(_ count: (LiveIngest.Counts) -> Int) -> Double {
        Double(reduce(0) { $0 + count($1) })
    }
}
