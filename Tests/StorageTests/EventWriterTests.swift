import Events
import Time
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Testing
import InboundLinks

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

    /// A retry without `occurred_at` gets another time. It may be in another month, and so in another partition.
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
            // No month can be made while a part of a cluster is being moved, so the next one is there already.
            let ahead = TestDatabases.usesCitus ? ["event_2027_02"] : []
            #expect(
                partitions
                    == ["event_1999_12", "event_2000_01", "event_2024_02", "event_2026_12", "event_2027_01"] + ahead
            )
        }
    }

    @Test func storesHowALoginEnded() async throws {
        try await Base.with { base in
            let denied = Login(
                outcome: .denied,
                errorCode: 200,
                errorMessage: "no",
                redactedCallback: "fb1://authorize?error=access_denied"
            )
            try await base.store([
                Base.event(1, user: "u", .authentication()), Base.event(2, user: "u", .authentication(denied)),
            ])
            #expect(
                try await base.texts(
                    "select concat_ws(' ', login_outcome, error_code, error_message, url) from event order by event_id"
                ) == ["", "denied 200 no fb1://authorize?error=access_denied"]
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

    /// An optimistic insert claims the post with the keys. If one key is not new, the post must be given back.
    @Test func storesAPostBesideAnEventThatWasStored() async throws {
        try await Base.with { base in
            let post = Base.event(2, .feedPost(FeedPost(outcome: .posted, postID: "p", refs: [])))
            let batch = [Base.event(1, user: "u"), post]
            try await base.store([batch[0]])
            #expect(try await base.store(batch).duplicates == 1)
            #expect(try await base.texts("select post_id from event where type = 'feed_post'") == ["p"])
            #expect(try await base.store(batch).duplicates == 2)
            #expect(try await base.count("select count(*) from event") == 2)
        }
    }

    /// Two writers, like those of two daemons, store the same batches in opposite orders.
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

    /// Another writer, like that of another daemon, stores an event of a group while the group is being stored, or
    /// rolls back. On a cluster it waits as well, but on a worker, where this test does not look.
    @Test(.enabled(if: !TestDatabases.usesCitus), arguments: [true, false])
    func waitsForAnotherWriterOfTheSameEvent(isCommitted: Bool) async throws {
        try await Base.with { base in
            let storing = try await base.pool.withConnection { other in
                try other.execute("begin")
                try other.execute(
                    "insert into event_key values ($1, '11111111-1111-4111-0000-000000000007', now())",
                    [.int(Int64(base.app.number))]
                )
                let events = (1...9).map { Base.event($0, user: "u") }
                let storing = Task.detached { try await base.store(events).duplicates }
                let waiting = "select count(*) from pg_locks where pg_backend_pid() = any (pg_blocking_pids(pid))"
                while try other.query(waiting)[0].int(0) == 0 {}
                try other.execute(isCommitted ? "commit" : "rollback")
                return storing
            }
            #expect(try await storing.value == (isCommitted ? 1 : 0))
            #expect(try await base.count("select count(*) from event") == (isCommitted ? 8 : 9))
            #expect(try await base.count("select count(*) from event_key") == 9)
        }
    }

    /// Stores groups without, with some, and with only events that were stored before, one after the other.
    @Test func countsRepetitionsAmongNewEvents() async throws {
        try await Base.with { base in
            for number in 0..<UInt64(60) {
                let isRepeating = number % 20 == 7 || number % 20 == 8
                let events = (0..<10).map { Base.event((isRepeating ? number - 5 : number) * 10 + $0, user: "u") }
                let duplicates = try await base.store(events).duplicates
                #expect(duplicates == (isRepeating ? 10 : 0))
            }
            #expect(try await base.count("select count(*) from event") == 540)
            #expect(try await base.count("select count(*) from event_key") == 540)
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

    /// Decoding rejects such an event. If one passed anyway, the other events of its group must still be stored.
    @Test func bisectsDownToAnEventThatPostgreSQLRefuses() async throws {
        try await Base.with { base in
            var events = (0..<50).map { Base.event(UInt64($0), user: "u") }
            events[17].properties = "no JSON"
            events[31].userID = "nul\u{0}"
            let receipt = try await base.store(events)
            #expect(receipt == WriteReceipt(duplicates: 0, refused: [17, 31]))
            #expect(try await base.count("select count(*) from event") == 48)
            #expect(try await base.texts("select code from rejected_event") == ["refused", "refused"])
        }
    }

    /// Enough clean groups are stored that the writer inserts optimistically again. Then an event was stored before.
    @Test func bisectsPastAnEventThatWasStored() async throws {
        try await Base.with { base in
            var events = (0..<200).map { Base.event(UInt64($0), user: "u") }
            let refused = [0, 20, 40, 60, 80]
            for place in refused { events[place].properties = "no JSON" }
            try await base.store([events[199]])
            let receipt = try await base.store(events)
            #expect(receipt == WriteReceipt(duplicates: 1, refused: refused))
            #expect(try await base.count("select count(*) from event") == 195)
        }
    }

    @Test func refusesAfterItsEnd() async throws {
        try await Base.with { base in
            base.writer.close()
            await #expect(throws: EventWriterError.self) { try await base.store([Base.event(1, user: "u")]) }
        }
    }

    /// Stores groups at the same time that share events, posts, devices and clicks.
    @Test func storesOnceInTransactionsAtTheSameTime() async throws {
        try await Base.with { base in
            var limits = WriterLimits()
            limits.transactions = 3
            limits.groupedEvents = 60
            let writer = EventWriter(pool: base.pool, limits: limits, logger: Logger(label: "test"))
            let events = (0..<600).map { number in
                let post = FeedPost(outcome: .posted, postID: "p\(number % 200)")
                let content: Event.Content = number % 3 == 0 ? .feedPost(post) : .authentication()
                return Base.event(UInt64(number), user: "u\(number % 7)", device: "d\(number % 50)", content)
            }
            let duplicates = try await writer.whileRunning {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for start in Array(stride(from: 0, to: 600, by: 20)) + Array(stride(from: 0, to: 580, by: 20)) {
                        group.addTask {
                            try await writer.store(
                                .init(
                                    appNumber: base.app.number,
                                    keyPrefix: "",
                                    receivedAt: Base.noon,
                                    events: Array(events[start..<start + 20])
                                )
                            ).duplicates
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
            #expect(try await base.count("select count(*) from event where type = 'authentication'") == 400)
            #expect(try await base.count("select count(*) from event where type = 'feed_post'") == 200)
            #expect(try await base.count("select count(*) from event_key") == 600)
            #expect(duplicates == 580)
            #expect(try await base.count("select count(*) from device_link") == 50)
        }
    }

    /// Two apps may use the same ids, also in one group.
    @Test func separatesAppsInAGroup() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            _ = try await store.create(AppProfile(id: "other", name: "Other"))
            let other = try await store.app(id: "other")
            try await base.store([Base.event(2, user: "u")])
            let events = (1...3).map { Base.event($0, user: "u", device: "d") }
            let receipts = try await base.writer.store(
                contentsOf: [other.number, base.app.number].map { app in
                    Submission(appNumber: app, keyPrefix: "", receivedAt: Base.noon, events: events)
                }
            )
            #expect(receipts.map(\.duplicates) == [0, 1])
            #expect(try await base.count("select count(*) from event") == 6)
            #expect(try await base.count("select count(*) from device_link") == 2)
        }
    }

    /// Swift treats the two as equal.
    @Test func tellsTwoSpellingsOfALetterApart() async throws {
        try await Base.with { base in
            try await base.store([
                Base.event(1, user: "one", device: "\u{E9}"), Base.event(2, user: "two", device: "e\u{301}"),
            ])
            #expect(try await base.texts("select user_id from device_link order by user_id") == ["one", "two"])
        }
    }

    @Test func keepsTheEarliestLinkOfAGroup() async throws {
        try await Base.with { base in
            try await base.store([
                Base.event(3, at: Base.noon.advanced(by: .seconds(2)), user: "late", device: "d"),
                Base.event(2, user: "second", device: "d"),
                Base.event(1, user: "first", device: "d"),
                Base.event(4, at: Base.noon.advanced(by: .seconds(1)), user: "third", device: "d"),
            ])
            #expect(try await base.texts("select user_id from device_link") == ["first"])
            try await base.store([
                Base.event(5, at: Base.noon.advanced(by: .seconds(-1)), user: "zeroth", device: "d")
            ])
            #expect(try await base.texts("select user_id from device_link") == ["zeroth"])
        }
    }
}
