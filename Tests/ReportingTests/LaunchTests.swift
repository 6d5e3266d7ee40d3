import Events
import InboundLinks
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
@testable import Timelines

/// Opens that tell of one tap are one touch: docs/reports.md, *Words*.
@Suite("One tap told at each launch")
struct LaunchTests {
    private typealias E = OracleEvents

    private static func open(
        _ number: UInt64,
        at seconds: Double,
        _ channel: Channel = .search,
        tap: Double = 60,
        target: String = "shop://soup",
        device: String = "phone",
        stated: StatedFields = [],
        isInstall: Bool = false,
        click: String? = nil
    ) -> Event {
        var touch = E.touch(channel, deferred: true, clickedAt: tap)
        touch.link.targetURL = target
        touch.link.stated = stated
        return E.event(
            number,
            at: seconds,
            device: device,
            click: click,
            isInstall ? .install(Install(link: touch)) : .inboundLink(touch)
        )
    }

    /// The touches of `other`, `search` and `bookmarks`.
    private func touches(of events: [Event]) throws -> String {
        let rows = try Asking.rows("channels", of: events)
        return ["other", "search", "bookmarks"].map { name in rows.first { $0[0] == name }?[1] ?? "" }
            .joined(separator: " ")
    }

    @Test func countsTheEarliestOpen() throws {
        let opens = [
            Self.open(3, at: 200), Self.open(2, at: 100, .bookmarks), Self.open(1, at: 300), Self.open(4, at: 100),
        ]
        #expect(try touches(of: opens) == "0 0 1")
        #expect(try touches(of: opens.reversed()) == "0 0 1")
        #expect(try touches(of: [Self.open(1, at: 100, .other, isInstall: true), Self.open(2, at: 101)]) == "1 0 0")
    }

    @Test func needsTheSameTapTargetAndPerson() throws {
        #expect(try touches(of: [Self.open(1, at: 100), Self.open(2, at: 200, tap: 61)]) == "0 2 0")
        #expect(try touches(of: [Self.open(1, at: 100), Self.open(2, at: 200, target: "shop://stew")]) == "0 2 0")
        #expect(try touches(of: [Self.open(1, at: 100), Self.open(2, at: 200, device: "other")]) == "0 2 0")
        let user = E.event(9, at: 500, user: "u", device: "phone", .authentication())
        let other = E.event(8, at: 500, user: "u", device: "other", .authentication())
        let opens = [Self.open(1, at: 100), Self.open(2, at: 200, device: "other")]
        #expect(try touches(of: opens + [user, other]) == "0 1 0")
    }

    /// As the story join compares addresses.
    @Test(arguments: [
        ("shop://soup", "SHOP://Soup", "0 1 0"),
        ("https://shop.example/s%C3%BC", "https://Shop.example:443/s%c3%bc", "0 1 0"),
        ("https://shop.example", "https://shop.example/?fb_click_time_utc=60#top", "0 1 0"),
        ("https://shop.example/a", "https://shop.example/A", "0 2 0"), ("shop://soup", "shop://soup?x=1", "0 2 0"),
    ])
    func knowsATargetHoweverItIsSpelled(first: String, second: String, touches: String) async throws {
        let events = [Self.open(1, at: 100, target: first), Self.open(2, at: 200, target: second)]
        #expect(try self.touches(of: events) == touches)
        try await FigureTesting.with { testing in
            let (app, pool) = (try await testing.makeApp("app"), testing.database.pool)
            for event in events { try await testing.store([event], of: app) }
            for packs in [false, true] {
                if packs { try await TimelinePacker(app: app, pool: pool).rebuild() }
                let request = try Asking.request("channels", ["from": "2026-01-05", "to": "2026-01-06"], app: app)
                let rows = try await ReportRunner.run(request, on: pool).table.rows
                #expect(rows.last?[1].plainText == String(touches.split(separator: " ")[1]), "packed: \(packs)")
            }
        }
    }

    @Test func aTimeThatTheSenderStatedIsNoTap() throws {
        let opens = [Self.open(1, at: 100, stated: .clickedAt), Self.open(2, at: 200, stated: .clickedAt)]
        #expect(try touches(of: opens) == "0 2 0")
    }

    /// The tap of a wrong clock: the touch is at the open, and the opens are still one.
    @Test func aTapAfterItsOpenCountsAtTheOpen() throws {
        let opens = [Self.open(1, at: 100, tap: 20 * E.day), Self.open(2, at: 200, tap: 20 * E.day)]
        #expect(try touches(of: opens) == "0 1 0")
        // The open of before the range is the touch, also of a report that begins after it.
        let before = [Self.open(1, at: -100, tap: 50), Self.open(2, at: 100, tap: 50)]
        #expect(try touches(of: before) == "0 0 0")
    }

    @Test func namesTheClickThatAnyOpenNames() throws {
        var clicked = E.touch(.other, refs: ["gift"])
        clicked.shortLink = "go.example/a"
        let id = EventID(high: 0, low: 7).description
        let click = E.event(7, at: 30, click: id, .linkClick(clicked))
        let opens = [Self.open(1, at: 100), Self.open(2, at: 200, click: id)]
        #expect(try touches(of: [click] + opens) == "0 1 0")
    }
}
