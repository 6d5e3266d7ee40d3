import Events
import InboundLinks
@testable import Reporting
import Storage
import Testing
import Time

/// What a watch says of what carries a change.
@Suite("What carries a change")
struct ChangeCarrierTests {
    private typealias E = OracleEvents

    /// Installs of one week after a tap.
    private struct Installs {
        var ref: String
        var platform: Platform
        /// By week. The first eight are alike.
        var usual: Int
        var last: Int
    }

    /// Nine weeks, from the Monday of `OracleEvents`.
    private static func events(_ groups: [Installs]) -> MemoryEvents {
        var events: [Event] = []
        func add(_ time: Double, _ platform: Platform, _ content: Event.Content) {
            let number = UInt64(events.count)
            events.append(E.event(number, at: time, user: "u\(number / 2)", platform: platform, content))
        }
        for group in groups {
            for week in 0..<9 {
                for number in 0..<(week == 8 ? group.last : group.usual) {
                    let time = Double(week * 7 + number % 7) * E.day + Double(number)
                    add(time, group.platform, .inboundLink(E.touch(refs: [group.ref])))
                    add(time + 60, group.platform, E.install)
                }
            }
        }
        return MemoryEvents(events)
    }

    private static let two = events([
        Installs(ref: "giveaway", platform: .android, usual: 98, last: 21),
        Installs(ref: "recipe", platform: .ios, usual: 98, last: 77),
    ])

    /// What a watch of the ninth week tells, and the reports that it asks for to explain that.
    private func outcome(
        _ events: MemoryEvents,
        _ report: String = "channels",
        _ parameters: [(name: String, value: String)] = [],
        column: String = "installs",
        row: String? = "total",
        every period: String = "week"
    ) async throws -> (outcome: WatchRun.Outcome, asked: [ReportRequest]) {
        let now = E.time(63 * E.day + 3_600)
        let watch = StoredSchedule.Watch(column: column, row: row)
        let schedule = try #require(
            QuestionSchedule(
                StoredSchedule(
                    number: 1,
                    appNumber: 1,
                    appID: "game",
                    question: "weekly",
                    watch: watch,
                    period: period,
                    day: 0,
                    minute: 0,
                    format: "table",
                    target: "file:a",
                    createdAt: E.time(0)
                )
            )
        )
        let question = SavedQuestion(
            StoredQuestion(
                name: try #require(QuestionName("weekly")),
                report: report,
                parameters: parameters,
                createdAt: E.time(0),
                updatedAt: E.time(0)
            )
        )
        let to = try #require(CivilDate("2026-03-09"))
        let from = CivilDate(number: to.number - (period == "week" ? 7 : 1))
        let sending = SendingTimes.Sending(at: now, from: from, to: to)
        let run = try WatchRun(schedule, watch, of: question, app: Asking.app(), about: sending, now: now)
        func result(_ request: ReportRequest) throws -> ReportResult {
            let timelines = MemoryTimelines(events, query: request.query)
            return ReportResult(request: request, table: try events.telling(request).table(over: timelines))
        }
        var asked: [ReportRequest] = []
        let remarks = SentAnswer.Remarks(notices: [], freshness: nil, notes: [])
        let outcome = await run.outcome(try run.requests.map(result), remarks) { request in
            asked.append(request)
            return try? result(request)
        }
        return (outcome, asked)
    }

    @Test func isNamedWithItsShare() async throws {
        let (outcome, asked) = try await outcome(Self.two)
        let answer = try #require(outcome.answer)
        let words = "Against the week before: installs −50.0 %, four fifths of it giveaway on Android (98 to 21)."
        #expect(answer.text.contains("installs of total fell: 98, before 196 on average"))
        #expect(answer.text.contains("\n\(words)\n") && answer.chatJSON.contains(words))
        #expect(
            answer.json.contains(
                #""carried_by": {"ref": "giveaway", "platform": "android", "share_of_change": 0.785714"#
            )
        )
        #expect(asked.map { ["\($0.days.from)", "\($0.days.to)"] } == [["2026-03-02", "2026-03-09"]])
    }

    @Test func isNamedOnlyIfItIsMoreThanChance() async throws {
        let many = (0..<28).map { Installs(ref: "r\($0)", platform: .web, usual: 7, last: 4) }
        let (outcome, asked) = try await outcome(Self.events(many))
        #expect(asked.count == 1)
        let text = try #require(outcome.answer).text
        #expect(text.contains("installs of total fell") && !text.contains("Against"))
    }

    /// Of all rows that changed, one report explains the one that counts.
    @Test func takesOneReport() async throws {
        let (outcome, asked) = try await outcome(Self.two, row: nil)
        #expect(asked.count == 1 && outcome.remark.contains("installs of story_links fell; installs of total fell"))
        #expect(try await self.outcome(Self.two, row: "organic").asked.isEmpty)
        let quiet = Self.events([Installs(ref: "recipe", platform: .ios, usual: 98, last: 98)])
        #expect(try await self.outcome(quiet).asked.isEmpty)
    }

    @Test func explainsAWatchByDayByItsWeek() async throws {
        let sunday = Self.events([
            Installs(ref: "giveaway", platform: .android, usual: 420, last: 70),
            Installs(ref: "recipe", platform: .ios, usual: 70, last: 70),
        ])
        let (outcome, asked) = try await outcome(sunday, every: "day")
        #expect(asked.map { ["\($0.days.from)", "\($0.days.to)"] } == [["2026-03-02", "2026-03-09"]])
        let text = try #require(outcome.answer).text
        #expect(text.contains("These seven days against the seven before: installs −71.4 %, all of it giveaway on And"))
    }

    @Test func explainsActivePeople() async throws {
        let (outcome, asked) = try await outcome(Self.two, "activity", [("period", "week")], column: "active")
        #expect(asked.map { $0.parameters.first { $0.name == "metric" }?.value } == ["active"])
        let text = try #require(outcome.answer).text
        #expect(
            text.contains("active of total fell: 98, before 196") && text.contains("four fifths of it giveaway on And")
        )
    }

    @Test func keepsToWhatTheRowIsAbout() throws {
        let app = Asking.app()
        func asked(_ report: String, _ parameters: [(name: String, value: String)], _ column: String, _ row: String)
            throws -> [String]?
        {
            let range = [(name: "from", value: "2026-03-02"), (name: "to", value: "2026-03-09")]
            let watched = try ReportRequest.parse(
                name: report,
                parameters: parameters + range,
                origin: .http,
                app: app,
                now: E.time(70 * E.day)
            )
            let kind = Watch.Finding.Kind.changed(before: .count(9), low: 5, high: 15, pValue: 0.001)
            let finding = Watch.Finding(row: row, figure: .count(1), kind: kind)
            return ChangeCarrier.request(for: finding, of: watched, column, asked: parameters + range).map { request in
                request.parameters.filter { ["metric", "where", "goal"].contains($0.name) }.map {
                    "\($0.name)=\($0.value)"
                }
            }
        }
        #expect(try asked("channels", [], "installs", "total") == ["metric=installs"])
        #expect(try asked("channels", [], "touches", "search") == ["metric=touches", "where=channel=search"])
        #expect(
            try asked("refs", [("where", "platform=ios"), ("goal", "buy")], "value", "a,b") == [
                "metric=value", "where=platform=ios", "where=ref=a\\,b", "goal=buy",
            ]
        )
        // The goal says nothing of installs.
        #expect(try asked("refs", [("goal", "buy")], "installs", "total") == ["metric=installs"])
        #expect(
            try asked("breakdown", [("by", "country,paid")], "people", "DE · true") == [
                "metric=people", "where=country=DE", "where=paid=true",
            ]
        )
        for row in ["direct", "(others)"] { #expect(try asked("channels", [], "installs", row) == nil) }
        #expect(try asked("refs", [], "posts", "total") == nil)
        #expect(try asked("breakdown", [("by", "poster")], "touches", "ann") == nil)
        #expect(try asked("funnel", [], "people", "total · 2 · authentication") == nil)
        #expect(try asked("activity", [("where", "ref=gift")], "active", "total") == nil)
        #expect(try asked("activity", [("by", "ref")], "active", "gift") == nil)
    }
}
