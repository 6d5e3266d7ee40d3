import Foundation
import Storage
import Testing
import Time

@testable import Reporting

@Suite("Watches")
struct WatchTests {
    private static let monday = CivilDate("2026-11-16") ?? CivilDate(number: 0)

    /// Judges the weeks of counts one after the other, from the ninth on.
    private static func judgements(_ weeks: [[String: WatchedFigure]]) -> [Watch.Judgement] {
        var watch = Watch(isDaily: false)
        return (Watch.weeks..<weeks.count).map { index in
            watch.judge(
                CivilDate(number: monday.number + 7 * index),
                weeks[index],
                after: (1...Watch.weeks).map { weeks[index - $0] }
            )
        }
    }

    private static func counts(_ counts: [Double]) -> [[String: WatchedFigure]] { counts.map { ["total": .count($0)] } }

    private static let quiet: [Double] = [400, 410, 395, 380, 420, 405, 390, 400]

    @Test func tellOnceOfAChangeAndOnceOfItsEnd() throws {
        let weeks = Self.judgements(Self.counts(Self.quiet + [395, 280, 275, 290, 398, 402]))
        let kinds = weeks.map { $0.findings.map(\.kind) }
        #expect(kinds.map(\.count) == [0, 1, 0, 0, 1, 0])
        guard case .changed(let before, let low, let high, let pValue) = try #require(kinds[1].first) else {
            Issue.record("no change")
            return
        }
        #expect(before == .count(399.375) && low > 340 && high < 460 && pValue < 0.001)
        #expect(kinds[4] == [.isOver(since: CivilDate(number: Self.monday.number + 7 * 9))])
        #expect(weeks.map(\.stillChanged) == [0, 0, 1, 1, 0, 0] && weeks.map(\.same) == [1, 0, 0, 0, 0, 1])
        let text = try #require(weeks[1].findings.first).text("people")
        #expect(text.hasPrefix("people of total fell: 280, before 399.38 on average (−29.9 %). Expected, at 95 %: 35"))
    }

    /// After eight weeks, what was a change is what figures are compared with.
    @Test func settle() {
        let weeks = Self.judgements(Self.counts(Self.quiet + Array(repeating: 280, count: 20) + [400]))
        let kinds = weeks.map { $0.findings.first?.kind }
        #expect(kinds[8] == .hasSettled(since: CivilDate(number: Self.monday.number + 7 * 8)))
        #expect(kinds[1...7].allSatisfy { $0 == nil } && kinds[9...19].allSatisfy { $0 == nil })
        guard case .changed(.count(280), _, _, _)? = kinds[20] else {
            Issue.record("\(String(describing: kinds[20]))")
            return
        }
    }

    @Test func sayWhenThereAreTooFew() {
        let few = Self.judgements(Self.counts([3, 1, 2, 4, 2, 1, 3, 2, 0]))
        #expect(few[0].tooFew == 1 && few[0].findings.isEmpty)
        // Three weeks of data are too few weeks.
        let young = Self.judgements(Self.counts([0, 0, 0, 0, 0, 400, 405, 395, 200]))
        #expect(young[0].tooFew == 1 && young[0].findings.isEmpty)
        let older = Self.judgements(Self.counts([0, 0, 0, 0, 402, 400, 405, 395, 200]))
        #expect(older[0].findings.count == 1)
        // A rate of nobody.
        let rates = (0..<9).map { ["a": WatchedFigure.share(successes: 10, trials: $0 == 8 ? 0 : 40)] }
        #expect(Self.judgements(rates)[0].tooFew == 1)
    }

    @Test func findWhatIsGone() throws {
        var weeks = Self.quiet.map { ["a": WatchedFigure.count($0), "b": .count($0)] }
        weeks.append(["a": .count(400)])
        let found = Self.judgements(weeks)[0]
        #expect(found.findings.map(\.row) == ["b"] && found.same == 1)
        #expect(found.words("people") == "people of b fell; 1 as before")
    }

    /// A period that has the figures of each week is no part of a row's name.
    @Test func followRowsOfPeriodsFromWeekToWeek() {
        let columns = ActivityReport.columns + [.complete]
        func table(_ week: String, _ active: Int64) -> ReportTable {
            let cells: [ReportCell] = [.text(week), .text("total"), .integer(active)]
            let rest = Array(repeating: ReportCell.empty, count: columns.count - cells.count - 1)
            return ReportTable(columns: columns, rows: [cells + rest + [.flag(true)]])
        }
        #expect(table("2026-11-16", 7).watched("active", row: nil) == ["total": .count(7)])
        #expect(table("2026-11-23", 8).watched("active", row: "total") == ["total": .count(8)])
    }

    @Test func tellOfSumsOfMoney() throws {
        let usual: [Double] = [4_000, 4_300, 3_900, 3_700, 4_400, 4_100, 3_800, 4_000]
        func judged(_ sum: Double, _ events: Double) -> Watch.Judgement {
            let weeks = (usual.map { ($0, 400) } + [(sum, events)]).map { ["total": WatchedFigure.sum($0, events: $1)] }
            return Self.judgements(weeks)[0]
        }
        #expect(judged(3_600, 360).same == 1)
        let text = try #require(judged(2_500, 250).findings.first).text("value")
        #expect(text.hasPrefix("value of total fell: 2500, before 4025 on average (−37.9 %). Expected, at 95 %: 34"))
        // One large purchase of two in a week is no change that eight weeks could tell.
        let few = (0..<9).map { ["total": WatchedFigure.sum($0 == 8 ? 900 : 20, events: 2)] }
        #expect(Self.judgements(few)[0].tooFew == 1)
        // Nothing was ever sold.
        let none = (0..<9).map { _ in ["total": WatchedFigure.sum(0, events: 0)] }
        #expect(Self.judgements(none)[0].tooFew == 1)
        // What is gone.
        #expect(judged(0, 0).findings.count == 1)
    }

    @Test func correctForTheNumberOfRows() {
        // p = 0.0028 alone.
        let figure = 310.0
        func found(rows: Int) -> Int {
            let weeks = (Self.quiet.map { ($0, $0) } + [(400, figure)]).map { others, last in
                Dictionary(
                    uniqueKeysWithValues: (0..<rows).map { ("r\($0)", WatchedFigure.count($0 == 0 ? last : others)) }
                )
            }
            return Self.judgements(weeks)[0].findings.count
        }
        #expect(found(rows: 1) == 1 && found(rows: 2) == 1 && found(rows: 20) == 0)
    }

    /// A stored number that no watch writes would end the program when it is reckoned with.
    @Test func takeNoDamagedMemory() {
        func memory(since: Int = 20_000, mean: Double = 1, count: Int = 1, recent: Double = 1, left: Int = 20_000)
            -> Bool
        {
            let change = Watch.Change(since: since, mean: mean, count: count, recent: [recent])
            return Watch.Memory(changes: ["total": change], left: ["total": [left]]).isSane
        }
        #expect(memory())
        #expect(!memory(since: .max) && !memory(since: .min) && !memory(left: .min) && !memory(left: .max))
        #expect(!memory(count: .max) && !memory(count: -1) && !memory(mean: 1e308) && !memory(recent: .infinity))
    }

    @Test func areRememberedAsText() throws {
        var watch = Watch(isDaily: true)
        for (index, count) in [280.0, 270].enumerated() {
            _ = watch.judge(
                CivilDate(number: Self.monday.number + index),
                ["a": .count(count), "ü \"": .count(5)],
                after: Self.counts(Self.quiet).map { ["a": $0["total"] ?? .count(0)] }
            )
        }
        let text = try JSONEncoder().encode(watch.memory)
        #expect(try JSONDecoder().decode(Watch.Memory.self, from: text) == watch.memory)
        #expect(watch.memory.changes["a"]?.count == 2)
    }

    /// On one day of the week few come: a watch by day compares with the same weekdays.
    @Test func knowWeekdays() {
        let start = Self.monday.number
        func count(_ day: Int) -> Double { day % 7 == 6 ? 100 : 1_000 }
        var watch = Watch(isDaily: true)
        var findings: [Watch.Finding.Kind] = []
        for day in 56..<140 {
            let isDown = (70..<80).contains(day)
            let figures = watch.judge(
                CivilDate(number: start + day),
                ["total": .count(count(day) * (isDown ? 0.5 : 1))],
                after: (1...8).map { week in
                    let earlier = day - 7 * week
                    return ["total": .count(count(earlier) * ((70..<80).contains(earlier) ? 0.5 : 1))]
                }
            )
            findings += figures.findings.map(\.kind)
        }
        #expect(findings.count == 2 && findings.last == .isOver(since: CivilDate(number: start + 70)))
    }

    @Test func askOnlyForWhatCanBeWatched() throws {
        func check(
            _ report: String,
            _ parameters: [(name: String, value: String)],
            _ column: String,
            every period: CalendarPeriod = .day
        ) throws {
            let request = try ReportRequest.parse(
                name: report,
                parameters: parameters,
                origin: .http,
                app: Asking.app(),
                now: Timestamp(microseconds: 1_764_000_000_000_000)
            )
            try request.checkIsWatchable(.init(column: column, row: nil), every: period)
            #expect(request.watchableColumns.contains(column))
        }
        for (report, column) in [
            ("channels", "touches"), ("channels", "installs"), ("refs", "post_rate"), ("funnel", "rate_from_first"),
            ("funnel", "people"), ("links", "bot_share"), ("activity", "active"), ("activity", "dormant"),
            ("channels", "value"), ("goals", "value"), ("paths", "value"),
        ] {
            try check(report, [], column)
        }
        for (report, column) in [
            ("channels", "channel"), ("funnel", "step"), ("activity", "active_7d"), ("generations", "value"),
            ("funnel", "median_seconds"),
            ("funnel", "ci_low"), ("goals", "first_at"), ("channels", "people_"),
        ] {
            #expect(throws: ReportError.self, "\(report) \(column)") { try check(report, [], column) }
        }
        try check("activity", [("period", "week")], "active", every: .week)
        try check("channels", [("by", "week")], "touches", every: .week)
        #expect(throws: ReportError.self) { try check("activity", [], "active", every: .week) }
        #expect(throws: ReportError.self) { try check("retention", [], "retained") }
        for (name, value) in [("by", "week"), ("compare-previous", "true"), ("people", "touches")] {
            #expect(throws: ReportError.self, "\(name)") { try check("channels", [(name, value)], "touches") }
        }
    }
}
