import HTTPTypes
import Storage
import Testing

@testable import Dashboard
@testable import Reporting

@Suite("Boards in the dashboard")
struct BoardPagesTests {
    private static func dashboard() async throws -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        for (name, report) in [("by-ref", "refs&from=7days"), ("logins", "logins"), ("by-channel", "channels")] {
            _ = try await dashboard.post([("query", "report=\(report)"), ("name", name)], to: "/questions/new")
        }
        return dashboard
    }

    private static func make(
        _ dashboard: StoredDashboard,
        _ questions: [String],
        days: String = ""
    ) async throws -> StoredDashboard.Answer {
        let fields = questions.enumerated().map { (name: "question\($0.offset + 1)", value: $0.element) }
        return try await dashboard.post(fields + [("name", "monday"), ("days", days)], to: "/questions/new-board")
    }

    @Test func areMadeOfQuestionsInAnOrder() async throws {
        let dashboard = try await Self.dashboard()
        #expect(try await dashboard.get("/questions").body.contains(#"<a href="/questions/new-board">"#))
        let form = try await dashboard.get("/questions/new-board")
        #expect(form.status == 200 && form.body.contains("name=\"question3\"") && !form.body.contains("question4"))
        let made = try await Self.make(dashboard, ["logins", "", "by-ref"], days: "from=last-week&to=monday")
        #expect(made.status == 303 && made.headers[.location] == "/questions/board?name=monday&new=1")
        let board = try #require(try await dashboard.questions.last)
        #expect(board.members == ["logins", "by-ref"])
        #expect(board.range.map { "\($0.name)=\($0.value)" } == ["from=last-week", "to=monday"])
        let list = try await dashboard.get("/questions").body
        #expect(list.contains("logins, by-ref · from=last-week to=monday"))
        let taken = try await Self.make(dashboard, ["logins"])
        #expect(taken.status == 422 && taken.body.contains("role=\"alert\""))
        #expect(taken.body.contains(#"<option value="logins" selected>"#))
    }

    /// A change is one of what others read, so it needs the write key.
    @Test func areChangedWithTheWriteKey() async throws {
        let dashboard = try await Self.dashboard()
        _ = try await Self.make(dashboard, ["logins", "by-ref"], days: "from=last-week&to=monday")
        let page = try await dashboard.get("/questions/board?name=monday")
        #expect(page.body.contains(#"<a href="/questions/new-board?board=monday">Change the board</a>"#))
        let form = try await dashboard.get("/questions/new-board?board=monday")
        #expect(form.body.contains("<h1>Change the board monday</h1>") && form.body.contains(#"name="key""#))
        let chosen = form.body.matches(of: /<option value="([^"]*)" selected>/).map { String($0.1) }
        #expect(chosen == ["logins", "by-ref", "", "from=last-week&amp;to=monday"])
        let fields: [(name: String, value: String)] = [
            ("name", "monday"), ("replace", "1"), ("question1", "by-channel"), ("question2", "logins"), ("days", ""),
        ]
        let refused = try await dashboard.post(fields + [("key", "trib_w_other")], to: "/questions/new-board")
        #expect(refused.status == 403 && refused.body.contains(#"<option value="by-channel" selected>"#))
        let changed = try await dashboard.post(
            fields + [("key", StoredDashboard.writeKey)],
            to: "/questions/new-board"
        )
        #expect(changed.status == 303 && changed.headers[.location] == "/questions/board?name=monday&new=1")
        #expect(try await dashboard.questions.filter(\.isBoard).map(\.members) == [["by-channel", "logins"]])
        #expect(try await dashboard.get("/questions/new-board?board=logins").status == 404)
    }

    /// The clock of these tests stands on the 25th, a Wednesday.
    @Test func showAllQuestionsInTheSameDays() async throws {
        let dashboard = try await Self.dashboard()
        _ = try await Self.make(dashboard, ["logins", "by-ref"], days: "from=last-week&to=monday")
        let before = dashboard.reports.count
        let page = try await dashboard.get("/questions/board?name=monday")
        #expect(page.status == 200)
        let places = ["question-logins", "question-by-ref"].compactMap { page.body.firstRange(of: "<h2 id=\"\($0)\">") }
        #expect(places.count == 2 && places[0].lowerBound < places[1].lowerBound)
        let asked = dashboard.reports.dropFirst(before)
        #expect(Set(asked.map { "\($0["from"] ?? "") \($0["to"] ?? "")" }) == ["2026-11-16 2026-11-23"])
        let others = try await dashboard.get("/questions/board?name=monday&from=2026-11-01&through=2026-11-07")
        #expect(others.body.contains(#"name="from" value="2026-11-01""#))
        #expect(dashboard.reports.last?["to"] == "2026-11-08")
    }

    @Test func saySoIfAQuestionWasDeletedOrIsRefused() async throws {
        let dashboard = try await Self.dashboard()
        _ = try await Self.make(dashboard, ["logins", "by-ref"])
        dashboard.refuse("refs", because: "too many rows")
        let key = (name: "key", value: StoredDashboard.writeKey)
        _ = try await dashboard.post([("name", "logins"), key], to: "/questions/delete")
        let page = try await dashboard.get("/questions/board?name=monday")
        #expect(page.status == 200)
        #expect(page.body.contains("The question was deleted.") && page.body.contains("too many rows"))
    }

    @Test(arguments: ["where=channel%3Dsearch", "by=ref", "form=2026-11-01"])
    func refuseWhatTheyDoNotHave(_ field: String) async throws {
        let dashboard = try await Self.dashboard()
        _ = try await Self.make(dashboard, ["logins"])
        let page = try await dashboard.get("/questions/board?name=monday&\(field)")
        #expect(page.status == 400)
        let name = field.prefix { $0 != "=" }
        #expect(page.body.contains("This page has no parameter ‘\(name)’"))
    }

    @Test func haveTheTotalOfEachPeriodInFewColumns() async throws {
        let dashboard = StoredDashboard()
        var columns: [ReportColumn] = [.text("period", "A day."), .text("channel", "A channel.")]
        columns += (1...9).map { ReportColumn.integer("n\($0)", unit: "events", "A number.") }
        columns.append(.complete)
        let numbers = [ReportCell](repeating: .integer(1), count: 9)
        let rows = (11...30).flatMap { day in
            ["search", "total"].map { channel -> [ReportCell] in
                let names: [ReportCell] = [.text("2026-10-\(day)"), .text(channel)]
                return names + numbers + [ReportCell.flag(true)]
            }
        }
        let table = ReportTable(columns: columns, rows: rows)
        dashboard.answer { _, _ in table }
        _ = try await dashboard.post([("query", "report=channels&by=day"), ("name", "by-day")], to: "/questions/new")
        _ = try await Self.make(dashboard, ["by-day"])
        let page = try await dashboard.get("/questions/board?name=monday")
        #expect(page.body.contains("20 of 40 rows, 8 of 11 columns; the CSV has all."))
    }

    @Test func areListedSentAndDeletedAsQuestionsAre() async throws {
        let dashboard = try await Self.dashboard()
        _ = try await Self.make(dashboard, ["logins"])
        let page = "/questions/board?name=monday"
        #expect(try await dashboard.get("/questions").body.contains(#"<a href="\#(page)">monday</a>"#))
        #expect(try await dashboard.get("/questions/question?name=monday").headers[.location] == page)
        #expect(try await dashboard.get(page).body.contains(#"<a href="/questions/schedule?name=monday">Send me this"#))
        let asked = try await dashboard.get("/questions/delete?name=monday")
        #expect(asked.body.contains("Delete the board monday?") && asked.body.contains("Its questions stay."))
        let key = (name: "key", value: StoredDashboard.writeKey)
        #expect(try await dashboard.post([("name", "monday"), key], to: "/questions/delete").status == 303)
        #expect(try await dashboard.get(page).status == 404)
        #expect(try await dashboard.get("/questions/board?name=logins").status == 404)
        #expect(try await dashboard.get("/questions").body.contains("Restore monday"))
    }
}
