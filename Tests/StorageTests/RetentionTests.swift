import Events
import Time
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Testing
import InboundLinks

@Suite("Retention")
struct RetentionTests {
    typealias Base = StorageTesting

    private static let policy = RetentionPolicy(events: Base.day * 90, rejectedEvents: Base.day * 30)

    private static func at(_ days: Int) -> Timestamp { Base.noon.advanced(by: Base.day * days) }

    private static func post(_ number: UInt64, _ days: Int) -> Event {
        Base.event(
            number,
            at: at(days),
            user: "u",
            .feedPost(FeedPost(outcome: .posted, postID: "post\(number)", refs: []))
        )
    }

    private func run(
        _ base: StorageTesting,
        _ policy: RetentionPolicy = policy,
        app: App? = nil,
        now: Timestamp = Base.noon
    ) async throws -> DeletionReceipt? {
        try await RetentionStore(pool: base.pool, packed: NothingPacked()).run(
            policy,
            app: app,
            isThorough: true,
            now: now
        )
    }

    private func months(_ base: StorageTesting) async throws -> [String] {
        try await base.texts("select relname::text from pg_class where relispartition and relkind = 'r' order by 1")
    }

    /// The month that a cluster makes ahead.
    private static let ahead = TestDatabases.usesCitus ? ["event_2026_04"] : []

    /// noon is 2026-03-15; 90 days before it is 2025-12-15.
    @Test func dropsMonthsAndDeletesTheRest() async throws {
        try await Base.with { base in
            try await base.store(
                [-200, -150, -91, -89, -10].enumerated().map { Self.post(UInt64($0.offset), $0.element) }
            )
            #expect(
                try await months(base)
                    == ["event_2025_08", "event_2025_10", "event_2025_12", "event_2026_03"] + Self.ahead
            )
            let plan = try await RetentionStore(pool: base.pool, packed: NothingPacked()).plan(
                Self.policy,
                app: nil,
                now: Base.noon
            )
            #expect(plan.months == ["event_2025_08", "event_2025_10"])
            #expect(plan.counts["event"] == 3)
            let receipt = try #require(try await run(base))
            #expect(receipt.kind == .retention)
            #expect(receipt.counts["event"] == 3)
            #expect(receipt.counts["feed_post_key"] == 3)
            #expect(try await months(base) == ["event_2025_12", "event_2026_03"] + Self.ahead)
            #expect(try await base.texts("select post_id from event order by 1") == ["post3", "post4"])
            #expect(try await base.texts("select post_id from feed_post_key order by 1") == ["post3", "post4"])
            // A second run has nothing to do, and leaves no receipt.
            #expect(try await run(base) == nil)
            #expect(try await base.count("select count(*) from deletion_receipt") == 1)
        }
    }

    /// Posts whose ids redaction has made equal have one key.
    @Test func keepsTheKeyOfANewerPostWithTheSameID() async throws {
        try await Base.with { base in
            try await base.store([Self.post(1, -150), Self.post(2, -91), Self.post(3, -10)])
            try await base.run(
                """
                delete from feed_post_key where post_id <> 'post3';
                update event set post_id = 'post3'
                """
            )
            #expect(try await run(base)?.counts["event"] == 2)
            #expect(try await base.texts("select post_id from feed_post_key") == ["post3"])
        }
    }

    /// A deleted question can be restored for 30 days; others have no age.
    @Test func removesQuestionsThatWereDeletedLongAgo() async throws {
        try await Base.with { base in
            _ = try await AppStore(pool: base.pool).create(AppProfile(id: "other", name: "Other"))
            try await base.run(
                """
                insert into question (app_number, name, report, parameter_names, parameter_values, deleted_at)
                select app_number, coalesce('q' || days, 'live'), 'refs', '{}', '{}',
                    timestamptz '\(Base.noon.rfc3339)' - make_interval(days => days)
                from app, unnest(array[null, 29, 31, 400]) as days
                """
            )
            let store = RetentionStore(pool: base.pool, packed: NothingPacked())
            #expect(try await store.plan(Self.policy, app: nil, now: Base.noon).counts["question"] == 4)
            #expect(try await run(base, app: base.app)?.counts["question"] == 2)
            #expect(try await run(base)?.counts["question"] == 2)
            let left = try await base.texts("select distinct name from question order by 1")
            #expect(left == ["live", "q29"])
        }
    }

    /// Also those that were given up, which nobody sends again.
    @Test func removesMessagesOfWebhooksWithTheirEvents() async throws {
        try await Base.with { base in
            try await base.run(
                """
                insert into webhook_delivery (
                    app_number, webhook_id, number, message_id, event_id, occurred_at, body, mentioned, dead_at
                )
                select app_number, 'wh_1', days, '', gen_random_uuid(),
                    timestamptz '\(Base.noon.rfc3339)' - make_interval(days => days), '{"a":1}', '{ualice}', now()
                from app, unnest(array[1, 89, 91, 400]) as days
                """
            )
            try await base.store([Base.event(1, user: "alice")])
            let counts = try await base.people().export(of: PersonKey(.user, "alice"), in: base.app) { line in
                #expect(!line.contains("webhook_message") || line.hasSuffix(#""is_given_up":true,"message":{"a":1}}"#))
            }
            #expect(counts["webhook_message"] == 4)
            #expect(try await run(base)?.counts["webhook_delivery"] == 2)
            #expect(try await base.count("select max(number) from webhook_delivery") == 89)
        }
    }

    @Test func ofOneAppLeavesTheOthers() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            _ = try await store.create(AppProfile(id: "other", name: "Other"))
            let other = try await store.app(id: "other")
            try await base.store([Self.post(1, -200), Self.post(2, -1)])
            var submission = base.submission([Self.post(1, -200)])
            submission.appNumber = other.number
            _ = try await base.writer.store(submission)
            let receipt = try #require(try await run(base, app: base.app))
            #expect(receipt.appID == "shop")
            #expect(receipt.counts["event"] == 1)
            #expect(try await base.count("select count(*) from event where app_number = \(other.number)") == 1)
        }
    }

    /// An event that is delivered later than this is rejected as too old.
    @Test func keepsHashesOfErasedKeysAsLongAsAnEventCouldBeStored() {
        #expect(RetentionPolicy(events: Base.day * 90).erasures == Base.day * 400 + .seconds(3_600))
        #expect(RetentionPolicy(events: Base.day * 500).erasures == Base.day * 500 + .seconds(3_600))
        #expect(RetentionPolicy(events: nil).erasures == nil)
    }

    @Test func forgetsPeopleWhoHaveNoEventsLeft() async throws {
        try await Base.with { base in
            try await base.store([
                // People without later events: all their links go.
                Base.event(1, at: Self.at(-200), user: "gone", device: "d1", click: "c1"),
                Base.event(2, at: Self.at(-200), device: "d2", click: "c2"),
                Base.event(3, at: Self.at(-200), device: "d1", click: "c3"),
                // Links that stay: because of the user, of the device alone, of the click alone.
                Base.event(4, at: Self.at(-200), user: "a", device: "d4"), Base.event(5, user: "a"),
                Base.event(6, at: Self.at(-200), user: "b", device: "d6"), Base.event(7, device: "d6"),
                Base.event(8, at: Self.at(-200), device: "d8", click: "c8"), Base.event(9, click: "c8"),
                Base.event(10, at: Self.at(-200), user: "e", device: "d10"),
                Base.event(11, at: Self.at(-200), device: "d10", click: "c11"), Base.event(12, click: "c11"),
            ])
            let receipt = try #require(try await run(base))
            #expect(receipt.counts["device_link"] == 1)
            #expect(receipt.counts["click_link"] == 3)
            let links = ["cc11 is dd10", "cc8 is dd8", "dd10 is ue", "dd4 is ua", "dd6 is ub"]
            #expect(try await base.links() == links)
        }
    }

    /// A device's owner has no events left, and another person used it later. It then belongs to the other person.
    @Test func saysWhomSharedDevicesStandForThen() async throws {
        try await Base.with { base in
            try await base.store([
                Base.event(1, at: Self.at(-200), user: "gone", device: "tablet", click: "c1"),
                Base.event(2, at: Self.at(-2), user: "bob", device: "tablet"),
                Base.event(3, at: Self.at(-1), user: "carol", device: "tablet"),
                Base.event(4, at: Self.at(-2), device: "d4", click: "c1"),
                Base.event(5, at: Self.at(-1), user: "carol", click: "c1"),
            ])
            #expect(try await base.links() == ["cc1 is ugone", "dtablet is ugone"])
            try await base.pool.passHorizon()
            _ = try await run(base)
            #expect(try await base.links() == ["cc1 is dd4", "dtablet is ubob"])
        }
    }

    @Test func removesDeadLettersAndErasures() async throws {
        try await Base.with { base in
            for days in [-31, -29] {
                _ = try await base.writer.store(
                    base.submission([], receivedAt: Self.at(days), rejections: [Base.rejection("{}")])
                )
            }
            _ = try await base.people().erase(PersonKey(.user, "u"), in: base.app)
            let receipt = try #require(try await run(base))
            #expect(receipt.counts["rejected_event"] == 1)
            #expect(try await base.count("select count(*) from erasure") == 1)
            let late = try #require(try await run(base, now: Timestamp.now.advanced(by: Base.day * 401)))
            #expect(late.counts["erasure"] == 1)
            #expect(late.counts["rejected_event"] == 1)
        }
    }

    @Test func keepsWhatItIsToldToKeep() async throws {
        try await Base.with { base in
            try await base.store([Self.post(1, -2_000)], rejections: [Base.rejection("{}")])
            let policy = RetentionPolicy(events: nil, rejectedEvents: nil)
            // What the log of changes keeps, no setting says.
            let receipt = try #require(try await run(base, policy, now: Self.at(10_000)))
            #expect(receipt.counts.values.map(\.name) == ["change_log"])
            #expect(try await base.count("select count(*) from event") == 1)
        }
    }

    /// A writer stores an event while the links of people without events are removed. It has seen the link and adds
    /// none. The program is killed before it restores that link.
    @Test func saysAnewWhatItHasLeftUnsaid() async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, at: Self.at(-200), user: "ann", device: "d1")])
            let storing = try await base.storing(user: "ann", device: "d1")
            let own = try PostgresPool(address: base.pool.address, size: 1, options: TestDatabases.options)
            let session = try await own.withConnection { try $0.query("select pg_backend_pid()")[0].int(0) }
            let killed = Task {
                _ = try await RetentionStore(pool: own, packed: NothingPacked())
                    .run(Self.policy, app: base.app, isThorough: true, now: Base.noon)
            }
            while try await base.links() != [] { await Task.yield() }
            _ = try await base.count("select pg_terminate_backend(\(session))::integer")
            await #expect(throws: PostgresError.self) { try await killed.value }
            await own.close()
            try await storing.executeScript("commit")
            await storing.close()
            #expect(try await LinkCheck.run(base.app, on: base.pool) == LinkCheck(devices: 1, clicks: 0))
            _ = try await run(base)
            #expect(try await base.links() == ["dd1 is uann"])
            #expect(try await base.count("select count(*) from link_removal") == 0)
        }
    }

    // MARK: - At the same time as others

    /// A report that is reading until it commits, however long that takes.
    private func readForLong(_ base: Base) async throws -> PostgresConnection {
        let options = PostgresOptions(idleInTransactionTimeout: nil)
        let report = try await PostgresConnection.connect(to: base.database.address, options: options)
        try await report.executeScript("begin; select count(*) from event")
        return report
    }

    /// A long report delays the dropping of a month. Neither delays writers: of that month, of other months, and of a
    /// month without a partition.
    @Test(.disabled(if: TestDatabases.usesCitus, "Citus detaches no month concurrently"))
    func letsEventsBeStoredMeanwhile() async throws {
        try await Base.with { base in
            try await base.store([Self.post(1, -200), Self.post(2, -100)])
            let report = try await readForLong(base)
            async let receipt = run(base)
            // Retention has begun to detach the month, and waits for the report.
            while try await base.count("select count(*) from pg_inherits where inhdetachpending") == 0 {
                await Task.yield()
            }
            for number in 10..<20 {
                #expect(try await base.store([Self.post(UInt64(number), Int(number) - 40)]).duplicates == 0)
            }
            // An event that comes too late for its month is not lost, and does not keep others waiting.
            #expect(try await base.store([Self.post(30, -200), Self.post(31, -1)]).refused == [0])
            #expect(try await base.count("select count(*) from rejected_event") == 1)
            try await report.executeScript("commit")
            #expect(try #require(try await receipt).counts["event"] == 2)
            #expect(try await base.count("select count(*) from event") == 11)
            #expect(try await base.store([Self.post(30, -200)]).duplicates == 0)
            await report.close()
        }
    }

    @Test(.disabled(if: TestDatabases.usesCitus, "Citus detaches no month concurrently"))
    func goesOnWhereItWasBrokenOff() async throws {
        try await Base.with { base in
            try await base.store([Self.post(1, -200), Self.post(2, -150), Self.post(3, -1)])
            // Interrupted between detaching and dropping, and in the middle of detaching.
            try await base.pool.withConnection { connection in
                _ = try connection.execute("alter table event detach partition event_2025_08")
            }
            let report = try await readForLong(base)
            let detaching = try await PostgresConnection.connect(
                to: base.database.address,
                options: PostgresOptions()
            )
            let process = try await detaching.run { try $0.query("select pg_backend_pid()")[0].int(0) }
            async let refused = #expect(throws: PostgresError.self) {
                try await detaching.execute("alter table event detach partition event_2025_10 concurrently")
            }
            // It has noted what it does, and waits for the report.
            try await base.pool.lockWaits()
            try await base.run("select pg_cancel_backend(\(process))")
            _ = await refused
            await detaching.close()
            try await report.executeScript("commit")
            await report.close()
            #expect(try await base.count("select count(*) from pg_inherits where inhdetachpending") == 1)
            let receipt = try #require(try await run(base))
            #expect(receipt.counts["event"] == 2)
            #expect(receipt.counts["feed_post_key"] == 2)
            #expect(
                try await base.count("select count(*) from pg_class where relname like 'event\\_20%' and relkind = 'r'")
                    == 1
            )
        }
    }

    /// On a cluster, a month is detached with a lock. A long report keeps it from that, and no writer from storing.
    @Test(.enabled(if: TestDatabases.usesCitus)) func givesUpWhileAReportReads() async throws {
        try await Base.with { base in
            try await base.store([Self.post(1, -200), Self.post(2, -150), Self.post(3, -1)])
            try await base.run("alter table event detach partition event_2025_08")
            let report = try await readForLong(base)
            async let refused = #expect(throws: PostgresError.self) { try await run(base) }
            try await base.pool.lockWaits()
            for number in 10..<20 as Range<UInt64> {
                #expect(try await base.store([Self.post(number, Int(number) - 40)]).duplicates == 0)
            }
            #expect(await refused?.isStatementTimeout == true)
            try await report.executeScript("commit")
            await report.close()
            let receipt = try #require(try await run(base))
            #expect(receipt.counts["event"] == 1)
            #expect(try await base.count("select count(*) from event") == 11)
            #expect(try await base.count("select count(*) from pg_class where relname = 'event_2025_08'") == 0)
        }
    }

    @Test func isDoneByOneAtATime() async throws {
        try await Base.with { base in
            let other = try await PostgresConnection.connect(to: base.database.address)
            try await other.executeScript("select pg_advisory_lock(hashtextextended('tributary retention', 0))")
            await #expect(throws: RetentionError.isRunning) { try await run(base) }
            await other.close()
        }
    }
}
