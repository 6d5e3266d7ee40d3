import Dispatch
import Events
import Time
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Synchronization
import Testing
import InboundLinks

@Suite("A person's deletion")
struct PersonErasureTests {
    typealias Base = StorageTesting

    private final class Held<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private static func post(_ number: UInt64, id: String, user: String) -> Event {
        Base.event(number, user: user, .feedPost(FeedPost(outcome: .posted, postID: id, refs: ["a"])))
    }

    /// alice has two devices, two clicks and an anonymous history. bob uses one of her devices.
    private static let history = [
        Base.event(1, user: "alice", device: "phone"),
        Base.event(2, at: Base.noon.advanced(by: .seconds(-60)), device: "phone"),
        Base.event(3, at: Base.noon.advanced(by: Base.day), user: "alice", device: "tablet"),
        Base.event(4, device: "tablet", click: "tap"),
        Base.event(5, click: "tap"),
        Base.event(6, user: "alice", click: "mail"),
        Base.event(7, at: Base.noon.advanced(by: Base.day * 40), click: "mail"),
        post(8, id: "100_1", user: "alice"),
        Base.event(9, at: Base.noon.advanced(by: Base.day * 2), user: "bob", device: "tablet", click: "mail"),
        Base.event(10, user: "bob"),
        post(11, id: "200_1", user: "bob"),
    ]

    private static let letters = [
        Base.rejection(#"{"type":"conversion","user_id":"alice"}"#),
        Base.rejection(#"{"type":"conversion","user_id":"nil","device_id":"phone"}"#),
        Base.rejection(#"{"type":"conversion","user_id":"bob","device_id":"tablet"}"#),
    ]

    @Test(arguments: [PersonKey(.user, "alice"), PersonKey(.device, "tablet"), PersonKey(.click, "tap")])
    func findsAllByAnyKey(key: PersonKey) async throws {
        try await Base.with { base in
            try await base.store(Self.history, rejections: Self.letters)
            let summary = try await base.people().summary(of: key, in: base.app)
            #expect(summary.person.ids(.user) == ["alice"])
            #expect(summary.person.ids(.device) == ["phone", "tablet"])
            #expect(summary.person.ids(.click) == ["mail", "tap"])
            #expect(summary.events.map(\.id.low) == [2, 1, 4, 5, 6, 8, 3, 7])
            #expect(summary.rejectedEvents == 2)
        }
    }

    @Test func takesAllAndLeavesTheOthers() async throws {
        try await Base.with { base in
            try await base.store(Self.history, rejections: Self.letters)
            let receipt = try #require(try await base.people().erase(PersonKey(.user, "alice"), in: base.app))
            #expect(receipt.kind == .person)
            #expect(receipt.counts["event"] == 8)
            #expect(receipt.counts["feed_post_key"] == 1)
            #expect(receipt.counts["device_link"] == 2)
            #expect(receipt.counts["click_link"] == 2)
            #expect(receipt.counts["rejected_event"] == 2)
            // The rest is as if alice had never existed: her tablet is bob's now.
            #expect(try await base.texts("select event_id::text from event").count == 3)
            #expect(try await base.links() == ["cmail is ubob", "dtablet is ubob"])
            #expect(try await base.texts("select post_id from feed_post_key") == ["200_1"])
            let dump = try await base.dump()
            for id in ["alice", "phone", "tap", "100_1"] { #expect(!dump.contains(id), "\(id) is left") }
            #expect(dump.contains("tablet"))
            #expect(
                try await DeletionReceiptStore(pool: base.pool).list(appID: "shop", limit: 5).map(\.id) == [receipt.id]
            )
        }
    }

    private static let entries: [(subject: String, fields: ChangeLog.Fields, isNamed: Bool)] = [
        ("weekly", [("parameters", .list(["from=7d", "where=poster=alice"]))], true),
        ("of a line", [("text", .string("Refunded:\nalice"))], true),
        ("in quotes", [("text", .string(#"It was "tap", said “bob”"#))], true),
        ("by the text of a key", [("parameters", .list(["person=ualice"]))], true),
        ("in an id", [("text", .string("100_alice"))], true),
        ("poster alice", [("amount", .string("12"))], true),
        ("alice", [], true),
        ("of others", [("text", .string("alice2 malice alices phones maildrop tablet2"))], false),
        ("the name of a field", [("phone", .string("pink"))], false),
        ("go.example/spring", [("ref", .list(["spring"]))], false),
    ]

    @Test func takesTheIDsOutOfTheLogOfChanges() async throws {
        try await Base.with { base in
            let apps = AppStore(pool: base.pool)
            _ = try await apps.create(AppProfile(id: "other", name: "Other"))
            let other = try await apps.app(id: "other")
            try await base.store(Self.history)
            try await base.pool.withConnection { connection in
                for (subject, fields, _) in Self.entries {
                    try connection.log(.saveQuestion, subject, in: base.app.number, to: fields)
                    try connection.log(.saveQuestion, subject, in: base.app.number, from: fields)
                    try connection.log(.saveQuestion, subject, in: other.number, to: fields)
                }
            }
            let log = ChangeLog(pool: base.pool)
            let others = try await log.changes(of: other, limit: 100)
            let before = try await log.changes(of: base.app, limit: 100)
            let receipt = try #require(try await base.people().erase(PersonKey(.user, "alice"), in: base.app))
            #expect(receipt.counts["change_log"] == Self.entries.filter(\.isNamed).count * 2)
            #expect(try await log.changes(of: other, limit: 100) == others)
            let after = try await log.changes(of: base.app, limit: 100)
            #expect(after.first?.what == "person.delete" && after.count == before.count + 1)
            for (change, former) in zip(after.dropFirst(), before) {
                var expected = former
                if let entry = Self.entries.first(where: { $0.subject == former.subject }), entry.isNamed {
                    expected.before = nil
                    expected.after = nil
                    if entry.subject.hasSuffix("alice") { expected.subject = "(deleted)" }
                }
                #expect(change == expected)
            }
            #expect(try await base.people().erase(PersonKey(.user, "alice"), in: base.app) == nil)
        }
    }

    /// A person may have more ids than the log is searched for one by one.
    @Test func takesManyIDsOutOfTheLogOfChanges() async throws {
        try await Base.with { base in
            try await base.store((1...150).map { Base.event($0, user: "alice", device: "device-\($0)") })
            try await base.pool.withConnection { connection in
                for number in [1, 149, 151] {
                    let text = InspectionValue.string("of device-\(number), a tablet")
                    try connection.log(.addNote, "\(number)", in: base.app.number, to: [("text", text)])
                }
            }
            _ = try #require(try await base.people().erase(PersonKey(.user, "alice"), in: base.app))
            let changes = try await ChangeLog(pool: base.pool).changes(of: base.app, limit: 4)
            #expect(changes.map(\.what) == ["person.delete", "note.add", "note.add", "note.add"])
            #expect(changes.map { $0.after == nil } == [true, false, true, true])
        }
    }

    @Test func keepsARetryAway() async throws {
        try await Base.with { base in
            try await base.store(Self.history)
            _ = try await base.people().erase(PersonKey(.user, "alice"), in: base.app)
            let retry = base.submission(Self.history, receivedAt: .now.advanced(by: .seconds(60)))
            #expect(try await base.writer.store(retry).duplicates == Self.history.count)
            #expect(try await base.count("select count(*) from event") == 3)
        }
    }

    @Test func leavesANewPersonWithTheSameIDs() async throws {
        try await Base.with { base in
            try await base.store(Self.history)
            _ = try await base.people().erase(PersonKey(.user, "alice"), in: base.app)
            let later = base.submission(
                [Base.event(20, user: "alice", device: "phone"), Base.event(21, device: "phone")],
                receivedAt: .now.advanced(by: .seconds(60))
            )
            #expect(try await base.writer.store(later) == WriteReceipt())
            let summary = try await base.people().summary(of: PersonKey(.device, "phone"), in: base.app)
            #expect(summary.events.map(\.id.low) == [20, 21])
            #expect(summary.person.ids(.click).isEmpty)
        }
    }

    /// An event that was in another daemon's spool, or in flight.
    @Test func dropsWhatWasReceivedBefore() async throws {
        try await Base.with { base in
            try await base.store(Self.history)
            _ = try await base.people().erase(PersonKey(.user, "alice"), in: base.app)
            let spooled = base.submission(
                [
                    Base.event(30, user: "alice"), Base.event(31, device: "phone"), Base.event(32, click: "tap"),
                    Self.post(33, id: "100_2", user: "alice"), Base.event(34, user: "bob", device: "phone"),
                ],
                receivedAt: Base.past,
                rejections: Self.letters
            )
            let counts = CountingFactory()
            let writer = EventWriter(pool: base.pool, logger: Logger(label: "test"), metricsFactory: counts)
            let receipt = try await writer.whileRunning { try await writer.store(spooled) }
            #expect(receipt == WriteReceipt(duplicates: 0, erased: 4, refused: []))
            #expect(counts[StoreMetrics.Name.erased] == 4)
            #expect(counts[StoreMetrics.Name.events] == 1)
            #expect(try await base.texts("select event from rejected_event").count == 1)
            let dump = try await base.dump()
            for id in ["alice", "tap", "100_2"] { #expect(!dump.contains(id), "\(id) is back") }
            // A retry of a dropped event is not stored either.
            let retry = base.submission(
                [Base.event(30, user: "alice")],
                receivedAt: .now.advanced(by: .seconds(60))
            )
            #expect(try await base.writer.store(retry).duplicates == 1)
        }
    }

    @Test func hashesKeysAsTheDatabaseDoes() async throws {
        try await Base.with { base in
            for key in [PersonKey(.user, "é\u{301}x"), PersonKey(.device, ""), PersonKey(.click, "日本")] {
                let stored = try await base.pool.withConnection { connection in
                    try connection.query("select person_key_hash($1)", [.text(key.text)])[0].bytes(0)
                }
                #expect(stored == key.digest)
            }
        }
    }

    /// Ids that are equal as Swift strings but differ in their bytes belong to two people.
    @Test func tellsSpellingsApart() async throws {
        try await Base.with { base in
            try await base.store([
                Base.event(1, user: "\u{E9}", device: "one"), Base.event(2, user: "e\u{301}", device: "two"),
            ])
            let receipt = try #require(try await base.people().erase(PersonKey(.user, "\u{E9}"), in: base.app))
            #expect(receipt.counts["event"] == 1)
            #expect(try await base.links() == ["dtwo is ue\u{301}"])
        }
    }

    @Test func ofNobodyHasNoReceipt() async throws {
        try await Base.with { base in
            let receipt = try await base.people().erase(PersonKey(.user, "stranger"), in: base.app)
            #expect(receipt == nil)
            #expect(try await base.count("select count(*) from deletion_receipt") == 0)
            // It bars events that may still come from a spool on another machine.
            #expect(try await base.count("select count(*) from erasure") == 1)
        }
    }

    @Test func concernsOneAppOnly() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            _ = try await store.create(AppProfile(id: "other", name: "Other"))
            let other = try await store.app(id: "other")
            try await base.store([Base.event(1, user: "alice", device: "phone")])
            var submission = base.submission([Base.event(1, user: "alice", device: "phone")])
            submission.appNumber = other.number
            _ = try await base.writer.store(submission)
            let receipt = try #require(try await base.people().erase(PersonKey(.device, "phone"), in: base.app))
            #expect(receipt.counts["event"] == 1)
            #expect(try await base.people().summary(of: PersonKey(.user, "alice"), in: other).events.count == 1)
        }
    }

    // MARK: - Races

    /// A transaction that has stored an event of the person commits only after the deletion has begun.
    @Test func waitsForWhatIsBeingStored() async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, user: "alice", device: "phone")])
            let storing = try await base.storing(user: "alice", device: "phone")
            async let receipt = base.people().erase(PersonKey(.user, "alice"), in: base.app)
            // The deletion has barred the person, and waits.
            while try await base.count("select count(*) from erasure") == 0 { await Task.yield() }
            try await storing.executeScript("commit")
            #expect(try await receipt?.counts["event"] == 2)
            #expect(try await base.count("select count(*) from event") == 0)
            await storing.close()
        }
    }

    /// Another person's link to a shared device arrives while the device's old link is being replaced.
    @Test func losesNoLinkThatComesInMeanwhile() async throws {
        try await Base.with { base in
            for round in 0..<10 {
                let (alice, bob) = ("alice\(round)", "bob\(round)")
                let number = UInt64(round * 100)
                try await base.store([Base.event(number, user: alice, device: "shared\(round)")])
                async let receipt = base.people().erase(PersonKey(.user, alice), in: base.app)
                for step in 1...20 {
                    let event = Base.event(
                        number + UInt64(step),
                        at: Base.noon.advanced(by: .seconds(step)),
                        user: bob,
                        device: "shared\(round)"
                    )
                    _ = try await base.writer.store(base.submission([event], receivedAt: .now))
                }
                _ = try await receipt
                #expect(try await base.links().contains("dshared\(round) is u\(bob)"))
            }
        }
    }

    /// The same, but the program is killed before it restores that link, and is run again.
    @Test func saysAnewWhatItHasLeftUnsaid() async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, user: "alice", device: "shared")])
            let own = try PostgresPool(address: base.pool.address, size: 1, options: TestDatabases.options)
            let session = try await own.withConnection { try $0.query("select pg_backend_pid()")[0].int(0) }
            let storing = Held<PostgresConnection>()
            let killed = Task {
                let people = try await PersonStore(
                    pool: own,
                    spools: SpoolFolder(path: "/nonexistent", of: own),
                    packed: NothingPacked()
                )
                _ = try await people.erase(PersonKey(.user, "alice"), in: base.app) { progress in
                    guard progress.stage == "deleting" else { return }
                    Self.blocking {
                        let connection = try await base.storing(user: "bob", device: "shared")
                        storing.value.withLock { $0 = connection }
                    }
                }
            }
            while try await base.links() != [] { await Task.yield() }
            _ = try await base.count("select pg_terminate_backend(\(session))::integer")
            await #expect(throws: PostgresError.self) { try await killed.value }
            await own.close()
            let connection = try #require(storing.value.withLock { $0 })
            try await connection.executeScript("commit")
            await connection.close()
            #expect(try await LinkCheck.run(base.app, on: base.pool) == LinkCheck(devices: 1, clicks: 0))
            _ = try await base.people().erase(PersonKey(.user, "alice"), in: base.app)
            #expect(try await base.links() == ["dshared is ubob"])
            #expect(try await base.count("select count(*) from link_removal") == 0)
        }
    }

    /// Two people who share a device are deleted at the same time. Neither is the device's owner afterwards.
    @Test func namesNobodyWhoIsDeletedMeanwhile() async throws {
        try await Base.with { base in
            try await base.store([
                Base.event(1, user: "alice", device: "shared"),
                Base.event(2, at: Base.noon.advanced(by: .seconds(1)), user: "bob", device: "shared"),
            ])
            let bob = Held<Task<Void, any Error>>()
            _ = try await base.people().erase(PersonKey(.user, "alice"), in: base.app) { progress in
                guard progress.stage == "deleting" else { return }
                let isDone = Held<Bool>()
                let task = Task {
                    defer { isDone.value.withLock { $0 = true } }
                    _ = try await base.people().erase(PersonKey(.user, "bob"), in: base.app)
                }
                bob.value.withLock { $0 = task }
                Self.blocking { try await base.pool.lockWaits(or: { isDone.value.withLock { $0 == true } }) }
            }
            try await bob.value.withLock { $0 }?.value
            #expect(try await base.links() == [])
        }
    }

    /// An unfinished removal of links is not finished with events of a person who is being deleted.
    @Test func isNotSaidAnewMeanwhile() async throws {
        try await Base.with { base in
            try await base.store([
                Base.event(1, user: "alice", device: "phone"), Base.event(2, user: "bob", device: "another"),
            ])
            let lock = try await PostgresConnection.connect(to: base.pool.address)
            let retention = Held<Task<Void, any Error>>()
            _ = try await base.people().erase(PersonKey(.user, "alice"), in: base.app) { progress in
                guard progress.stage == "deleting" else { return }
                Self.blocking {
                    try await base.run("insert into link_removal values (\(base.app.number), 1, 0)")
                    // Restoring all links waits at the first one.
                    try await lock.executeScript(
                        """
                        begin;
                        select from device_link where app_number = \(base.app.number) and device_id = 'another' for update
                        """
                    )
                    let task = Task {
                        _ = try await RetentionStore(pool: base.pool, packed: NothingPacked())
                            .run(RetentionPolicy(), app: base.app, isThorough: false, now: Base.noon)
                    }
                    retention.value.withLock { $0 = task }
                    try await base.pool.lockWaits()
                }
            }
            try await lock.executeScript("commit")
            await lock.close()
            try await retention.value.withLock { $0 }?.value
            #expect(try await base.links() == ["danother is ubob"])
        }
    }

    /// Runs work to its end.
    private static func blocking(_ body: @escaping @Sendable () async throws -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await #expect(throws: Never.self) { try await body() }
            done.signal()
        }
        done.wait()
    }

    /// Many writers store a person's events while the person is deleted. No event that was received before is left, and
    /// none that was received later is lost.
    @Test func winsAgainstWriters() async throws {
        try await Base.with { base in
            let second = EventWriter(pool: base.pool, logger: Logger(label: "test"))
            try await second.whileRunning {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for sender in 0..<6 {
                        group.addTask {
                            let writer = sender % 2 == 0 ? base.writer : second
                            for step in 0..<60 {
                                let event = Base.event(
                                    UInt64(sender * 1_000 + step),
                                    user: step % 3 == 0 ? nil : "alice",
                                    device: step % 2 == 0 ? "phone" : nil,
                                    click: "tap\(step % 5)"
                                )
                                let time = Timestamp.now.advanced(by: .milliseconds(step % 4 == 0 ? -500 : 0))
                                _ = try await writer.store(base.submission([event], receivedAt: time))
                            }
                        }
                    }
                    group.addTask {
                        while try await base.count("select count(*) from event") < 30 { await Task.yield() }
                        _ = try await base.people().erase(PersonKey(.user, "alice"), in: base.app)
                    }
                    try await group.waitForAll()
                }
            }
            let left = try await base.count(
                """
                select count(*) from event
                where received_at < (
                    select max(erased_at) from erasure where key_hash = person_key_hash('ualice')
                )
                and (user_id = 'alice' or (user_id is null and device_id = 'phone'))
                """
            )
            #expect(left == 0)
            #expect(try await base.count("select count(*) from event_key") == 360)
            // The links are those that the remaining events give.
            let links = try await base.links()
            _ = try await base.pool.withConnection { connection in
                try connection.executeScript("truncate device_link, click_link")
                try connection.execute(
                    StoredSQL.relinkPeople,
                    [.int(Int64(base.app.number)), .int(0), .null, .null, .int(1)]
                )
            }
            #expect(try await base.links() == links)
        }
    }
}
