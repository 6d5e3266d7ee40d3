import HTTPTypes
import Testing

@testable import Dashboard
@testable import Reporting

@Suite("Saved questions in the dashboard")
struct QuestionPagesTests {
    /// In Berlin, the 25th.
    private static let range = "from=2026-11-19&to=2026-11-26"

    private static func dashboard() -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        return dashboard
    }

    /// The form of a page as a browser sends it.
    private static func query(_ page: StoredDashboard.Answer) throws -> String {
        let field = try #require(page.body.firstMatch(of: /name="query" value="([^"]*)"/))
        return String(field.1).replacing("&amp;", with: "&")
    }

    private static func save(
        _ dashboard: StoredDashboard,
        _ query: String,
        name: String = "by-channel",
        others: [(name: String, value: String)] = []
    ) async throws -> StoredDashboard.Answer {
        try await dashboard.post([("query", query), ("name", name)] + others, to: "/questions/new")
    }

    @Test func areSavedFromAnyTable() async throws {
        let dashboard = Self.dashboard()
        let view = try await dashboard.get(
            "/funnels?from=2026-11-01&through=2026-11-07&where=channel%3Dsearch&where=ref%21%3Da&by=ref&window=3d"
        )
        let link = try #require(view.body.firstMatch(of: /<a href="(\/questions\/new[^"]*)">Save/))
        let form = try await dashboard.get(String(link.1).replacing("&amp;", with: "&"))
        #expect(form.status == 200)
        // These days do not end today, so they do not move.
        #expect(!form.body.contains("always the last"))
        let saved = try await Self.save(dashboard, try Self.query(form))
        #expect(saved.status == 303)
        #expect(saved.headers[.location] == "/questions/question?name=by-channel&new=1")
        let question = try #require(try await dashboard.questions.first)
        #expect(question.report == "funnel")
        #expect(
            question.parameters.map { "\($0.name)=\($0.value)" } == [
                "from=2026-11-01", "to=2026-11-08", "by=ref", "window=3d", "where=channel=search", "where=ref!=a",
            ]
        )
    }

    /// Neither a view nor the form shows a secret of the address again.
    @Test func showNoSecrets() async throws {
        let dashboard = Self.dashboard()
        for path in ["/funnels", "/compare", "/questions/new?report=refs&goal=access_token%3Dsesame"] {
            let separator = path.contains("?") ? "&" : "?"
            let page = try await dashboard.get("\(path)\(separator)where=goal%3Daccess_token%3Dsesame")
            #expect(!page.body.contains("sesame"), "\(path)")
            #expect(page.body.contains("REDACTED"), "\(path)")
        }
    }

    @Test func moveWithTheDaysIfAskedTo() async throws {
        let dashboard = Self.dashboard()
        let form = try await dashboard.get("/questions/new?report=channels&\(Self.range)&goal=x")
        #expect(form.body.contains(">always the last 7 days</option>"))
        let query = try Self.query(form)
        _ = try await Self.save(dashboard, query, name: "moving", others: [("days", "last")])
        _ = try await Self.save(dashboard, query, name: "staying", others: [("days", "these")])
        let parameters = try await dashboard.questions.map { $0.parameters.map { "\($0.name)=\($0.value)" } }
        #expect(parameters == [["from=7days", "goal=x"], ["from=2026-11-19", "to=2026-11-26", "goal=x"]])
        // It has the days of the view.
        let page = try await dashboard.get("/questions/question?name=moving")
        #expect(page.body.contains(#"<a href="/?from=2026-11-19&amp;goal=x">Open it in Overview</a>"#))
    }

    @Test func sayWhenANameIsTaken() async throws {
        let dashboard = Self.dashboard()
        let query = "report=channels&\(Self.range)"
        #expect(try await Self.save(dashboard, query).status == 303)
        let again = try await Self.save(dashboard, "report=refs&\(Self.range)")
        #expect(again.status == 422)
        #expect(again.body.contains("role=\"alert\"") && again.body.contains("name=\"replace\""))
        #expect(try Self.query(again) == "report=refs&\(Self.range)")
        #expect(try await dashboard.questions.map(\.report) == ["channels"])
        #expect(again.body.contains("id=\"key\""))
        for key in ["", "trib_r_shop", "trib_w_other"] {
            let refused = try await Self.save(
                dashboard,
                "report=refs&\(Self.range)",
                others: [("replace", "1"), ("key", key)]
            )
            #expect(refused.status == 403 && refused.body.contains("id=\"key-problem\""), "\(key)")
        }
        #expect(try await dashboard.questions.map(\.report) == ["channels"])
        let replaced = try await Self.save(
            dashboard,
            "report=refs&\(Self.range)",
            others: [("replace", "1"), ("key", StoredDashboard.writeKey)]
        )
        #expect(replaced.status == 303)
        #expect(try await dashboard.questions.map(\.report) == ["refs"])
    }

    @Test func areListedShownAndDeleted() async throws {
        let dashboard = Self.dashboard()
        _ = try await Self.save(dashboard, "report=attribution&from=2026-11-01&to=2026-11-08&event=install&model=all")
        let list = try await dashboard.get("/questions")
        #expect(list.body.contains(#"<a href="/questions/question?name=by-channel">by-channel</a>"#))
        let page = try await dashboard.get("/questions/question?name=by-channel&new=1")
        #expect(page.status == 200)
        #expect(page.body.contains("The question is saved."))
        #expect(page.body.contains("GET /v1/questions/by-channel.csv"))
        #expect(
            page.body.contains(#"<a href="/attribution?from=2026-11-01&amp;through=2026-11-07&amp;event=install">Open"#)
        )
        #expect(dashboard.reports.last?["event"] == "install")
    }

    private static let deletion: [(name: String, value: String)] = [
        ("name", "by-channel"), ("key", StoredDashboard.writeKey),
    ]

    @Test func areDeletedOnlyWithAWriteKey() async throws {
        let dashboard = Self.dashboard()
        _ = try await Self.save(dashboard, "report=refs&by=week")
        let list = try await dashboard.get("/questions")
        #expect(list.body.contains(#"<a href="/questions/delete?name=by-channel" aria-label="Delete by-channel">"#))
        #expect(!list.body.contains("Deleted questions") && !list.body.contains("<form method=\"post\" action=\"/q"))
        let asked = try await dashboard.get("/questions/delete?name=by-channel")
        #expect(asked.status == 200 && asked.body.contains("<h1>Delete the question by-channel?</h1>"))
        #expect(asked.body.contains("restored for 30 days"))
        for key in ["", "trib_r_shop", "trib_w_other", "nonsense"] {
            let refused = try await dashboard.post([("name", "by-channel"), ("key", key)], to: "/questions/delete")
            #expect(refused.status == 403 && refused.body.contains("id=\"key-problem\""), "\(key)")
            #expect(try await dashboard.questions.count == 1)
        }
        let deleted = try await dashboard.post(Self.deletion, to: "/questions/delete")
        #expect(deleted.status == 303)
        #expect(try await dashboard.questions.isEmpty)
        #expect(try await dashboard.get("/questions/question?name=by-channel").status == 404)
        #expect(try await dashboard.get("/questions/delete?name=by-channel").status == 404)
    }

    @Test func areRestoredUnlessTheirNameIsTaken() async throws {
        let dashboard = Self.dashboard()
        _ = try await Self.save(dashboard, "report=refs&by=week")
        _ = try await dashboard.post(Self.deletion, to: "/questions/delete")
        let list = try await dashboard.get("/questions")
        let link = try #require(list.body.firstMatch(of: /<a href="([^"]*)" aria-label="Restore by-channel"/))
        let form = try await dashboard.get(String(link.1).replacing("&amp;", with: "&"))
        #expect(form.status == 200 && form.body.contains("Restore the question by-channel?"))
        let number = try #require(form.body.firstMatch(of: /name="number" value="([^"]*)"/))
        let reading: [(name: String, value: String)] = [("name", "by-channel"), ("number", String(number.1))]
        let refused = try await dashboard.post(reading + [("key", "trib_r_shop")], to: "/questions/restore")
        #expect(refused.status == 403)
        #expect(try await dashboard.questions.isEmpty)
        let restoring = reading + [("key", StoredDashboard.writeKey)]
        _ = try await Self.save(dashboard, "report=channels")
        let taken = try await dashboard.post(restoring, to: "/questions/restore")
        #expect(
            taken.status == 400
                && taken.body.contains("the name &#39;by-channel&#39; is taken: there is another question")
        )
        _ = try await dashboard.post(Self.deletion, to: "/questions/delete")
        let restored = try await dashboard.post(restoring, to: "/questions/restore")
        #expect(restored.headers[.location] == "/questions/question?name=by-channel")
        #expect(try await dashboard.questions.map(\.report) == ["refs"])
        #expect(try await dashboard.deletedQuestions.map(\.report) == ["channels"])
    }

    @Test(
        arguments: [
            ("funnel", [("by", "ref"), ("step-window", "1:1h")]), ("channels", [("from", "2026-11-01T09:00:00Z")]),
            ("channels", [("from", "7d")]),
            ("links", []),
        ] as [(String, [(name: String, value: String)])]
    )
    func leadToNoViewThatWouldShowSomethingElse(report: String, parameters: [(name: String, value: String)])
        async throws
    {
        let dashboard = Self.dashboard()
        let query = FormFields.encode([("report", report)] + parameters)
        #expect(try await Self.save(dashboard, query).status == 303)
        let page = try await dashboard.get("/questions/question?name=by-channel")
        #expect(page.status == 200 && !page.body.contains("Open it in"))
    }

    @Test(arguments: ["/questions/new", "/questions/delete", "/questions/restore"])
    func refuseTheFormsOfOtherSites(path: String) async throws {
        let dashboard = Self.dashboard()
        _ = try await Self.save(dashboard, "report=channels")
        let form = [
            (name: "name", value: "by-channel"), (name: "query", value: "report=refs"), ("replace", "1"),
            ("key", StoredDashboard.writeKey),
        ]
        let answer = try await dashboard.post(form, to: path, headers: ["Sec-Fetch-Site": "cross-site"])
        #expect(answer.status == 403)
        #expect(try await dashboard.questions.map(\.report) == ["channels"])
        let stranger = try await dashboard.post(form, to: path, isSignedIn: false)
        #expect(stranger.status == 303)
        #expect(try await dashboard.questions.map(\.report) == ["channels"])
    }
}
