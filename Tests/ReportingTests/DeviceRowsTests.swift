import Events
import Postgres
@testable import Reporting
import RandomTesting
import Storage
import Testing
@testable import Timelines

@Suite("Rows of devices")
struct DeviceRowsTests {
    /// The events of a delta by their ids, as tuples of all that a segment has of them.
    private typealias Events = [EventID: SegmentEvent]

    /// However many rows wait together, and however few devices are looked up at once.
    @Test(arguments: TestSeeds.seeds(2)) func getTheUsersThatTheStatementFinds(seed: UInt64) async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            for batch in RandomStream.make(seed: seed).redelivered(seed: seed) {
                try await testing.store(batch, of: app)
            }
            try await testing.pool.withTransaction(isolation: .repeatableRead, readOnly: true) { connection in
                let dictionary = TimelineDictionary()
                var found = Events()
                try Self.scan(app, findsUsers: true, on: connection)
                    .forEachEvent(dictionary: dictionary, on: connection) { event, _ in found[event.event.id] = event }
                #expect(!found.isEmpty)
                for (blockSize, devicesAtOnce) in [(1 << 20, 50_000), (1_000, 3), (1, 1)] {
                    var lookedUp = Events()
                    let rows = DeviceRows(blockSize: blockSize, devicesAtOnce: devicesAtOnce)
                    try Self.scan(app, findsUsers: false, on: connection)
                        .forEachEvent(of: app, dictionary: dictionary, keeping: rows, on: connection) { event in
                            lookedUp[event.event.id] = event
                        }
                    #expect(lookedUp.keys == found.keys)
                    for (id, event) in found {
                        #expect(lookedUp[id]?.person == event.person)
                        #expect(lookedUp[id]?.key == event.key)
                        #expect(lookedUp[id]?.event == event.event)
                        #expect(lookedUp[id]?.story == event.story)
                    }
                }
            }
        }
    }

    private static func scan(_ app: App, findsUsers: Bool, on connection: isolated PostgresConnection) -> DeltaScan {
        let hash = KeyedHash(key: Array(0..<16))
        let query = TimelinePacker.wholeQuery
        return DeltaScan(query, app: app, from: 0, findsUsers: findsUsers, hash: hash, on: connection)
    }
}
