import Events
import InboundLinks
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
@testable import Timelines

/// A click on a short link and the opens of the app that name it are one touch.
@Suite("Clicks and opens")
struct ClickJoinTests {
    private typealias E = OracleEvents

    private static func click(at seconds: Double, link: String? = "go.example/a") -> Event {
        var touch = E.touch(.other, refs: ["gift"])
        touch.shortLink = link
        return E.event(1, at: seconds, click: id, .linkClick(touch))
    }

    private static let id = EventID(high: 0, low: 1).description

    private static func open(
        _ number: UInt64,
        at seconds: Double,
        _ channel: Channel = .search,
        click: String = id,
        refs: [String] = []
    ) -> Event {
        E.event(number, at: seconds, device: "phone", click: click, .inboundLink(E.touch(channel, refs: refs)))
    }

    /// `touches` of `other`, `search` and in total.
    private func touches(of events: [Event]) throws -> String {
        let rows = try Asking.rows("channels", of: events)
        return ["other", "search", "total"].map { name in rows.first { $0[0] == name }?[1] ?? "" }
            .joined(separator: " ")
    }

    @Test(
        arguments: [
            (0.0, "0 1 1"), (60, "0 1 1"), (604_800, "0 1 1"), (604_800.000001, "1 1 2"), (-3_600, "0 1 1"),
            (-3_600.000001, "1 1 2"),
        ] as [(Double, String)]
    )
    func areOneTouchIfTheyLieCloseTogether(distance: Double, touches: String) throws {
        #expect(try self.touches(of: [Self.click(at: 9_000), Self.open(2, at: 9_000 + distance)]) == touches)
    }

    @Test func areTwoTouchesWithoutAShortLinkOrWithAnotherClick() throws {
        #expect(try touches(of: [Self.click(at: 0, link: nil), Self.open(2, at: 60)]) == "1 1 2")
        let other = EventID(high: 0, low: 9).description
        #expect(try touches(of: [Self.click(at: 0), Self.open(2, at: 60, click: other)]) == "1 1 2")
    }

    @Test func countSeveralOpensOnce() throws {
        let opens = [
            Self.open(3, at: 60, .search), Self.open(2, at: 120, .bookmarks), Self.open(4, at: 60, .bookmarks),
        ]
        #expect(try touches(of: opens + [Self.click(at: 0)]) == "0 1 1")
    }

    @Test func haveTheTimeOfTheClickAndTheRefsOfTheOpen() throws {
        let events = [Self.click(at: 10), Self.open(2, at: 86_400)]
        let days = try Asking.rows("funnel", ["steps": "touch,install", "by": "day"], of: events)
        #expect(days[0][0] == "2026-01-05")
        func refs(_ events: [Event]) throws -> [String] {
            try Asking.rows("refs", of: events).filter { $0[7] == "1" }.map { $0[0] }
        }
        #expect(try refs(events) == ["gift", "total"])
        #expect(try refs([Self.click(at: 10), Self.open(2, at: 60, refs: ["own"])]) == ["own", "total"])
        #expect(try Asking.rows("links", of: events)[0][0...4] == ["go.example/a", "go.example", "", "1", "1"])
    }

    /// A place in the app says of itself no channel, so the click's counts; whatever the open says wins.
    @Test(arguments: [(Channel.unattributed, "1 0 1"), (.search, "0 1 1"), (.other, "1 0 1")])
    func haveTheChannelOfTheClickIfTheOpenHasNone(channel: Channel, touches: String) throws {
        let events = [Self.click(at: 0), Self.open(2, at: 60, channel)]
        #expect(try self.touches(of: events) == touches)
        let rows = try Asking.rows("breakdown", ["by": "channel", "where": "channel=unattributed"], of: events)
        #expect(rows.last?[1] == "0")
    }

    /// The app calls its place something else than the website.
    @Test func haveThePageOfTheClick() throws {
        var clicked = E.touch(.other)
        clicked.shortLink = "go.example/a"
        clicked.link.targetURL = "https://www.shop.example/soup?x=1"
        var opened = E.touch(.other)
        opened.link.targetURL = "shop://soup?click_id=\(Self.id)"
        let events = [
            E.event(1, at: 10, click: Self.id, .linkClick(clicked)),
            E.event(2, at: 60, device: "phone", click: Self.id, .inboundLink(opened)),
            E.event(3, at: 70, device: "phone", E.install),
            // An open of its own.
            E.event(4, at: 80, device: "other", .inboundLink(opened)),
        ]
        let rows = try Asking.rows("breakdown", ["by": "page"], of: events)
        #expect(
            rows.map { [$0[0], $0[1]] } == [
                ["shop.example/soup", "1"], ["soup", "1"], ["direct", "0"], ["total", "2"],
            ]
        )
        let kept = try Asking.rows("installs", ["by": "page", "where": "page=shop.example/*"], of: events)
        #expect(kept.prefix(2).map { $0[3] } == ["1", "1"])
    }

    @Test(arguments: [
        ("link_click,inbound_link", "1 0"), ("inbound_link,link_click", "1 0"), ("inbound_link,install", "1 1"),
        ("link_click,install", "1 1"), ("touch,install", "1 1"),
    ])
    func serveOneStepOfAFunnel(steps: String, people: String) throws {
        let events = [Self.click(at: 10), Self.open(2, at: 60), E.event(3, at: 70, device: "phone", E.install)]
        let rows = try Asking.rows("funnel", ["steps": steps], of: events)
        #expect(rows.map { $0[3] }.joined(separator: " ") == people)
    }

    /// The touch is at the click, so a report of the day of the open does not count it, and one of the day of the click
    /// knows the open. Packed or not.
    @Test func areFoundBeyondTheRange() async throws {
        try await FigureTesting.with { testing in
            let (app, database) = (try await testing.makeApp("app"), testing.database)
            let events = [Self.open(2, at: 3.5 * E.day), Self.click(at: 10)]
            for event in events { try await testing.store([event], of: app) }
            for packs in [false, true] {
                if packs { try await TimelinePacker(app: app, pool: database.pool).rebuild() }
                for (day, touches) in [("2026-01-05", "1"), ("2026-01-08", "0")] {
                    let request = try Asking.request(
                        "channels",
                        [
                            "from": day, "to": String(day.dropLast()) + (day.hasSuffix("5") ? "6" : "9"),
                            "lookback": "1s",
                        ],
                        app: app
                    )
                    let rows = try await ReportRunner.run(request, on: database.pool).table.rows
                    let search = rows.first { $0[0] == .text("search") }
                    #expect(search?[1].plainText == touches, "\(day), packed: \(packs)")
                    #expect(rows.last?[1].plainText == touches)
                }
            }
        }
    }
}
