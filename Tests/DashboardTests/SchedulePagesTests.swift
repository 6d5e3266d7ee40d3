import HTTPTypes
import Reporting
import Storage
import Testing
import Time

@testable import Dashboard

@Suite("Schedules and notes in the dashboard")
struct SchedulePagesTests {
    private static let key = (name: "key", value: StoredDashboard.writeKey)

    private static func dashboard() async throws -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        _ = try await dashboard.post([("query", "report=channels"), ("name", "weekly")], to: "/questions/new")
        return dashboard
    }

    private static let form: [(name: String, value: String)] = [
        ("name", "weekly"), ("column", ""), ("row", ""), ("every", "week:monday"), ("at", "07:30"),
        ("to", "mail:ann@example.com"), ("format", "csv"),
    ]

    @Test func areMadeAndEndedWithAWriteKey() async throws {
        let dashboard = try await Self.dashboard()
        let page = try await dashboard.get("/questions/question?name=weekly")
        #expect(page.body.contains(#"<a href="/questions/schedule?name=weekly">Send me this</a>"#))
        let asked = try await dashboard.get("/questions/schedule?name=weekly")
        #expect(
            asked.status == 200 && asked.body.contains("changes of touches")
                && !asked.body.contains("changes of channel")
        )
        for key in ["", "trib_r_shop", "trib_w_other"] {
            let refused = try await dashboard.post(Self.form + [("key", key)], to: "/questions/schedule")
            #expect(refused.status == 403 && refused.body.contains("value=\"mail:ann@example.com\""), "\(key)")
        }
        #expect(try await dashboard.schedules.isEmpty)
        let made = try await dashboard.post(Self.form + [Self.key], to: "/questions/schedule")
        #expect(made.status == 303)
        #expect(try await dashboard.schedules.map(\.words) == ["every week:monday at 07:30"])
        // A reader sees no address.
        let shown = try await dashboard.get("/questions/question?name=weekly")
        #expect(shown.body.contains("mail to example.com") && !shown.body.contains("ann@"))
        let list = try await dashboard.get("/questions")
        #expect(list.body.contains(">mail to example.com, every week:monday at 07:30</td>"))
        #expect(!list.body.contains("ann@"))
        let number: [(name: String, value: String)] = [("name", "weekly"), ("number", "1")]
        #expect(try await dashboard.get("/questions/unschedule?name=weekly&number=1").body.contains("no more?"))
        let kept = try await dashboard.post(number + [("key", "trib_r_shop")], to: "/questions/unschedule")
        #expect(kept.status == 403)
        #expect(try await dashboard.schedules.count == 1)
        let ended = try await dashboard.post(number + [Self.key], to: "/questions/unschedule")
        #expect(ended.status == 303)
        #expect(try await dashboard.schedules.isEmpty)
        let again = try await dashboard.get("/questions/unschedule?name=weekly&number=1")
        #expect(again.headers[.location] == "/questions/question?name=weekly")
    }

    @Test func leadToASharedPageIfTheyShall() async throws {
        let dashboard = try await Self.dashboard()
        #expect(try await dashboard.get("/questions/schedule?name=weekly").body.contains(#"name="share" value="1">"#))
        let form = Self.form + [(name: "share", value: "1")]
        let refused = try await dashboard.post(form, to: "/questions/schedule")
        #expect(refused.status == 403 && refused.body.contains(#"name="share" value="1" checked>"#))
        #expect(try await dashboard.post(form + [Self.key], to: "/questions/schedule").status == 303)
        #expect(try await dashboard.schedules.map(\.words) == ["every week:monday at 07:30, with a shared page"])
    }

    @Test func sayWhatIsWrong() async throws {
        let dashboard = try await Self.dashboard()
        for (field, value) in [("to", "ann"), ("every", "hour"), ("at", "25:00")] {
            let form = Self.form.map { $0.name == field ? (name: field, value: value) : $0 } + [Self.key]
            let refused = try await dashboard.post(form, to: "/questions/schedule")
            #expect(refused.status == 422 && refused.body.contains("role=\"alert\""), "\(field)")
        }
        let unknown = try await dashboard.get("/questions/schedule?name=nothing")
        #expect(unknown.status == 400)
    }

    @Test func listWhatWasSent() async throws {
        let dashboard = try await Self.dashboard()
        let day = try #require(CivilDate("2026-11-16"))
        let form = Self.form.map { field in
            field.name == "to" ? (name: "to", value: "slack:https://hooks.slack.com/services/secret") : field
        }
        #expect(try await dashboard.post(form + [Self.key], to: "/questions/schedule").status == 303)
        let schedule = try #require(try await dashboard.schedules.first?.number)
        let (store, now) = (ScheduleStore(pool: try await dashboard.pool()), StoredDashboard.now)
        try await store.claim(schedule, from: day, to: CivilDate(number: day.number + 7), now: now)
        let run = try #require(try await store.take(now: now, holding: .seconds(60)))
        let remark = "the mailbox of ann@example.com is full"
        try await store.finish(run, as: .failed, remark: remark, retry: nil, memory: nil, now: now)
        let page = try await dashboard.get("/questions/question?name=weekly")
        #expect(page.body.contains("2026-11-16 to 2026-11-22") && page.body.contains("<td>Slack</td>"))
        #expect(!page.body.contains("secret") && !page.body.contains("ann@"))
    }

    @Test func noteWhatHappened() async throws {
        let dashboard = try await Self.dashboard()
        let form: [(name: String, value: String)] = [("day", "2026-11-24"), ("text", "version 2 <out>")]
        let refused = try await dashboard.post(form + [("key", "trib_r_shop")], to: "/questions/notes")
        #expect(refused.status == 403 && refused.body.contains("value=\"version 2 &lt;out&gt;\""))
        #expect(try await dashboard.notes.isEmpty)
        #expect(try await dashboard.post(form + [Self.key], to: "/questions/notes").status == 303)
        let list = try await dashboard.get("/questions/notes")
        #expect(list.status == 200 && list.body.contains("version 2 &lt;out&gt;"))
        let asked = try await dashboard.get("/questions/notes/delete?number=1")
        #expect(asked.status == 200 && asked.body.contains("Delete this note?"))
        let kept = try await dashboard.post([("number", "1")], to: "/questions/notes/delete")
        #expect(kept.status == 403)
        #expect(try await dashboard.notes.count == 1)
        #expect(try await dashboard.post([("number", "1"), Self.key], to: "/questions/notes/delete").status == 303)
        #expect(try await dashboard.notes.isEmpty)
        let again = try await dashboard.get("/questions/notes/delete?number=1")
        #expect(again.headers[.location] == "/questions/notes")
    }

    @Test(arguments: ["/questions/schedule", "/questions/unschedule", "/questions/notes", "/questions/notes/delete"])
    func refuseTheFormsOfOtherSites(path: String) async throws {
        let dashboard = try await Self.dashboard()
        let form = Self.form + [("day", "2026-11-24"), ("text", "x"), ("number", "1"), Self.key]
        let answer = try await dashboard.post(form, to: path, headers: ["Sec-Fetch-Site": "cross-site"])
        #expect(answer.status == 403)
        #expect(try await dashboard.schedules.isEmpty)
        #expect(try await dashboard.notes.isEmpty)
    }

    @Test func notesStandInCharts() throws {
        let notes = [
            Note(number: 1, day: try #require(CivilDate("2026-11-18")), text: "version 2"),
            Note(number: 2, day: try #require(CivilDate("2026-11-24")), text: "outage"),
        ]
        let span = try DateSpan(
            FormFields("from=2026-11-09&through=2026-11-29"),
            timeZone: "UTC",
            now: StoredDashboard.now
        )
        let starts = ["2026-11-09", "2026-11-16", "2026-11-23"]
        let periods = ChartPeriods(starts, of: "week", in: span, today: "2026-11-25", noted: notes)
        #expect(periods.notedPositions == [1, 2])
        #expect(periods.remark("2026-11-09") == nil && periods.remark("2026-11-16") == "version 2")
        #expect(periods.remark("2026-11-23") == "not over, outage")
        #expect(periods.notes.last == "Noted: 2026-11-18 version 2; 2026-11-24 outage.")
        let drawing = PeriodChart.drawing(periods, series: [.init(name: "Touches", cssClass: "a", values: [1, 2, 3])])
        #expect(drawing.matches(of: /class="noted"/).count == 2)
    }
}
