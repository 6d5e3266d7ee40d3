import Events
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Testing
import Time

/// docs/events.md, *People*: the earliest event that carries both decides, for a click the earliest install before all
/// others, whatever the order of arrival.
@Suite("People")
struct PeopleTests {
    typealias Base = StorageTesting

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]])
    func theEarliestUserHasTheDevice(order: [Int]) async throws {
        let events = [
            Base.event(1, at: Base.noon.advanced(by: .seconds(10)), user: "late", device: "d"),
            Base.event(3, user: "twin", device: "d"),
            Base.event(2, user: "early", device: "d"),
        ]
        try await Base.with { base in
            for position in order { try await base.store([events[position]]) }
            #expect(try await base.texts("select user_id from device_link") == ["early"])
        }
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func aClickStandsForTheEarliestOwner(order: [Int]) async throws {
        let events = [
            Base.event(1, device: "d", click: "c"),
            Base.event(2, at: Base.noon.advanced(by: .seconds(1)), user: "u", click: "c"),
        ]
        try await Base.with { base in
            for position in order { try await base.store([events[position]]) }
            #expect(try await base.texts("select concat_ws('/', user_id, device_id) from click_link") == ["d"])
        }
    }

    /// Whoever opens a link that was passed on takes no click from its visitor: an install goes before all other
    /// events.
    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]])
    func aClickStandsForItsEarliestInstall(order: [Int]) async throws {
        let events = [
            Base.event(1, device: "friend", click: "c"),
            Base.event(2, at: Base.noon.advanced(by: .seconds(2)), device: "visitor", click: "c", .install(Install())),
            Base.event(3, at: Base.noon.advanced(by: .seconds(3)), device: "other", click: "c", .install(Install())),
            Base.event(4, at: Base.noon.advanced(by: .seconds(4)), user: "u", click: "c", .appOpen),
        ]
        try await withWriter { base, store in
            for position in order { try await store([events[position]]) }
            #expect(try await base.links() == ["cc is dvisitor"])
            #expect(try await LinkCheck.run(base.app, on: base.pool).isRight)
            _ = try await base.people().erase(PersonKey(.device, "visitor"), in: base.app)
            #expect(try await base.links() == ["cc is dother"])
            _ = try await base.people().erase(PersonKey(.device, "other"), in: base.app)
            #expect(try await base.links() == ["cc is dfriend"])
        }
    }

    /// Missing links, and a link of a later event, are found and corrected. Links of deleted events stay.
    @Test func areFoundAndMendedWhereEventsSayOtherwise() async throws {
        try await Base.with { base in
            try await base.store([
                Base.event(1, user: "gone", device: "kept", click: "c1"),
                Base.event(2, at: Base.noon.advanced(by: .seconds(1)), user: "late", device: "kept"),
                Base.event(3, user: "u", device: "d1"), Base.event(4, device: "d2", click: "c2"),
                Base.event(5, user: "early", device: "d3"),
                Base.event(6, at: Base.noon.advanced(by: .seconds(1)), user: "late", device: "d3"),
                Base.event(7, device: "d4"), Base.event(8, click: "c3"),
            ])
            let links = try await base.links()
            #expect(try await LinkCheck.repair(base.app, on: base.pool).isRight)
            try await base.run(
                """
                delete from event where user_id = 'gone';
                delete from device_link where device_id = 'd1';
                delete from click_link where click_id = 'c2';
                update device_link set user_id = 'late', occurred_at = '\(Base.noon.advanced(by: .seconds(1)).rfc3339)'
                where device_id = 'd3'
                """
            )
            let found = LinkCheck(devices: 2, clicks: 1)
            #expect(try await LinkCheck.run(base.app, on: base.pool) == found)
            #expect(try await LinkCheck.repair(base.app, on: base.pool) == found)
            #expect(try await LinkCheck.run(base.app, on: base.pool).isRight)
            #expect(try await base.links() == links)
            try await base.run("delete from click_link where click_id = 'c2'")
            #expect(try await LinkCheck.repair(base.app, on: base.pool) == LinkCheck(devices: 0, clicks: 1))
            #expect(try await base.links() == links)
        }
    }

    /// A writer with one session, whose link cache lasts from one group to the next.
    private func withWriter(
        _ body: @Sendable (StorageTesting, (_ events: [Event]) async throws -> Void) async throws -> Void
    ) async throws {
        try await Base.with { base in
            let pool = try PostgresPool(address: base.pool.address, size: 1, options: TestDatabases.options)
            let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                try await body(base) { events in
                    _ = try await writer.store(
                        Submission(
                            appNumber: base.app.number,
                            keyPrefix: "trib_w_test",
                            receivedAt: Base.noon,
                            events: events
                        )
                    )
                }
            }
            await pool.close()
        }
    }

    private func later(_ number: UInt64, _ user: String, device: String? = nil, click: String? = nil) -> Event {
        Base.event(number, at: Base.noon.advanced(by: .seconds(Int(number))), user: user, device: device, click: click)
    }

    /// A link that a later event cannot change is not read again. The test changes it directly, so that a second
    /// reading would show.
    @Test func aKnownLinkIsNotLookedUpAgain() async throws {
        try await withWriter { base, store in
            try await store([later(1, "u", device: "d", click: "c")])
            for table in ["device_link", "click_link"] {
                try await base.run("update \(table) set occurred_at = '2030-01-01'")
            }
            try await store([later(2, "v", device: "d"), later(3, "w", click: "c")])
            #expect(try await base.texts("select user_id from device_link") == ["u"])
            #expect(try await base.texts("select user_id from click_link") == ["u"])
        }
    }

    /// Of two events at the same time, the one with the smaller id is the earlier.
    @Test func theIDDecidesAtTheTimeOfAKnownLink() async throws {
        try await withWriter { base, store in
            try await store([Base.event(5, user: "u", device: "d")])
            try await base.run("update device_link set event_id = 'ffffffff-ffff-4fff-bfff-ffffffffffff'")
            try await store([Base.event(6, user: "v", device: "d")])
            #expect(try await base.texts("select user_id from device_link") == ["u"])
            try await store([Base.event(4, user: "early", device: "d")])
            #expect(try await base.texts("select user_id from device_link") == ["early"])
        }
    }

    @Test func anEarlierEventChangesAKnownLink() async throws {
        try await withWriter { base, store in
            try await store([later(5, "u", device: "d")])
            try await store([later(6, "v", device: "d")])
            try await store([later(4, "early", device: "d")])
            #expect(try await base.texts("select user_id from device_link") == ["early"])
        }
    }

    /// By a trigger. A distributed table has none; there the program counts its removals itself.
    @Test(
        .disabled(if: TestDatabases.usesCitus),
        arguments: [
            "delete from device_link", "truncate device_link", "delete from device_link where device_id = 'd'",
        ]
    )
    func aRemovedLinkIsForgotten(removal: String) async throws {
        try await withWriter { base, store in
            try await store([later(1, "u", device: "d")])
            try await store([later(2, "v", device: "d")])
            try await base.run(removal)
            try await store([later(3, "w", device: "d")])
            #expect(try await base.texts("select user_id from device_link") == ["w"])
        }
    }

    /// The rolled-back transaction has inserted no link, so the cache must not have it.
    @Test(.disabled(if: TestDatabases.usesCitus, "a distributed table has no triggers"))
    func whatWasRolledBackIsNotRemembered() async throws {
        try await withWriter { base, store in
            try await base.run(
                """
                create function refuse() returns trigger language plpgsql
                    as $$ begin raise exception 'not now' using errcode = '40001'; end $$;
                create constraint trigger refuse after insert on device_link deferrable initially deferred
                    for each row execute function refuse()
                """
            )
            await #expect(throws: EventWriterError.self) { try await store([later(1, "u", device: "d")]) }
            try await base.run("drop trigger refuse on device_link")
            try await store([later(2, "v", device: "d")])
            #expect(try await base.texts("select user_id from device_link") == ["v"])
        }
    }

    @Test func aRepeatedEventLinksNobody() async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, user: "u", device: "d")])
            try await base.store([Base.event(1, user: "v", device: "e")])
            #expect(try await base.texts("select device_id from device_link") == ["d"])
        }
    }
}
