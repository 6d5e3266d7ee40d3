import Events
import Foundation
import Testing
import Time
import InboundLinks
import RandomTesting

/// What must hold of the oracle for every stream. Also checks that streams have the features that they promise.
@Suite("Random streams")
struct RandomStreamTests {
    /// Every report, in most of its forms. Two oracles agree if these are equal.
    private func reports(_ events: [Event], _ stream: RandomStream) -> [String: [[String]]] {
        let oracle = Oracle(events: events, currency: RandomStream.currency)
        let span = Oracle.Span(from: stream.from, to: stream.to)
        var reports = [
            "channels": oracle.channels(Oracle.ChannelsQuery(span: span)),
            "channels buy": oracle.channels(Oracle.ChannelsQuery(span: span, goal: "buy", lookback: .days(1))),
            "refs": oracle.refs(Oracle.RefsQuery(span: span)),
            "posts": oracle.posts(span),
            "paths": oracle.paths(Oracle.PathsQuery(span: span)),
        ]
        for grouping in Oracle.Grouping.allCases {
            let query = Oracle.FunnelQuery(span: span, now: stream.now, grouping: grouping)
            reports["funnel \(grouping)"] = oracle.funnel(query)
            reports["installs \(grouping)"] = oracle.installs(query)
            for period in Oracle.Period.allCases {
                let query = Oracle.RetentionQuery(span: span, period: period, grouping: grouping)
                reports["retention \(period) \(grouping)"] = oracle.retention(query)
            }
        }
        for grouping in Oracle.Grouping.keys {
            for credited in Oracle.Credited.allCases {
                let query = Oracle.AttributionQuery(
                    span: span,
                    credited: credited,
                    models: Oracle.Model.allCases,
                    grouping: grouping
                )
                reports["attribution \(credited) \(grouping)"] = oracle.attribution(query)
            }
        }
        let funnel = Oracle.FunnelQuery(span: span, now: stream.now, steps: ["touch", "conversion:buy"])
        reports["compare"] = oracle.compare(
            Oracle.CompareQuery(a: "gift", b: ["boast"], grouping: .ref, funnel: funnel)
        )
        return reports
    }

    @Test(arguments: TestSeeds.seeds(1))
    func saysTheSameOfEveryDelivery(seed: UInt64) {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
        let told = reports(stream.events, stream)
        #expect(reports(Oracle.stored(of: stream.events), stream) == told)
        for delivery in 0..<3 as Range<UInt64> {
            #expect(reports(stream.redelivered(seed: delivery).flatMap { $0 }, stream) == told)
        }
    }

    @Test(arguments: TestSeeds.seeds(3))
    func conservesSums(seed: UInt64) throws {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
        let reports = reports(stream.events, stream)
        let channels = try #require(reports["channels"])
        let refs = try #require(reports["refs"])

        func number(_ cell: String) -> Double { Double(cell) ?? .nan }
        func close(_ rows: some Sequence<[String]>, _ column: Int, _ total: [String]) -> Bool {
            abs(rows.map { number($0[column]) }.reduce(0, +) - number(total[column])) < 0.0001
        }
        // Touches, authenticated touches, installs, conversions, value.
        #expect([1, 3, 4, 5, 6].allSatisfy { close(channels.dropLast(), $0, channels[channels.count - 1]) })
        #expect([10, 11, 12].allSatisfy { close(refs.dropLast(), $0, refs[refs.count - 1]) })
        #expect(channels.last?[4...] == refs.last?[10...12])

        for (name, rows) in reports where name.hasPrefix("attribution") {
            for model in Oracle.Model.allCases {
                let ofModel = rows.filter { $0[1] == model.rawValue }
                #expect(close(ofModel.dropLast(), 2, ofModel[ofModel.count - 1]))
                // Installs have no value.
                if ofModel[0].count > 4 { #expect(close(ofModel.dropLast(), 4, ofModel[ofModel.count - 1])) }
            }
        }
        for (name, rows) in reports where name.hasPrefix("funnel") || name.hasPrefix("installs") {
            for (row, next) in zip(rows, rows.dropFirst()) where number(row[1]) < number(next[1]) {
                #expect(number(row[3]) >= number(next[3]))
                #expect(number(row[3]) - number(next[3]) >= number(next[4]))
            }
        }
    }

    @Test(arguments: TestSeeds.seeds(40))
    func asksSensibleQuestions(seed: UInt64) {
        let stream = RandomStream.make(seed: seed)
        var questions = RandomQuestions(seed: seed, stream: stream)
        let oracle = Oracle(events: stream.events)
        let funnel = questions.funnel()
        #expect((2...8).contains(funnel.steps.count))
        #expect(oracle.funnel(funnel).count % funnel.steps.count == 0)
        #expect(oracle.installs(questions.funnel()).count % 4 == 0)
        let compare = questions.compare()
        #expect(oracle.compare(compare).count == compare.b.count)
        #expect(oracle.channels(questions.channels()).count == 9)
        #expect(oracle.refs(questions.refs()).count >= 3)
        #expect(oracle.attribution(questions.attribution()).count >= 2)
        #expect(oracle.paths(questions.paths()).count >= 1)
        let retention = questions.retention()
        #expect(oracle.retention(retention).count % retention.periods.count == 0)
    }

    /// docs/reports.md states the rules of funnels twice: in short, and, for other orders and limits, in a complete
    /// form. Both say the same.
    @Test(arguments: TestSeeds.seeds(200, in: 2)) func readsTheRulesInBothForms(seeds: Range<UInt64>) {
        for seed in seeds {
            let stream = RandomStream.make(seed: seed)
            var questions = RandomQuestions(seed: seed, stream: stream)
            let query = questions.funnel()
            let facts = Oracle(events: stream.events, currency: RandomStream.currency).facts
            for (person, history) in Dictionary(grouping: facts, by: \.person) where person != nil {
                for start in history where Oracle.serves(start, step: query.steps[0]) {
                    let short = Oracle.FunnelChain(from: start, query, history: history)
                    let exact = Oracle.FunnelChain(choosingFrom: start, query, history: history)
                    #expect(short.times == exact.times && short.canGetOn == exact.canGetOn, "seed \(seed)")
                }
            }
        }
    }

    /// How often each promised feature occurs in the streams of 300 seeds.
    @Test func containsCasesThatBreakReports() {
        var seen: [String: Int] = [:]
        func see(_ feature: String, if condition: Bool = true) {
            seen[feature, default: 0] += condition ? 1 : 0
        }
        for seed in 0..<300 as Range<UInt64> {
            let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
            #expect((5...60).contains(stream.events.count))
            let stored = Oracle.stored(of: stream.events)
            see("duplicates", if: stored.count < stream.events.count)
            see("test traffic", if: stored.contains(where: Oracle.isTestTraffic))

            let oracle = Oracle(events: stream.events)
            let facts = oracle.facts
            see(
                "an instant shared by five",
                if: Dictionary(grouping: facts, by: \.time).values.contains { $0.count > 4 }
            )
            see("nobody's touch", if: facts.contains { $0.touch != nil && $0.person == nil })
            see("on the range's start", if: facts.contains { $0.time == stream.from })
            see("on the range's end", if: facts.contains { $0.time == stream.to })
            see(
                "a microsecond before the end",
                if: facts.contains { $0.time == stream.to.advanced(by: .microseconds(-1)) }
            )
            see("a multi-ref touch", if: facts.contains { ($0.touch?.refs.count ?? 0) > 1 })

            let touched = stored.compactMap { event -> (event: Event, touch: Touch)? in
                event.touch.map { (event, $0) }
            }
            let refsByID = Dictionary(
                facts.compactMap { fact in fact.touch.map { (fact.eventID, $0.refs) } },
                uniquingKeysWith: { first, _ in first }
            )
            func isJoined(_ event: Event, _ touch: Touch) -> Bool {
                touch.link.refs.isEmpty && !(refsByID[event.id] ?? []).isEmpty
            }
            see("joined by post id", if: touched.contains { $0.touch.postID != nil && isJoined($0.event, $0.touch) })
            see("joined by link", if: touched.contains { $0.touch.postID == nil && isJoined($0.event, $0.touch) })

            see("a click with its open", if: facts.contains { $0.touch?.isJoined ?? false })
            see(
                "an open too far from its click",
                if: facts.contains { open in
                    !(open.touch?.isJoined ?? true)
                        && facts.contains { click in
                            click.touch?.isInboundLink == false && click.eventID == open.touch?.openedClick
                                && click.person == open.person
                        }
                }
            )

            let installs = facts.filter { if case .install = $0.kind { true } else { false } }
            see("a re-install", if: installs.contains { !$0.isCountedInstall })
            let counted = installs.filter(\.isCountedInstall)
            see("a second install", if: Set(counted.compactMap(\.person)).count < counted.count)
            see(
                "a re-install on the edge",
                if: installs.contains { later in
                    !later.isCountedInstall
                        && counted.contains {
                            $0.person == later.person && $0.time.advanced(by: .days(90)) == later.time
                        }
                }
            )
            see(
                "an install just beyond the edge",
                if: counted.contains { later in
                    counted.contains {
                        $0.person == later.person
                            && $0.time.advanced(by: .days(90)).advanced(by: .microseconds(1)) == later.time
                    }
                }
            )
            see(
                "a deferred link dated by an install before it",
                if: touched.contains { event, touch in
                    let fact = facts.first { $0.eventID == event.id && $0.touch != nil }
                    return touch.link.clickedAt == nil && fact.map { $0.time < event.occurredAt } ?? false
                }
            )
            see(
                "a tap told at several launches",
                if: Dictionary(grouping: stored.filter { Oracle.tap($0) != nil }) { event in
                    [
                        Oracle.tap(event).map { "\($0)" },
                        Oracle.People(events: stored).person(of: event).map { "\($0)" },
                    ]
                }.contains { $0.value.count > 1 }
            )
            see(
                "a person known by a device",
                if: stored.contains { event in
                    guard event.userID == nil, event.deviceID != nil else { return false }
                    if case .user = Oracle.People(events: stored).person(of: event) { return true }
                    return false
                }
            )

            let span = Oracle.Span(from: stream.from, to: stream.to)
            let chains = oracle.chains(Oracle.FunnelQuery(span: span, now: stream.now)).values.flatMap { $0 }
            see("a full chain", if: chains.contains { $0.level == 3 })
            see(
                "a chain that ends with its window",
                if: chains.contains { chain in
                    chain.level == 3 && chain.times.last == chain.start.time.advanced(by: .days(7))
                }
            )
            let conversions = facts.filter { $0.conversion != nil && span.contains($0.time) }
            see("a long path", if: conversions.contains { oracle.touches(before: $0, lookback: .days(7)).count > 3 })
            see(
                "a touch on the lookback's end",
                if: conversions.contains { conversion in
                    oracle.touches(before: conversion, lookback: .days(7)).first?.time
                        == conversion.time.advanced(by: .days(-7))
                }
            )
            let rows = oracle.funnel(Oracle.FunnelQuery(span: span, now: stream.now))
            see("somebody open", if: rows.contains { $0[4] != "0" })
        }
        let rare = seen.filter { $0.value < 5 }
        #expect(rare.isEmpty, "\(seen.sorted { $0.value < $1.value })")
    }
}
