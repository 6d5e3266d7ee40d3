import Events
import InboundLinks
@testable import Reporting
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
