import Events
import InboundLinks
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
@testable import Timelines

@Suite("Check of packed timelines")
struct TimelineCheckTests {
    private typealias E = OracleEvents

    /// These touches have the right refs, so nobody would notice until a post is added late, or deleted.
    @Test func findsTouchesWithAnotherStory() async throws {
        let events = [
            E.event(1, at: 0, user: "ann", E.post(refs: ["gift"], postID: "p", link: "a")),
            E.event(2, at: 60, user: "bob", .inboundLink(E.touch(storyLink: "a"))),
            E.event(3, at: 60, user: "eve", .inboundLink(E.touch(postID: "p"))),
            E.event(4, at: 60, user: "joe", .inboundLink(E.touch(refs: ["own"], postID: "p"))),
        ]
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.store(events, of: app)
            try await testing.pool.passHorizon()
            try await TimelinePacker(app: app, pool: testing.pool).rebuild()
            #expect(try await TimelineCheck.run(app, on: testing.pool)?.isSame == true)
            try await testing.pool.withConnection { connection in
                let count = try connection.execute(
                    """
                    update timeline_segment
                    set stories = decode(repeat('ab', length(stories)), 'hex')
                    where length(stories) > 0
                    """
                )
                #expect(count > 0)
            }
            #expect(try await TimelineCheck.run(app, on: testing.pool)?.isSame == false)
        }
    }
    /// Runs `body` with an app whose events are packed.
    private func withPacked(
        _ events: [Event],
        _ body: @Sendable (App, TimelinePacker, FigureTesting) async throws -> Void
    ) async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.store(events, of: app)
            try await testing.pool.passHorizon()
            let packer = TimelinePacker(app: app, pool: testing.pool)
            try await packer.rebuild()
            try await body(app, packer, testing)
        }
    }

    /// The result with usual limits, which must be the same without room for texts and links.
    private func check(_ app: App, _ testing: FigureTesting) async throws -> TimelineCheck {
        let check = try #require(try await TimelineCheck.run(app, on: testing.pool))
        #expect(try await TimelineCheck.run(app, on: testing.pool, textLimit: 0, linksAtOnce: 1) == check)
        return check
    }

    /// Many people, each with a text of their own, in two months.
    private static let many: [Event] = (0..<200).flatMap { number -> [Event] in
        let (id, at) = (UInt64(number) * 4, Double(number % 40) * E.day)
        var link = E.touch(refs: ["ref-\(number)"])
        link.link.targetURL = "https://shop.example/\(number)"
        return [
            E.event(id + 1, at: at, device: "device-\(number)", .inboundLink(link)),
            E.event(id + 2, at: at + 60, user: "user-\(number)", device: "device-\(number)", E.install),
            E.event(id + 3, at: at + 90, user: "user-\(number)", E.conversion("goal-\(number)", 1_000_000)),
        ]
    }

    /// One event of six hundred is another one than the packed one.
    @Test func findsEachFieldOfAnAlteredEvent() async throws {
        let touch = EventID(high: 0, low: 77 * 4 + 1)
        let conversion = EventID(high: 0, low: 77 * 4 + 3)
        let changes: [(EventID, String)] = [
            (touch, "target_url = 'https://shop.example/78'"),
            (touch, "refs = '{ref-78}'"),
            (touch, "refs = '{ref-77,ref-78}'"),
            (touch, "referer_app = 'app'"),
            (touch, "channel = 'search'"),
            (touch, "platform = 'ios'"),
            (touch, "authenticated = true"),
            (touch, "deferred = true"),
            (touch, "clicked_at = occurred_at"),
            (touch, "link_form = 'app_link'"),
            (touch, "paid = true"),
            (touch, "short_link = 'go.example/a'"),
            (touch, "post_id = 'p'"),
            (touch, "stated = 512"),
            (touch, "device_id = 'device-78'"),
            (touch, "occurred_at = occurred_at + interval '1 microsecond'"),
            (conversion, "goal = 'goal-78'"),
            (conversion, "value = 1.000001"),
            (conversion, "currency = 'EUR'"),
            (conversion, "user_id = 'user-78'"),
            (conversion, "user_id = 'nobody'"),
            (conversion, "test_traffic = true"),
        ]
        try await withPacked(Self.many) { app, packer, testing in
            #expect(try await check(app, testing).isSame)
            for (event, change) in changes {
                try await testing.pool.withConnection { connection in
                    try connection.executeScript("create table kept as select * from event where event_id = '\(event)'")
                    #expect(try connection.execute("update event set \(change) where event_id = '\(event)'") == 1)
                }
                let found = try await check(app, testing)
                #expect(!found.isSame, "\(change)")
                #expect(found.packedPeople == 200)
                #expect(found.months.count == 2)
                try await testing.pool.withConnection { connection in
                    try connection.executeScript(
                        """
                        delete from event where event_id = '\(event)';
                        insert into event select * from kept;
                        drop table kept
                        """
                    )
                }
                #expect(try await check(app, testing).isSame, "\(change)")
            }
        }
    }

    @Test func findsAMissingEvent() async throws {
        try await withPacked(Self.many) { app, packer, testing in
            // Stored long ago, and not in the packed timelines.
            try await testing.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    create table another as select * from event where event_id = '\(EventID(high: 0, low: 2))';
                    update another set event_id = '\(EventID(high: 9, low: 9))';
                    insert into event select * from another
                    """
                )
            }
            let found = try await check(app, testing)
            #expect(!found.isSame)
            #expect(!found.hasSamePeople)
            #expect(found.months.map(\.isSame) == [false, true])
            #expect(found.months.map { $0.events - $0.packedEvents } == [1, 0])
        }
    }

    @Test func findsADoubledEvent() async throws {
        try await withPacked(Self.many) { app, packer, testing in
            let last = E.event(5_000, at: 39 * E.day, user: "user-5", E.install)
            try await testing.store([last], of: app)
            try await testing.pool.passHorizon()
            try await packer.rebuild()
            // Its transaction counts as not packed, so it is also in the delta.
            try await testing.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    update timeline_state
                    set packed_through = (select transaction_number from event where event_id = '\(last.id)')
                    """
                )
            }
            let found = try await check(app, testing)
            #expect(!found.isSame)
            #expect(found.months.map(\.isSame) == [true, false])
            #expect(found.months.map { $0.events - $0.packedEvents } == [0, -1])
        }
    }

    /// The same events with the same texts, of which two people have exchanged one.
    @Test func findsEventsOfOtherPeople() async throws {
        try await withPacked(Self.many) { app, packer, testing in
            try await testing.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    update event
                    set user_id = case user_id when 'user-3' then 'user-4' else 'user-3' end
                    where user_id in ('user-3', 'user-4') and type = 'conversion'
                    """
                )
            }
            let found = try await check(app, testing)
            #expect(!found.isSame)
            #expect(!found.hasSamePeople)
            #expect(found.people == 200)
            #expect(found.packedPeople == 200)
            #expect(found.months.map(\.isSame) == [true, true])
        }
    }
}
