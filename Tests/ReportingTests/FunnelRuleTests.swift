import Events
import InboundLinks
@testable import Reporting
import Testing
import Time

/// The rules of a funnel, one by one, with hand-written events. Times are in seconds.
@Suite("Funnel rules")
struct FunnelRuleTests {
    private typealias E = OracleEvents

    private static let touch = Event.Content.inboundLink(E.touch())

    private func rows(_ events: [Event], _ parameters: KeyValuePairs<String, String>) throws -> [[String]] {
        try Asking.rows("funnel", parameters, of: events)
    }

    /// `people` of the steps in total.
    private func people(_ events: [(Double, Event.Content)], steps: String, window: String = "7d") throws -> [String] {
        let events = events.enumerated().map { E.event(UInt64($0), at: $1.0, user: "u", $1.1) }
        return try rows(events, ["steps": steps, "window": window]).map { $0[3] }
    }

    @Test func startsAgainWithEveryTouch() throws {
        let events: [(Double, Event.Content)] = [(0, Self.touch), (500, Self.touch), (550, E.conversion())]
        #expect(try people(events, steps: "inbound_link,conversion", window: "60s") == ["1", "1"])
    }

    @Test func startsInTheRangeAndEndsAfterIt() throws {
        let end = 10 * E.day
        let steps = "inbound_link,conversion"
        #expect(try people([(end - 1, Self.touch), (end + 5, E.conversion())], steps: steps) == ["1", "1"])
        #expect(try people([(end, Self.touch), (end + 5, E.conversion())], steps: steps) == ["0", "0"])
        #expect(try people([(-0.000001, Self.touch), (5, E.conversion())], steps: steps) == ["0", "0"])
        #expect(try people([(0, Self.touch), (5, E.conversion())], steps: steps) == ["1", "1"])
    }

    @Test func takesEventsOfOneInstantInAnyOrder() throws {
        let events: [(Double, Event.Content)] = [(5, E.conversion()), (5, .authentication()), (5, Self.touch)]
        #expect(try people(events, steps: "inbound_link,authentication,conversion") == ["1", "1", "1"])
        #expect(try people(events, steps: "conversion,authentication") == ["1", "1"])
    }

    @Test(arguments: LoginOutcome.allCases)
    func onlyAGrantedLoginAuthenticates(_ outcome: LoginOutcome) throws {
        let events: [(Double, Event.Content)] = [
            (0, Self.touch), (5, .authentication(Login(outcome: outcome))), (9, E.conversion()),
        ]
        let reached = outcome == .granted ? "1" : "0"
        #expect(try people(events, steps: "inbound_link,authentication,conversion") == ["1", reached, reached])
        #expect(try people(events, steps: "inbound_link,conversion") == ["1", "1"])
    }

    @Test func usesAnEventOnce() throws {
        #expect(try people([(0, .linkClick(E.touch()))], steps: "touch,link_click") == ["1", "0"])
        let twice: [(Double, Event.Content)] = [(0, .linkClick(E.touch())), (1, .linkClick(E.touch()))]
        #expect(try people(twice, steps: "touch,link_click") == ["1", "1"])
        #expect(try people([(0, E.conversion("a"))], steps: "conversion,conversion:a") == ["1", "0"])
    }

    @Test func servesAStepThatComesAgainByTheNextSuchEvent() throws {
        let once: [(Double, Event.Content)] = [(0, Self.touch), (9, E.conversion())]
        #expect(try people(once, steps: "touch,touch,conversion") == ["1", "0", "0"])
        #expect(try people([(5, Self.touch)] + once, steps: "touch,touch,conversion") == ["1", "1", "1"])
        // The second tap may be at the instant of the first, but not after the conversion.
        #expect(try people([(0, Self.touch)] + once, steps: "touch,touch,conversion") == ["1", "1", "1"])
        #expect(try people(once + [(10, Self.touch)], steps: "touch,conversion,touch") == ["1", "1", "1"])
        #expect(try people(once + [(10, Self.touch)], steps: "touch,touch,conversion") == ["1", "1", "0"])
        let bought: [(Double, Event.Content)] = [(0, E.conversion("premium")), (5, E.conversion("premium"))]
        let twice = "conversion:premium,conversion:premium"
        #expect(try people(bought, steps: twice) == ["1", "1"])
        #expect(try people(bought, steps: twice, window: "4s") == ["1", "0"])
        #expect(try people(bought, steps: twice + ",conversion") == ["1", "1", "0"])
        let events = bought.enumerated().map { E.event(UInt64($0), at: $1.0, user: "u", $1.1) }
        #expect(try rows(events, ["steps": twice, "order": "any"]).map { $0[3] } == ["1", "1"])
        #expect(try rows(events, ["steps": twice + ",conversion", "order": "any"]).map { $0[3] } == ["1", "1", "0"])
        #expect(try rows(events, ["steps": twice, "exclude": "touch"]).map { $0[3] } == ["1", "1"])
    }

    @Test func authenticatesByALinkOnceAmongTwoAuthentications() throws {
        let link: [(Double, Event.Content)] = [(0, .inboundLink(E.touch(authenticated: true)))]
        let steps = "touch,authentication,authentication"
        #expect(try people(link, steps: steps) == ["1", "1", "0"])
        #expect(try people(link + [(5, .authentication())], steps: steps) == ["1", "1", "1"])
    }

    @Test(arguments: LoginOutcome.allCases, PostOutcome.allCases)
    func readsOutcomesIfAStepNamesThem(_ login: LoginOutcome, _ post: PostOutcome) throws {
        let events: [(Double, Event.Content)] = [
            (0, Self.touch), (5, .authentication(Login(outcome: login))), (9, E.post(post)),
        ]
        func reached(_ step: String) throws -> Bool { try people(events, steps: "touch,\(step)") == ["1", "1"] }
        #expect(try reached("authentication[outcome=\(login.rawValue)]"))
        #expect(try reached("authentication[outcome!=\(login.rawValue)]") == false)
        #expect(try reached("authentication[outcome=failed,denied]") == [.failed, .denied].contains(login))
        #expect(try reached("feed_post[outcome=\(post.rawValue)]"))
        #expect(try reached("feed_post[outcome=posted]") == (post == .posted))
        #expect(try reached("feed_post"))
        // What is cut by a failure alone.
        let excluded = try rows(
            events.enumerated().map { E.event(UInt64($0), at: $1.0, user: "u", $1.1) },
            ["steps": "touch,feed_post", "exclude": "authentication[outcome=failed]"]
        )
        #expect(excluded.map { $0[3] } == ["1", login == .failed ? "0" : "1"])
    }

    /// `paid` is what `paying_people` counts: a value above 0 in the app's currency.
    @Test(
        arguments: [
            (E.conversion("buy", 1), "paid"), (E.conversion("buy", 0), "free"), (E.conversion("buy"), "free"),
            (E.conversion("buy", -1), "refunded"), (E.conversion("buy", 5, "EUR"), "(none)"),
            (E.conversion("buy", 0, "EUR"), "free"),
        ] as [(Event.Content, String)]
    )
    func tellsWhatWasPaid(_ conversion: Event.Content, _ outcome: String) throws {
        func reached(_ step: String) throws -> Bool {
            try people([(0, Self.touch), (5, conversion)], steps: "touch,\(step)") == ["1", "1"]
        }
        for other in ["paid", "free", "refunded", "(none)"] {
            #expect(try reached("conversion[outcome=\(other)]") == (other == outcome))
            #expect(try reached("conversion:buy[outcome!=\(other)]") == (other != outcome))
        }
        #expect(try reached("conversion"))
        #expect(try reached("conversion:gift[outcome=\(outcome)]") == false)
    }

    @Test func takesAnAuthenticatedLinkForGranted() throws {
        let link: [(Double, Event.Content)] = [(0, .inboundLink(E.touch(authenticated: true)))]
        #expect(try people(link, steps: "touch,authentication[outcome=granted]") == ["1", "1"])
        #expect(try people(link, steps: "touch,authentication[outcome=failed]") == ["1", "0"])
    }

    @Test func triesEveryChoiceAmongEventsOfOneInstant() throws {
        // If the plain link served the touch, nothing would be left for the click.
        let events: [(Double, Event.Content)] = [
            (0, .authentication()), (5, .linkClick(E.touch())), (5, .inboundLink(E.touch())),
        ]
        #expect(try people(events, steps: "authentication,touch,inbound_link") == ["1", "1", "1"])
        #expect(try people(events, steps: "authentication,touch,link_click") == ["1", "1", "1"])
        // For the last step, "a" must leave the second one to "b", which must leave the third one to "c".
        let goals = ["a", "b", "c", "d"].map { (5.0, E.conversion($0)) }
        let steps = [["a", "b"], ["b", "c"], ["c", "d"], ["a"]].map { names in
            names.map { "conversion:\($0)" }.joined(separator: "|")
        }
        #expect(
            try people([(0, Self.touch)] + goals, steps: "touch," + steps.joined(separator: ","))
                == ["1", "1", "1", "1", "1"]
        )
    }

    @Test func ignoresReinstalls() throws {
        let events: [(Double, Event.Content)] = [(-E.day, E.install), (5, Self.touch), (10, E.install)]
        #expect(try people(events, steps: "inbound_link,install") == ["1", "0"])
    }

    @Test func takesTheSmallestTimeOfAnyStartAndTheMeanOfTheMiddleTwo() throws {
        let events = [
            E.event(1, at: 0, user: "a", Self.touch), E.event(2, at: 90, user: "a", Self.touch),
            E.event(3, at: 100, user: "a", E.conversion()),
            E.event(4, at: 0, user: "b", Self.touch), E.event(5, at: 25, user: "b", E.conversion()),
        ]
        #expect(try rows(events, ["steps": "inbound_link,conversion"]).map { $0[10] } == ["0", "17.5"])
    }

    @Test func leavesOutTimesThatNobodyKnows() throws {
        let told = E.touch(deferred: true, clickedAt: 40)
        let untold = E.touch(deferred: true)
        let events = [
            // A tap at 40, and one of which nobody knows when it was.
            E.event(1, at: 100, user: "a", E.install), E.event(2, at: 110, user: "a", .inboundLink(told)),
            E.event(3, at: 100, user: "b", E.install), E.event(4, at: 110, user: "b", .inboundLink(untold)),
            E.event(5, at: 130, user: "b", E.conversion()),
            // A link that came with its install.
            E.event(6, at: 100, user: "c", .install(Install(link: untold))),
            // One tap of a person is known.
            E.event(7, at: 10, user: "d", .linkClick(E.touch())), E.event(8, at: 90, user: "d", E.install),
            E.event(9, at: 95, user: "d", .inboundLink(untold)),
            // Nobody knows its tap, but it is an open at this instant.
            E.event(10, at: 500, user: "e", E.conversion()), E.event(11, at: 600, user: "e", .inboundLink(untold)),
        ]
        func figures(_ report: String, _ parameters: KeyValuePairs<String, String>) throws -> [[String]] {
            try Asking.rows(report, parameters, of: events).map {
                [$0[3]] + (report == "installs" ? $0.dropLast() : $0[...]).suffix(2)
            }
        }
        #expect(try figures("installs", [:]).prefix(2) == [["5", "0", "0"], ["4", "70", "2"]])
        // The times: 60 s of a, 80 s of d.
        let times = try Asking.rows("installs", ["times": "true", "window": "5m"], of: events)
        #expect(Array(times[0][3..<6]) == ["4", "2", "70"])
        #expect(times.prefix(5).map { $0[11] } == ["0", "0", "0", "1", "1"])
        // The tap is the second step.
        #expect(try figures("funnel", ["steps": "conversion,touch"])[1] == ["1", "", "1"])
        #expect(try figures("funnel", ["steps": "install,inbound_link"])[1] == ["3", "", "3"])
        #expect(try figures("funnel", ["steps": "install,conversion"])[1] == ["1", "30", "0"])
        #expect(try figures("funnel", ["steps": "touch,conversion", "order": "any"])[1] == ["2", "", "2"])
        #expect(try figures("funnel", ["steps": "touch,install", "order": "strict"])[1] == ["4", "70", "2"])
    }

    @Test func groupsByTheDayOfTheZone() throws {
        // 22:30 and 23:30 UTC of the day before in Berlin's winter are 23:30 and 00:30.
        let events = [
            E.event(1, at: -5400, user: "a", Self.touch), E.event(2, at: -1800, user: "b", Self.touch),
        ]
        let request = try Asking.request(
            "funnel",
            [
                "from": "2026-01-01", "to": "2026-02-01", "tz": "Europe/Berlin", "by": "day",
                "steps": "inbound_link,conversion",
            ]
        )
        let groups = try Asking.rows(request, of: events).filter { $0[1] == "1" }.map { [$0[0], $0[3]] }
        #expect(groups == [["2026-01-04", "1"], ["2026-01-05", "1"], ["total", "2"]])
    }

    @Test func saysNothingWhereNobodyStarted() throws {
        let rows = try rows([], ["steps": "inbound_link,conversion"])
        #expect(
            rows == [
                ["total", "1", "inbound_link", "0", "0", "0", "", "", "", "", "", "0"],
                ["total", "2", "conversion", "0", "0", "0", "", "", "", "", "", "0"],
            ]
        )
    }

    @Test func staysQuickForOneWithThousandsOfEventsAtOneInstant() throws {
        let contents: [Event.Content] = [
            Self.touch, .linkClick(E.touch()), .inboundLink(E.touch(authenticated: true)), .authentication(),
            E.conversion("a"), E.conversion("b"),
        ]
        let events = (0..<6000).map { E.event(UInt64($0), at: 5, user: "u", contents[$0 % contents.count]) }
        let steps = "touch,link_click,inbound_link,authentication,conversion,conversion:a,conversion:b,install"
        #expect(try rows(events, ["steps": steps]).map { $0[3] } == ["1", "1", "1", "1", "1", "1", "1", "0"])
    }
}
