import Events
import Postgres
@testable import Reporting
import Storage
import Testing
import Time
@testable import Timelines

@Suite("The census of declared properties")
struct PropertyCensusTests {
    private static let declared = [
        AppProperty("item", of: .touch, values: 20), AppProperty("plan", of: .person, values: 1_000),
    ]

    /// In little memory, values are counted in parts.
    @Test(arguments: [PropertyCensus.defaultMemory, 1_000, 1]) func findsTheMostFrequentValues(memory: Int) async throws
    {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("census", properties: Self.declared)
            var counts: [String: Int] = [:]
            let events = (0..<400).map { number in
                let item = "item \(number * number % 97 + number % 3)"
                counts[item, default: 0] += 1
                var event = OracleEvents.event(
                    UInt64(number),
                    at: Double(number),
                    user: "ann",
                    .inboundLink(OracleEvents.touch())
                )
                event.properties = #"{"item":"\#(item)","plan":\#(number % 30)}"#
                return event
            }
            try await testing.store(Array(events.prefix(200)), of: app)
            try await TimelinePacker(app: app, pool: testing.pool).pack()
            try await testing.store(Array(events.dropFirst(200)), of: app)

            var query = TimelineQuery(
                types: Set(EventType.allCases),
                touchesFrom: Timestamp.spellable.lowerBound,
                eventsFrom: Timestamp.spellable.lowerBound,
                through: Timestamp.spellable.upperBound
            )
            for (place, property) in app.properties.enumerated() { query.need(property, at: place) }
            let census = try await testing.pool.withTransaction { [query] connection in
                let state = try TimelineState.read(app: app.number, on: connection)
                return try PropertyCensus.counted(query, app, packed: state, inMemory: memory, on: connection)
            }
            let items = counts.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map(\.key)
            #expect(census[0]?.kept.map { String(decoding: $0, as: UTF8.self) } == Array(items.prefix(20)))
            #expect(census[0]?.isWhole == false)
            #expect(census[1]?.kept.count == 30)
            #expect(census[1]?.isWhole == true)
        }
    }
}
