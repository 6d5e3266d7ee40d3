import Events
import InboundLinks
import Logging
import Postgres
@testable import Storage
import Testing

@Suite("The event writer")
struct EventWriterTests {
    typealias Base = StorageTesting

    @Test func storesAnEventOnce() async throws {
        try await Base.with { base in
            let events = (1...5).map { Base.event($0, user: "u") }
            let (first, second) = (try await base.store(events), try await base.store(events))
            #expect(first.duplicates == 0)
            #expect(second.duplicates == 5)
            #expect(try await base.count("select count(*) from event") == 5)
        }
    }

    @Test func countsARepetitionInsideASubmission() async throws {
        try await Base.with { base in
            let receipt = try await base.store([Base.event(1, user: "first"), Base.event(1, user: "second")])
            #expect(receipt.duplicates == 1)
            #expect(try await base.texts("select user_id from event") == ["first"])
        }
    }

    /// A retry without `occurred_at` gets another time, maybe in another month and so another partition.
    @Test(arguments: [1, 20, 40, 400])
    func findsARetryWithAnotherTime(days: Int) async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, user: "u")])
            let later = Base.noon.advanced(by: Base.day * days)
            let earlier = Base.noon.advanced(by: .zero - Base.day * days)
            #expect(try await base.store([Base.event(1, at: later, user: "u")]).duplicates == 1)
            #expect(try await base.store([Base.event(1, at: earlier, user: "u")]).duplicates == 1)
            #expect(try await base.count("select count(*) from event") == 1)
        }
    }

    @Test func separatesApps() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            _ = try await store.create(AppProfile(id: "other", name: "Other"))
            let other = try await store.app(id: "other")
            try await base.store([Base.event(1, user: "u")])
            let receipt = try await base.writer.store(
                .init(appNumber: other.number, keyPrefix: "", receivedAt: Base.noon, events: [Base.event(1, user: "u")])
            )
            #expect(receipt.duplicates == 0)
            #expect(try await base.count("select count(*) from event") == 2)
        }
    }

    @Test func makesPartitionsOnDemand() async throws {
        try await Base.with { base in
            let times = [
                "1999-12-31T23:59:59.999999Z", "2000-01-01T00:00:00Z", "2024-02-29T23:59:59Z",
                "2026-12-31T23:59:59.999999Z",
                "2027-01-01T00:00:00Z",
            ]
            let events = try times.enumerated().map { number, time in
                Base.event(UInt64(number), at: try #require(Timestamp(rfc3339: time)), user: "u")
            }
            try await base.store(events)
            let partitions = try await base.texts(
                "select relname::text from pg_class where relispartition and relkind = 'r' order by relname"
            )
            #expect(
                partitions == ["event_1999_12", "event_2000_01", "event_2024_02", "event_2026_12", "event_2027_01"]
            )
        }
    }

    @Test func storesAPostOnceByItsID() async throws {
        @Sendable func post(_ number: UInt64, _ id: String?, _ refs: [String]) -> Event {
            Base.event(number, .feedPost(FeedPost(outcome: .posted, postID: id, refs: refs)))
        }
        try await Base.with { base in
            let first = try await base.store([
                post(1, "p", ["a"]), post(2, "p", ["b"]), post(3, nil, []), post(4, nil, []),
            ])
            #expect(first.duplicates == 1)
            #expect(try await base.store([post(5, "p", ["c"]), post(6, "q", [])]).duplicates == 1)
            #expect(try await base.count("select count(*) from event") == 4)
            #expect(try await base.texts("select refs[1] from event where post_id = 'p'") == ["a"])
        }
    }

    /// Two writers, as of two daemons, with the same batches in opposite orders.
    @Test func twoWritersStoreOnce() async throws {
        try await Base.with { base in
            let second = EventWriter(pool: base.pool, logger: Logger(label: "test"))
            let events = (0..<2_000).map { Base.event(UInt64($0), user: "u\($0 % 50)", device: "d\($0 % 50)") }
            let batches = stride(from: 0, to: events.count, by: 100).map { Array(events[$0..<$0 + 100]) }
            let duplicates = try await second.whileRunning {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for batch in batches {
                        group.addTask { try await base.store(batch).duplicates }
                    }
                    for batch in batches.reversed() {
                        group.addTask {
                            try await second.store(
                                .init(
                                    appNumber: base.app.number,
                                    keyPrefix: "",
                                    receivedAt: Base.noon,
                                    events: batch.reversed()
                                )
                            ).duplicates
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
            #expect(duplicates == 2_000)
            #expect(try await base.count("select count(*) from event") == 2_000)
        }
    }

    @Test func keepsRejectionsBesideTheEvents() async throws {
        try await Base.with { base in
            let rejection = Rejection(
                index: 1,
                eventID: nil,
                code: .missingField,
                field: "name",
                message: "conversion needs name",
                redactedEvent: "{\"type\":\"conversion\"}\u{0}"
            )
            try await base.store([Base.event(1, user: "u")], rejections: [rejection])
            let row = "select concat_ws('|', code, field, message, event, key_prefix) from rejected_event"
            #expect(
                try await base.texts(row) == [
                    "missing_field|name|conversion needs name|{\"type\":\"conversion\"}\u{FFFD}|trib_w_test"
                ]
            )
        }
    }

    /// The checks at the door let no such event pass; one that did must not take its neighbours with it.
    @Test func bisectsDownToAnEventThatPostgreSQLRefuses() async throws {
        try await Base.with { base in
            var events = (0..<50).map { Base.event(UInt64($0), user: "u") }
            events[17].properties = "no JSON"
            events[31].userID = "nul\u{0}"
            let receipt = try await base.store(events)
            #expect(receipt == EventWriter.Receipt(duplicates: 0, refused: [17, 31]))
            #expect(try await base.count("select count(*) from event") == 48)
            #expect(try await base.texts("select code from rejected_event") == ["refused", "refused"])
        }
    }

    @Test func refusesAfterItsEnd() async throws {
        try await Base.with { base in
            base.writer.close()
            await #expect(throws: EventWriterError.self) { try await base.store([Base.event(1, user: "u")]) }
        }
    }
}
