import Events
import Foundation
@testable import InboundLinks
import Testing

/// Compares the oracle with examples counted by hand: what judges the reports must be judged, too.
@Suite("Oracle")
struct OracleTests {
    private typealias E = OracleEvents

    private func funnel(
        _ events: [Event],
        steps: [String] = ["inbound_link", "authentication", "conversion"],
        by grouping: Oracle.Grouping = .ungrouped,
        window: Duration = .days(7),
        now: Double = 100 * OracleEvents.day
    ) -> [[String]] {
        Oracle(events: events).funnel(
            Oracle.FunnelQuery(
                span: E.span,
                now: E.time(now),
                steps: steps,
                grouping: grouping,
                window: window
            )
        )
    }

    /// `people` of each row.
    private func people(_ rows: [[String]]) -> [String] {
        rows.map { $0[3] }
    }

    @Test func storesAnEventIDAndAPostIDOnce() {
        let stored = Oracle.stored(of: [
            E.event(1, at: 0, user: "u", .authentication()),
            E.event(1, at: 5, user: "v", E.install),
            E.event(2, at: 0, user: "u", E.post(postID: "p")),
            E.event(3, at: 0, user: "u", E.post(.failed, postID: "p")),
            E.event(4, at: 0, user: "u", E.post(postID: "q")),
        ])
        #expect(stored.map(\.id.low) == [1, 2, 4])
        #expect(stored.first?.userID == "u")
    }

    @Test func linksPeopleByTheEarliestEventOfBothIDs() {
        let events = [
            E.event(1, at: 0, click: "c", .linkClick(E.touch())),
            E.event(2, at: 1, device: "d", .authentication()),
            E.event(5, at: 9, user: "late", device: "d", .authentication()),
            E.event(4, at: 8, user: "early", device: "d", .inboundLink(E.touch(test: true))),
            E.event(6, at: 7, device: "d", click: "c", .authentication()),
            E.event(7, at: 9, user: "late", click: "c", .authentication()),
            E.event(8, at: 9, user: "late", device: "d", .authentication()),
            E.event(9, at: 0, device: "early", .authentication()),
        ]
        let people = Oracle.People(events: events)
        let early = Oracle.Person.user(Oracle.Name("early"))
        let late = Oracle.Person.user(Oracle.Name("late"))
        #expect(
            events.map(people.person) == [
                early, early, late, early, early, late, late, .device(Oracle.Name("early")),
            ]
        )
        #expect(people.person(of: E.event(10, at: 0, .linkClick(E.touch()))) == nil)
    }

    @Test func countsInstallsMoreThanNinetyDaysApart() {
        let day = E.day
        let times = [0, 50 * day, 90 * day, 90 * day + 0.000001, 181 * day]
        let installs = times.enumerated().map { E.event(UInt64($0), at: $1, user: "u", E.install) }
        // The third one is within 90 days, the fourth is 1 µs beyond. The last is 90 days and 1 day less 1 µs after
        // that.
        #expect(Oracle.countedInstalls(of: installs).map(\.id.low) == [0, 3, 4])
    }

    @Test func datesADeferredLinkByItsClickThenByTheInstallOfTheDayBefore() {
        let day = E.day
        let events = [
            E.event(1, at: 0, user: "u", E.install),
            E.event(2, at: day, user: "u", .inboundLink(E.touch(deferred: true))),
            E.event(3, at: day + 1, user: "u", .inboundLink(E.touch(deferred: true))),
            E.event(4, at: day, user: "u", .inboundLink(E.touch(deferred: true, clickedAt: -5))),
            E.event(5, at: day, .linkClick(E.touch(deferred: true))),
            E.event(6, at: day, user: "u", .install(Install(link: E.touch()))),
        ]
        let times = Oracle(events: events).touches.map { ($0.eventID.low, $0.time) }
        #expect(
            Dictionary(uniqueKeysWithValues: times) == [
                2: E.time(0), 3: E.time(day + 1), 4: E.time(-5), 5: E.time(day), 6: E.time(0),
            ]
        )
    }

    @Test func joinsStoriesByPostIDThenByTheLatestPostOfTheLink() {
        let events = [
            E.event(1, at: 1, user: "u", E.post(refs: ["first"], link: "l")),
            E.event(2, at: 2, user: "u", E.post(.unconfirmed, refs: ["second"], link: "l")),
            E.event(3, at: 2, user: "u", E.post(.cancelled, refs: ["never"], link: "l")),
            E.event(4, at: 3, user: "u", E.post(refs: ["third", "fourth"], postID: "p", link: "l")),
        ]
        let oracle = Oracle(
            events: events + [
                E.event(10, at: 0, user: "v", .inboundLink(E.touch(storyLink: "l"))),
                E.event(11, at: 1, user: "v", .inboundLink(E.touch(storyLink: "l"))),
                E.event(12, at: 2, user: "v", .linkClick(E.touch(storyLink: "l"))),
                E.event(13, at: 9, user: "v", .inboundLink(E.touch(storyLink: "l"))),
                E.event(14, at: 0, user: "v", .inboundLink(E.touch(postID: "p", storyLink: "l"))),
                E.event(15, at: 9, user: "v", .inboundLink(E.touch(postID: "unknown", storyLink: "l"))),
                E.event(16, at: 9, user: "v", .inboundLink(E.touch(refs: ["own"], postID: "p"))),
            ]
        )
        let refs = oracle.touches.map { ($0.eventID.low, $0.touch?.refs.map(\.text) ?? []) }
        #expect(
            Dictionary(uniqueKeysWithValues: refs) == [
                10: [], 11: ["first"], 12: ["second"], 13: ["third", "fourth"], 14: ["third", "fourth"], 15: [],
                16: ["own"],
            ]
        )
    }

    @Test func countsChannels() {
        let day = E.day
        let rows = Oracle(events: [
            E.event(1, at: 0, user: "u", .inboundLink(E.touch(.search, authenticated: true))),
            E.event(2, at: 5, user: "u", .inboundLink(E.touch(.bookmarks))),
            E.event(3, at: 6, user: "u", E.install),
            E.event(4, at: 7, user: "u", E.conversion("buy", 1_500_000)),
            E.event(5, at: 8, user: "u", E.conversion("buy", 9_000_000, "EUR")),
            E.event(6, at: 0, user: "v", .linkClick(E.touch(.search))),
            E.event(7, at: 7 * day + 0.000001, user: "v", E.conversion("buy", 2_000_000)),
            E.event(8, at: 10 * day, user: "v", .linkClick(E.touch(.search))),
            E.event(9, at: 1, .linkClick(E.touch(.search))),
            E.event(10, at: 1, user: "w", .linkClick(E.touch(.search, test: true))),
        ]).channels(Oracle.ChannelsQuery(span: E.span))
        #expect(
            rows == [
                ["search", "3", "2", "1", "1", "0", "0"],
                ["bookmarks", "1", "1", "0", "0", "2", "1.5"],
                ["requests", "0", "0", "0", "0", "0", "0"],
                ["story_attribution", "0", "0", "0", "0", "0", "0"],
                ["story_links", "0", "0", "0", "0", "0", "0"],
                ["other", "0", "0", "0", "0", "0", "0"],
                ["unattributed", "0", "0", "0", "0", "0", "0"],
                ["direct", "0", "0", "0", "0", "1", "2"],
                ["total", "4", "2", "1", "1", "3", "3.5"],
            ]
        )
    }

    @Test func countsRefs() {
        let rows = Oracle(events: [
            E.event(1, at: 0, user: "u", E.post(refs: ["a", "b"])),
            E.event(2, at: 0, user: "u", E.post(refs: ["a"])),
            E.event(3, at: 0, user: "v", E.post(.cancelled, refs: ["a"])),
            E.event(4, at: 0, E.post(refs: [])),
            E.event(5, at: 1, user: "w", .inboundLink(E.touch(refs: ["a", "b"], authenticated: true))),
            E.event(6, at: 2, user: "w", E.install),
            E.event(7, at: 3, user: "x", E.conversion("buy", 1)),
        ]).refs(Oracle.RefsQuery(span: E.span))
        #expect(
            rows == [
                ["a", "2", "1", "0", "0", "0.666667", "1", "1", "1", "1", "0.5", "0", "0", "0.500000", "0.500000"],
                ["b", "1", "0", "0", "0", "1.000000", "1", "1", "1", "1", "0.5", "0", "0", "1.000000", "0.500000"],
                ["(none)", "1", "0", "0", "0", "1.000000", "0", "0", "0", "0", "0", "0", "0", "0.000000", ""],
                ["direct", "0", "0", "0", "0", "", "0", "0", "0", "0", "0", "1", "0.000001", "", ""],
                [
                    "total", "3", "1", "0", "0", "0.750000", "1", "1", "1", "1", "1", "1", "0.000001", "0.500000",
                    "1.000000",
                ],
            ]
        )
    }

    @Test func followsAChainToTheEndOfItsWindow() {
        let day = E.day
        let events = [
            E.event(1, at: 0, user: "u", .inboundLink(E.touch())),
            E.event(2, at: 10, user: "u", .authentication()),
            E.event(3, at: 7 * day, user: "u", E.conversion()),
            E.event(4, at: 0, user: "v", .inboundLink(E.touch(authenticated: true))),
            E.event(5, at: 7 * day + 0.000001, user: "v", E.conversion()),
        ]
        #expect(
            funnel(events, now: 7 * day) == [
                ["total", "1", "inbound_link", "2", "0", "0", "1.000000", "", "0.342380", "1.000000", "0", "0"],
                [
                    "total", "2", "authentication", "2", "0", "0", "1.000000", "1.000000", "0.342380", "1.000000", "5",
                    "0",
                ],
                [
                    "total", "3", "conversion", "1", "1", "0", "0.500000", "0.500000", "0.094531", "0.905469", "604800",
                    "0",
                ],
            ]
        )
        #expect(funnel(events, now: 7 * day + 0.000001)[2][4] == "0")
    }

    @Test func servesTwoStepsOnlyWithAnAuthenticatedInboundLink() {
        let link = E.event(1, at: 0, user: "u", .inboundLink(E.touch(authenticated: true)))
        let click = E.event(1, at: 0, user: "u", .linkClick(E.touch(authenticated: true)))
        #expect(people(funnel([link], steps: ["touch", "authentication"])) == ["1", "1"])
        #expect(people(funnel([click], steps: ["touch", "authentication"])) == ["1", "0"])
        #expect(people(funnel([link], steps: ["authentication", "touch"])) == ["1", "0"])
        #expect(people(funnel([link], steps: ["touch", "inbound_link", "authentication"])) == ["1", "0", "0"])
    }

    @Test func triesEveryChoiceAtOneInstant() {
        // The conversion that serves the second step must be the one other than "buy".
        let events = [
            E.event(1, at: 0, user: "u", .inboundLink(E.touch())),
            E.event(2, at: 3, user: "u", E.conversion("buy")),
            E.event(3, at: 3, user: "u", E.conversion("level")),
        ]
        for events in [events, events.reversed()] {
            #expect(
                people(funnel(events, steps: ["inbound_link", "conversion", "conversion:buy"])) == ["1", "1", "1"]
            )
        }
    }

    @Test func countsAPersonOnceInEachGroupAndOnceInTotal() {
        let events = [
            E.event(1, at: 0, user: "u", .inboundLink(E.touch(refs: ["a", "b"]))),
            E.event(2, at: 20, user: "u", .inboundLink(E.touch(refs: ["a"]))),
            E.event(3, at: 30, user: "u", E.conversion()),
            E.event(4, at: 0, user: "v", .inboundLink(E.touch())),
        ]
        let rows = funnel(events, steps: ["inbound_link", "conversion"], by: .ref)
        #expect(
            rows.map { [$0[0], $0[3], $0[10]] } == [
                ["a", "1", "0"], ["a", "1", "10"], ["b", "1", "0"], ["b", "1", "30"], ["(none)", "1", "0"],
                ["(none)", "0", ""], ["total", "2", "0"], ["total", "1", "10"],
            ]
        )
        #expect(funnel(events, by: .channel).map { $0[0] }.count == 24)
        #expect(
            funnel(events, by: .day).map { $0[0] } == Array(repeating: "2026-01-05", count: 3) + [
                "total", "total", "total",
            ]
        )
    }

    @Test func startsInstallsAtATap() {
        let oracle = Oracle(events: [
            E.event(1, at: 0, click: "c", .linkClick(E.touch())),
            E.event(2, at: 60, device: "d", click: "c", .install(Install(limitAdTracking: false))),
            E.event(3, at: 90, user: "u", device: "d", .authentication()),
            E.event(4, at: 5, user: "v", .install(Install(limitAdTracking: false, link: E.touch(clickedAt: 1)))),
            E.event(5, at: 5, user: "w", .inboundLink(E.touch())),
        ])
        let rows = oracle.installs(Oracle.FunnelQuery(span: E.span, now: E.time(0)))
        #expect(
            rows.map { [$0[2], $0[3], $0[4], $0[10]] } == [
                ["tap", "2", "0", "0"], ["install", "2", "0", "32"], ["authentication", "1", "1", "90"],
                ["conversion", "0", "1", ""],
            ]
        )
    }

    @Test(arguments: [
        (Oracle.Model.last, ["0", "0", "1"]), (.first, ["1", "0", "0"]),
        (.linear, ["0.333333", "0.333333", "0.333333"]), (.position, ["0.4", "0.2", "0.4"]),
        // Ages of 14, 7 and 0 days: 1 : 2 : 4.
        (.decay, ["0.142857", "0.285714", "0.571429"]),
    ])
    func sharesCredit(_ model: Oracle.Model, _ expected: [String]) {
        let day = E.day
        let rows = Oracle(events: [
            E.event(1, at: -7 * day, user: "u", .inboundLink(E.touch(.search))),
            E.event(2, at: 0, user: "u", .inboundLink(E.touch(.bookmarks))),
            E.event(3, at: 7 * day, user: "u", .inboundLink(E.touch(.requests))),
            E.event(4, at: 7 * day, user: "u", E.conversion("buy", 70_000)),
            E.event(5, at: 7 * day, user: "v", E.conversion("buy")),
            E.event(6, at: 7 * day, user: "v", E.conversion("level")),
        ]).attribution(
            Oracle.AttributionQuery(span: E.span, goal: "buy", models: [model], lookback: .days(14))
        )
        #expect(rows.prefix(3).map { $0[2] } == expected)
        #expect(rows.map { $0[1] }.allSatisfy { $0 == model.rawValue })
        #expect(rows.suffix(2).map { $0[2...].joined(separator: ",") } == ["1,0.500000,0", "2,1.000000,0.07"])
        #expect(rows.count == 9)
    }

    @Test func sharesPositionCreditBetweenOneTouchOrTwo() {
        let one = E.event(1, at: 0, user: "u", .inboundLink(E.touch()))
        let facts = Oracle(events: [one]).facts
        #expect(Oracle.shares(of: facts, at: E.time(0), model: .position) == [.one])
        #expect(
            Oracle.shares(of: facts + facts, at: E.time(0), model: .position)
                == [Oracle.Fraction(1, 2), Oracle.Fraction(1, 2)]
        )
        #expect(
            Oracle.shares(of: facts + facts + facts + facts, at: E.time(0), model: .position).map {
                Oracle.Cell.amount($0)
            }
                == ["0.4", "0.1", "0.1", "0.4"]
        )
    }

    @Test func creditsInstallsWithoutBookmarksAndSplitsAmongRefs() {
        let rows = Oracle(events: [
            E.event(1, at: 0, user: "u", .inboundLink(E.touch(refs: ["a", "b"]))),
            E.event(2, at: 1, user: "u", .inboundLink(E.touch(.bookmarks, refs: ["c"]))),
            E.event(3, at: 2, user: "u", E.install),
            E.event(4, at: 0, user: "v", .inboundLink(E.touch(.bookmarks))),
            E.event(5, at: 2, user: "v", E.install),
        ]).attribution(Oracle.AttributionQuery(span: E.span, credited: .install, grouping: .ref))
        #expect(
            rows == [
                ["a", "last", "0.5", "0.250000"], ["b", "last", "0.5", "0.250000"],
                ["(none)", "last", "0", "0.000000"], ["direct", "last", "1", "0.500000"],
                ["total", "last", "2", "1.000000"],
            ]
        )
    }

    @Test func countsPosts() {
        let rows = Oracle(events: [
            E.event(1, at: 0, user: "u", E.post(refs: ["a"], composer: .feedDialog)),
            E.event(2, at: 0, user: "u", E.post(.cancelled, refs: ["a"], composer: .feedDialog)),
            E.event(3, at: 0, user: "u", E.post(.unconfirmed, refs: ["a"], composer: .stories)),
            E.event(4, at: 0, user: "u", E.post(refs: [])),
        ]).posts(E.span)
        #expect(
            rows == [
                ["a", "feed_dialog", "1", "1", "0", "0", "0.500000", "1"],
                ["a", "stories", "0", "0", "0", "1", "", "0"],
                ["(none)", "(none)", "1", "0", "0", "0", "1.000000", "1"],
                ["total", "", "2", "1", "0", "1", "0.666667", "1"],
            ]
        )
    }

    @Test func retainsByCalendarPeriods() throws {
        let day = E.day
        let events = [
            E.event(1, at: day - 1, user: "u", .inboundLink(E.touch())),
            E.event(2, at: day, user: "u", .authentication()),
            E.event(3, at: 3 * day, user: "u", E.conversion("buy", 1_500_000)),
            E.event(4, at: 0, user: "v", .inboundLink(E.touch())),
            E.event(5, at: 6 * day, user: "w", .inboundLink(E.touch())),
            E.event(6, at: 7 * day, user: "w", .authentication()),
        ]
        let byDay = Oracle.RetentionQuery(span: E.span, period: .day, periods: [1, 2, 3])
        #expect(
            Oracle(events: events).retention(byDay) == [
                ["2026-01-05", "total", "1", "2", "1", "0.500000", "0", "0", "0.000000"],
                ["2026-01-05", "total", "2", "2", "0", "0.000000", "0", "0", "0.000000"],
                ["2026-01-05", "total", "3", "2", "1", "0.500000", "1.5", "1.5", "0.750000"],
                ["2026-01-11", "total", "1", "1", "1", "1.000000", "0", "0", "0.000000"],
                ["2026-01-11", "total", "2", "1", "0", "0.000000", "0", "0", "0.000000"],
                ["2026-01-11", "total", "3", "1", "0", "0.000000", "0", "0", "0.000000"],
            ]
        )
        let byWeek = Oracle.RetentionQuery(span: E.span, period: .week, periods: [1])
        #expect(
            Oracle(events: events).retention(byWeek) == [
                ["2026-01-05", "total", "1", "3", "1", "0.333333", "0", "1.5", "0.500000"]
            ]
        )
        let newYork = try #require(TimeZone(identifier: "America/New_York"))
        #expect(
            Oracle(events: events, timeZone: newYork).retention(byWeek).map { $0[0] } == ["2025-12-29", "2026-01-05"]
        )
    }

    @Test func listsPaths() {
        let events = [
            E.event(1, at: 0, user: "u", .inboundLink(E.touch(.search))),
            E.event(2, at: 1, user: "u", .inboundLink(E.touch(.search))),
            E.event(3, at: 2, user: "u", E.conversion("buy", 500_000)),
            E.event(4, at: 3, user: "u", .inboundLink(E.touch(.bookmarks))),
            E.event(5, at: 4, user: "u", E.conversion()),
            E.event(6, at: 4, user: "v", E.conversion()),
        ]
        #expect(
            Oracle(events: events).paths(Oracle.PathsQuery(span: E.span, limit: 1)) == [
                ["search > search", "1", "0.333333", "0.5"],
                ["direct", "1", "0.333333", "0"],
                ["total", "3", "1.000000", "0.5"],
            ]
        )
    }

    @Test func comparesTwoGroups() {
        // 9 of 10 against 3 of 10: pooled p = 0.6, z = 0.6 / √(0.24 · 0.2) = 2.738613.
        var events: [Event] = []
        for person in 0..<20 as Range<UInt64> {
            let ref = person < 10 ? "a" : "b"
            events.append(E.event(2 * person, at: 0, user: "u\(person)", .inboundLink(E.touch(refs: [ref]))))
            if person < 9 || (10..<13).contains(person) {
                events.append(E.event(2 * person + 1, at: 1, user: "u\(person)", E.conversion()))
            }
        }
        let query = Oracle.FunnelQuery(span: E.span, now: E.time(8 * E.day), steps: ["touch", "conversion"])
        let compared = Oracle(events: events).compare(
            Oracle.CompareQuery(a: "a", b: ["b"], grouping: .ref, funnel: query)
        )
        #expect(
            compared == [
                [
                    "a", "b", "conversion", "10", "0", "0.900000", "10", "0", "0.300000", "0.600000", "0.170523",
                    "0.809018", "0.0061699",
                ]
            ]
        )
        let absent = Oracle(events: events).compare(
            Oracle.CompareQuery(a: "a", b: ["c"], grouping: .ref, funnel: query)
        )
        #expect(absent == [["a", "c", "conversion", "10", "0", "0.900000", "0", "0", "", "", "", "", ""]])
    }

    @Test func writesNumbers() {
        let fractions = [
            Oracle.Fraction(1, 3), Oracle.Fraction(2, 3), Oracle.Fraction(1, 128), Oracle.Fraction(-1, 128),
            Oracle.Fraction(-1, 10_000_000), Oracle.Fraction(10), Oracle.Fraction(0),
        ]
        #expect(
            fractions.map { Oracle.Cell.amount($0) } == [
                "0.333333", "0.666667", "0.007813", "-0.007812", "0", "10", "0",
            ]
        )
        #expect(Oracle.Cell.rate(0, of: 0) == "")
        #expect(Oracle.Cell.rate(1, of: 1) == "1.000000")
    }
}
