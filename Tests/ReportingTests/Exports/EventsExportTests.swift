import EventTesting
import Events
import RandomTesting
import InboundLinks
import Time
import JSONReading
import Logging
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing

@Suite("The export of events")
struct EventsExportTests {
    @Test func readsTheColumnsThatItSaysItDoes() async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let names = try await database.pool.withConnection { connection in
                let settings = ["app_number": "1", "since": "0", "horizon": "1"].merging(
                    ["from": "2026-01-01", "to": "2026-01-02"]
                ) { $1 }
                return try connection.transaction {
                    for (name, value) in settings {
                        try connection.execute(
                            "select set_config($1, $2, true)",
                            [.text("tributary.\(name)"), .text(value)]
                        )
                    }
                    return try connection.query(EventsExport.statement).columnNames
                }
            }
            #expect(names == EventsExport.columns.map(\.name))
        }
    }

    /// In both formats, which an independent reader reads, every event is as it was stored.
    @Test(arguments: TestSeeds.seeds(2)) func tellsWhatWasStored(seed: UInt64) async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let stream = RandomStream.make(seed: seed, hasTwins: true)
            _ = try await AppStore(pool: database.pool).create(AppProfile(id: "shop", name: "Shop"))
            let app = try await AppStore(pool: database.pool).app(id: "shop")
            let writer = EventWriter(pool: database.pool, logger: Logger(label: "test"))
            _ = try await writer.whileRunning {
                try await writer.store(stream.events, of: app, receivedAt: stream.now)
            }
            let expected = Oracle.stored(of: stream.events)
                .map { "\($0.id) \($0.type.rawValue) \($0.occurredAt.rfc3339) \(Self.told($0))" }.sorted()
            let range = [(name: "from", value: "2000-01-01"), (name: "to", value: "2100-01-01")]

            let csv = try await Exporting.text(Exporting.request("events", range, app: app), on: database.pool).text
            let records = try #require(CSVText(csv)).records
            func cells(_ cell: (String) -> String) -> String {
                [
                    "user_id", "device_id", "click_id", "channel", "refs", "name", "value", "test_traffic",
                    "login_outcome", "install_referrer", "short_link",
                ]
                .map(cell).joined(separator: "|")
            }
            let told = records.map { record in
                "\(record["event_id"] ?? "") \(record["type"] ?? "") \(record["occurred_at"] ?? "") "
                    + cells { record[$0] ?? "" }
            }
            #expect(told.sorted() == expected)

            let lines = try await Exporting.text(
                Exporting.request("events", range + [("format", "ndjson")], app: app),
                on: database.pool
            ).text
            let objects = try lines.split(separator: "\n").map { try JSONDocument(reading: $0.utf8) }
            let toldInJSON = objects.map { object in
                func cell(_ name: String) -> String {
                    guard let node = object.root[name] else { return "missing" }
                    switch node.kind {
                    case .null: return ""
                    case .string: return node.string ?? ""
                    case .array: return node.elements.compactMap { $0.string }.joined(separator: ",")
                    default: return node.bool.map { "\($0)" } ?? node.number ?? "?"
                    }
                }
                return "\(cell("event_id")) \(cell("type")) \(cell("occurred_at")) " + cells(cell)
            }
            #expect(toldInJSON.sorted() == expected)
            #expect(objects.allSatisfy { $0.root.count == EventsExport.columns.count })
        }
    }

    @Test func tellsTheTextOfEveryField() async throws {
        let marked = try MarkedEvent.all()
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            _ = try await AppStore(pool: database.pool).create(AppProfile(id: "shop", name: "Shop"))
            let app = try await AppStore(pool: database.pool).app(id: "shop")
            let writer = EventWriter(pool: database.pool, logger: Logger(label: "test"))
            _ = try await writer.whileRunning {
                try await writer.store(marked.map(\.event), of: app, receivedAt: marked[0].event.receivedAt)
            }
            let range = [(name: "from", value: "2000-01-01"), (name: "to", value: "2100-01-01")]
            for format in ["csv", "ndjson"] {
                let request = try Exporting.request("events", range + [("format", format)], app: app)
                let text = try await Exporting.text(request, on: database.pool).text
                for marked in marked { #expect(text.contains(marked.text), "\(marked.use) as \(format)") }
            }
        }
    }

    private static func told(_ event: Event) -> String {
        var (channel, refs, name, value, test, login, referrer, link) = ("", "", "", "", "", "", "", "")
        if let touch = event.touch {
            channel = touch.link.channel.rawValue
            refs = touch.link.refs.joined(separator: ",")
            test = "\(touch.link.testTraffic)"
            link = touch.shortLink ?? ""
        }
        switch event.content {
        case .feedPost(let post): refs = post.refs.joined(separator: ",")
        case .conversion(let conversion):
            name = conversion.name
            value = conversion.value.map { ReportCell.decimal(millionths: Int128($0.millionths)).plainText ?? "" } ?? ""
        case .authentication(let stored): login = stored.outcome.rawValue
        case .install(let install): referrer = install.referrer ?? ""
        case .inboundLink, .linkClick, .appOpen: break
        }
        let ids = [event.userID, event.deviceID, event.clickID].map { $0 ?? "" }
        return (ids + [channel, refs, name, value, test, login, referrer, link]).joined(separator: "|")
    }
}
