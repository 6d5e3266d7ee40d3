import ArgumentParser
import Events
import InboundLinks
import Time
import JSONReading
import Reporting
import Storage

struct ShowPersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a person's ids, event counts by type, and timeline.",
        discussion: """
            The timeline has the person's touches, posts, installs, conversions, logins and opens, and the touch that \
            each install and conversion is credited to: the last one of the 7 days before, as GET /v1/attributions \
            says. The dashboard has a page with the same. It shows the newest \(PersonHistory.limit). "invited by" is \
            the chain of invitations above the person, as the report generations follows it, at most \
            \(PersonInviter.limit) people.

            Events that wait in a spool on this machine are counted separately; they are stored when the database \
            takes them. Test traffic is marked, because reports do not count it.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, json
    }

    @OptionGroup var person: PersonOptions

    @Option(help: "The form of the output.")
    var format: Format = .table

    func run() async throws {
        let (summary, history) = try await person.withPool(readsOnly: true) { store, app, key, pool in
            let summary = try await DeletionProgressLine.with {
                try await store.summary(of: key, in: app, progress: $0)
            }
            return (summary, try await PersonHistory.read(key, in: app, on: pool))
        }
        switch format {
        case .table: print(Self.text(summary, history), terminator: "")
        case .json: print(Self.json(summary, history))
        }
        if summary.isEmpty { StandardError.write("nothing is kept of this person") }
    }

    private static let types = EventType.allCases.map(\.rawValue)

    private static func text(_ summary: PersonSummary, _ history: PersonHistory) -> String {
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
            ("invited by", history.inviters.map(\.key.id).joined(separator: ", by ")),
            ("doubt", history.doubt.joined(separator: ", ")),
        ]
        let width = StandardOutput.terminalWidth
        var text = TextTable(rows: lines.map { [$0, $1] }).text(within: width)
        guard !history.entries.isEmpty else { return text }
        text += "\n"
        if history.isCut { text += "the last \(history.entries.count):\n" }
        return text
            + TextTable(rows: history.entries.map { [$0.time.rfc3339, $0.kind.rawValue, what($0)] }).text(within: width)
    }

    private static func what(_ entry: PersonEntry) -> String {
        guard let credit = entry.credit else { return entry.words }
        let time = credit.time.map { ", \($0.rfc3339)" } ?? ""
        return "\(entry.words) ← \(credit.words)\(time)"
    }

    private static func json(_ summary: PersonSummary, _ history: PersonHistory) -> String {
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
            history.write(to: &writer)
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
