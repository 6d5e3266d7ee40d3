import Events
import InboundLinks
@testable import Reporting
import Testing

/// The orders, limits and groups of a funnel, one by one, with hand-written events. Times are in seconds.
@Suite("Funnel options")
struct FunnelOptionTests {
    private typealias E = OracleEvents

    private static let hour = 3600.0
    private static let day = 86_400.0
    private static let touch = Event.Content.inboundLink(E.touch())

    private func people(
        _ events: [(Double, Event.Content)],
        _ parameters: KeyValuePairs<String, String>
    ) throws -> [String] {
        let events = events.enumerated().map { E.event(UInt64($0), at: $1.0, user: "u", $1.1) }
        return try Asking.rows("funnel", parameters, of: events).map { $0[3] }
    }

    /// The table of examples in docs/reports.md: A is a link, B an authentication, C a conversion, X a post.
    @Test(
        arguments: [
            ("A0 B1 C2", 3, 3, 3, 3, 3), ("A0 X1 B2 C3", 3, 1, 3, 3, 1), ("A0 B1 B5 C6", 3, 2, 3, 3, 3),
            ("A0 B1 X1 C1", 3, 3, 3, 3, 3), ("B0 C1 A2", 1, 1, 3, 1, 1),
        ] as [(String, Int, Int, Int, Int, Int)]
    )
    func readsTheExamples(
        text: String,
        sequential: Int,
        strict: Int,
        any: Int,
        limited: Int,
        excluding: Int
    ) throws {
        let contents: [Character: Event.Content] = [
            "A": Self.touch, "B": .authentication(), "C": E.conversion(), "X": E.post(),
        ]
        let events = try text.split(separator: " ").map { word in
            let letter = try #require(word.first)
            let hours = try #require(Double(word.dropFirst()))
            return (hours * Self.hour, try #require(contents[letter]))
        }
        func level(_ parameters: KeyValuePairs<String, String>) throws -> Int {
            try people(events, parameters).count { $0 == "1" }
        }
        #expect(try level([:]) == sequential)
        #expect(try level(["order": "strict"]) == strict)
        #expect(try level(["order": "any"]) == any)
        #expect(try level(["step-window": "2:1h"]) == limited)
        #expect(try level(["exclude": "feed_post"]) == excluding)
    }

    @Test func countsTheLimitOfAStepFromThatStep() throws {
        let events: [(Double, Event.Content)] = [(0, Self.touch), (100, .authentication()), (130, E.conversion())]
        #expect(try people(events, ["step-window": "1:100s,2:30s"]) == ["1", "1", "1"])
        #expect(try people(events, ["step-window": "1:99s,2:30s"]) == ["1", "0", "0"])
        #expect(try people(events, ["step-window": "1:100s,2:29s"]) == ["1", "1", "0"])
    }

    @Test func countsReinstallsAndPostsAsOtherEvents() throws {
        let steps: KeyValuePairs = ["steps": "inbound_link,conversion", "order": "strict"]
        let reinstalled: [(Double, Event.Content)] = [
            (-Self.day, E.install), (0, Self.touch), (1, E.install), (2, E.conversion()),
        ]
        #expect(try people(reinstalled, steps) == ["1", "0"])
        let tested: [(Double, Event.Content)] = [
            (0, Self.touch), (1, .inboundLink(E.touch(test: true))), (2, E.conversion()),
        ]
        #expect(try people(tested, steps) == ["1", "1"])
    }

    @Test func cutsAtWhatIsExcludedAndStartsAgainAfterIt() throws {
        let parameters: KeyValuePairs = [
            "exclude": "conversion:refund", "steps": "touch,authentication,conversion:buy",
        ]
        let cut: [(Double, Event.Content)] = [
            (0, Self.touch), (1, .authentication()), (2, E.conversion("refund")), (3, E.conversion()),
        ]
        #expect(try people(cut, parameters) == ["1", "1", "0"])
        let again: [(Double, Event.Content)] = cut + [(4, Self.touch), (5, .authentication()), (6, E.conversion())]
        #expect(try people(again, parameters) == ["1", "1", "1"])
    }

    @Test func excludesTheFirstStepItself() throws {
        // From the last touch before the conversion only.
        let parameters: KeyValuePairs = [
            "exclude": "inbound_link", "steps": "inbound_link,conversion", "times": "true",
        ]
        let events: [(Double, Event.Content)] = [(0, Self.touch), (50, Self.touch), (60, E.conversion())]
        let numbered = events.enumerated().map { E.event(UInt64($0), at: $1.0, user: "u", $1.1) }
        #expect(try Asking.rows("funnel", parameters, of: numbered)[0][5] == "10")
    }

    @Test func letsAnyOfSeveralEventsServeAStep() throws {
        let parameters: KeyValuePairs = ["steps": "touch,install|authentication,conversion:a|conversion:b"]
        #expect(try people([(0, Self.touch), (1, E.install), (2, E.conversion("b"))], parameters) == ["1", "1", "1"])
        #expect(
            try people([(0, Self.touch), (1, .authentication()), (2, E.conversion("c"))], parameters) == [
                "1", "1", "0",
            ]
        )
        // An authenticated link also serves the next step as an `authentication`, but not a third one.
        let link: [(Double, Event.Content)] = [(0, .inboundLink(E.touch(authenticated: true)))]
        #expect(try people(link, ["steps": "touch,install|authentication"]) == ["1", "1"])
        #expect(
            try people(link, ["steps": "touch,install|authentication,feed_post|authentication"]) == ["1", "1", "0"]
        )
    }

    @Test func letsEventsOfOneInstantServeStepsThatOverlap() throws {
        // All three steps can be served only if the click serves the last one.
        let events: [(Double, Event.Content)] = [
            (5, .linkClick(E.touch())), (5, Self.touch), (5, .authentication()),
        ]
        let steps = "authentication|touch,inbound_link|link_click,link_click"
        #expect(try people(events, ["steps": steps]) == ["1", "1", "1"])
        #expect(try people(events, ["steps": steps, "order": "strict"]) == ["1", "1", "1"])
        #expect(try people(events, ["steps": steps, "order": "any"]) == ["1", "1", "1"])
    }

    @Test func countsStepsInAnyOrder() throws {
        let events: [(Double, Event.Content)] = [(0, E.conversion()), (50, .authentication()), (100, Self.touch)]
        #expect(try people(events, ["order": "any"]) == ["1", "1", "1"])
        #expect(try people(events, ["order": "any", "window": "99s"]) == ["1", "1", "0"])
        let numbered = events.enumerated().map { E.event(UInt64($0), at: $1.0, user: "u", $1.1) }
        let rows = try Asking.rows("funnel", ["order": "any"], of: numbered)
        #expect(rows.map { $0[2] } == ["1 of 3", "2 of 3", "3 of 3"])
        #expect(rows.map { $0[10] } == ["0", "50", "100"])
        // One link is both a link and an authentication.
        #expect(try people([(0, .inboundLink(E.touch(authenticated: true)))], ["order": "any"]) == ["1", "1", "0"])
        #expect(
            try people([(0, .linkClick(E.touch())), (1, .linkClick(E.touch()))], ["order": "any"]) == ["0", "0", "0"]
        )
    }

    @Test(
        arguments: [
            (30.0, "1", "1", "1"), (31.0, "1", "0", "1"), (60.0, "1", "0", "1"), (61.0, "0", "0", "0"),
        ] as [(Double, String, String, String)]
    )
    func isOpenWhileTheNextStepCanCome(now: Double, plain: String, limited: String, any: String) throws {
        let events = [E.event(1, at: 0, user: "u", Self.touch)]
        func open(_ parameters: KeyValuePairs<String, String>) throws -> String {
            let request = try ReportRequest.parse(
                name: "funnel",
                parameters: [
                    ("from", "2026-01-04"), ("to", "2026-01-06"), ("steps", "inbound_link,conversion"),
                    ("window", "60s"),
                ] + parameters.map { ($0.key, $0.value) },
                origin: .http,
                app: Asking.app(),
                now: E.time(now)
            )
            return try Asking.rows(request, of: events)[1][4]
        }
        #expect(try open([:]) == plain)
        #expect(try open(["step-window": "1:30s"]) == limited)
        #expect(try open(["order": "any"]) == any)
    }

    @Test func isNotOpenOnceTheChainIsCut() throws {
        let events = [E.event(1, at: 0, user: "u", Self.touch), E.event(2, at: 10, user: "u", E.post())]
        func open(_ name: String, _ value: String, now: Double) throws -> String {
            let request = try Asking.request(
                "funnel",
                ["from": "2026-01-04", "to": "2026-01-06", "steps": "inbound_link,conversion", name: value],
                now: E.time(now)
            )
            return try Asking.rows(request, of: events)[1][4]
        }
        #expect(try open("order", "sequential", now: 20) == "1")
        #expect(try open("order", "strict", now: 20) == "0")
        #expect(try open("order", "strict", now: 10) == "1")
        #expect(try open("exclude", "feed_post", now: 20) == "0")
        #expect(try open("exclude", "feed_post", now: 10) == "1")
    }

    @Test func groupsByPairs() throws {
        func link(_ number: UInt64, _ user: String, _ channel: Channel, _ refs: [String]) -> Event {
            E.event(number, at: Double(number), user: user, .inboundLink(E.touch(channel, refs: refs)))
        }
        let events = [
            link(1, "a", .storyLinks, ["winter", "gift"]), link(2, "b", .storyLinks, ["winter"]),
            link(3, "c", .search, []), link(4, "d", .search, ["gift"]), link(5, "e", .storyLinks, []),
            link(6, "f", .storyLinks, []), link(7, "g", .storyLinks, []),
        ]
        func groups(_ by: String) throws -> [String] {
            try Asking.rows("funnel", ["by": by], of: events).filter { $0[1] == "1" }.map { "\($0[0]): \($0[3])" }
        }
        #expect(
            try groups("channel,ref") == [
                "search / gift: 1", "search / (none): 1", "story_links / winter: 2", "story_links / gift: 1",
                "story_links / (none): 3", "total: 7",
            ]
        )
        #expect(
            try groups("ref,channel") == [
                "winter / story_links: 2", "gift / search: 1", "gift / story_links: 1", "(none) / story_links: 3",
                "(none) / search: 1", "total: 7",
            ]
        )
    }

    @Test func staysQuickForOneWithThousandsOfEvents() throws {
        let contents: [Event.Content] = [
            Self.touch, .linkClick(E.touch()), .inboundLink(E.touch(authenticated: true)), .authentication(),
            E.conversion("a"), E.post(), E.conversion("b"),
        ]
        let events = (0..<7000).map { number in
            // Many instants, each with many events.
            E.event(UInt64(number), at: Double(number / 50), user: "u", contents[number % contents.count])
        }
        let stored = MemoryEvents(events)
        let steps =
            "touch|authentication,link_click|touch,inbound_link,authentication|conversion,conversion:a,conversion:b,feed_post,install"
        for parameters: KeyValuePairs in [
            ["steps": steps], ["steps": steps, "order": "strict"], ["steps": steps, "order": "any"],
            ["steps": steps, "step-window": "1:1s,2:1s,3:5s"], ["steps": steps, "exclude": "conversion:c"],
        ] {
            #expect(try Asking.rows("funnel", parameters, of: stored).map { $0[3] }.suffix(2) == ["1", "0"])
        }
    }
}
