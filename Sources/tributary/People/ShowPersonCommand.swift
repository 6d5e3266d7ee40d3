import ArgumentParser
import Events
import InboundLinks
import Time
import JSONReading
import Storage

struct ShowPersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a person's ids, event counts by type, touches, installs and conversions.",
        discussion: """
            Events that wait in a spool on this machine are counted separately; they are stored when the database \
            takes them. Test traffic is marked, because reports do not count it.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, json
    }

    /// The most events that the table shows. JSON shows all.
    private static let shownEvents = 50
    private static let typesShown: Set = ["inbound_link", "link_click", "install", "conversion"]

    @OptionGroup var person: PersonOptions

    @Option(help: "The form of the output.")
    var format: Format = .table

    func run() async throws {
        let summary = try await person.withStore(readsOnly: true) { store, app, key in
            try await DeletionProgressLine.with { try await store.summary(of: key, in: app, progress: $0) }
        }
        switch format {
        case .table: print(Self.text(summary))
        case .json: print(Self.json(summary))
        }
        if summary.isEmpty { StandardError.write("nothing is kept of this person") }
    }

    private static let types = EventType.allCases.map(\.rawValue)

    private static func text(_ summary: PersonSummary) -> String {
        func ids(_ kind: PersonKey.Kind) -> String { summary.person.ids(kind).joined(separator: ", ") }
        var lines = [
            ("app", summary.person.app.profile.id), ("user", ids(.user)), ("devices", ids(.device)),
            ("clicks", ids(.click)),
            ("events", String(summary.events.count)), ("first event", summary.firstEventAt?.rfc3339 ?? ""),
            ("last event", summary.lastEventAt?.rfc3339 ?? ""),
        ]
        lines += types.map { ("  " + $0, String(summary.count($0))) }
        lines += [
            ("rejected events", String(summary.rejectedEvents)), ("in the spool", String(summary.spooledEvents)),
        ]
        var text = lines.map { name, value in
            name + String(repeating: " ", count: 18 - name.count) + value
        }.joined(separator: "\n")
        let events = summary.events.filter { typesShown.contains($0.type) }
        guard !events.isEmpty else { return text }
        let rows = events.suffix(shownEvents).map { event in
            [event.occurredAt.rfc3339, event.type, what(event)]
        }
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        text += "\n\n"
        if events.count > rows.count {
            text += "the last \(rows.count) of \(events.count) touches, installs and conversions:\n"
        }
        return text
            + rows.map { row in
                (0..<2).map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count + 2) }.joined()
                    + row[2]
            }.joined(separator: "\n")
    }

    private static func what(_ event: PersonEvent) -> String {
        var words = [
            event.channel, event.refs.isEmpty ? nil : event.refs.joined(separator: ","), event.goal, event.value,
        ]
        words += [event.currency, event.isTestTraffic ? "(test)" : nil]
        return words.compactMap(\.self).joined(separator: " ")
    }

    private static func json(_ summary: PersonSummary) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("app_id", summary.person.app.profile.id)
            writer.member("user_ids", summary.person.ids(.user))
            writer.member("device_ids", summary.person.ids(.device))
            writer.member("click_ids", summary.person.ids(.click))
            writer.member("events", summary.events.count)
            writer.member("first_event_at", summary.firstEventAt?.rfc3339)
            writer.member("last_event_at", summary.lastEventAt?.rfc3339)
            writer.key("events_by_type")
            writer.object { writer in
                for type in types { writer.member(type, summary.count(type)) }
            }
            writer.member("rejected_events", summary.rejectedEvents)
            writer.member("spooled_events", summary.spooledEvents)
            let lists = [
                ("touches", ["inbound_link", "link_click"]), ("installs", ["install"]), ("conversions", ["conversion"]),
            ]
            for (name, types) in lists {
                writer.key(name)
                writer.array { writer in
                    for event in summary.events where types.contains(event.type) { write(event, to: &writer) }
                }
            }
        }
        return writer.text
    }

    private static func write(_ event: PersonEvent, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("event_id", event.id.description)
            writer.member("type", event.type)
            writer.member("occurred_at", event.occurredAt.rfc3339)
            if let channel = event.channel {
                writer.member("channel", channel)
                writer.member("refs", event.refs)
            }
            if let goal = event.goal {
                writer.member("name", goal)
                writer.member("value", event.value)
                writer.member("currency", event.currency)
            }
            writer.member("test_traffic", event.isTestTraffic)
        }
    }
}
