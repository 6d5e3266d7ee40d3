import HTTPTypes
import Testing
import Time

@testable import Dashboard
@testable import Reporting

@Suite("Views of funnels")
struct FunnelViewTests {
    @Test(arguments: [("second tap", "touch,touch"), ("first own post", "touch,install,feed_post[outcome=posted]")])
    func offerFunnelsReadyMade(name: String, steps: String) async throws {
        let dashboard = ViewTests.dashboard()
        let page = try await dashboard.get("/funnels?by=ref")
        let pattern = try Regex("<a href=\"([^\"]*)\"[^>]*>\(name)</a>", as: (Substring, Substring).self)
        let link = try #require(page.body.firstMatch(of: pattern)).1
        #expect(try await dashboard.get(String(link).replacing("&amp;", with: "&")).status == 200)
        let asked = try #require(dashboard.reports.last { $0.name == "funnel" })
        #expect([asked["steps"], asked["by"]] == [steps, "ref"])
    }

    @Test func takeStepsOneByOne() async throws {
        let dashboard = ViewTests.dashboard()
        let query = "step1=touch&step2=&step3=install&step4=conversion%3Apremium&window=3d"
        let page = try await dashboard.get("/funnels?from=2026-11-01&through=2026-11-07&\(query)")
        #expect(page.status == 303)
        #expect(
            page.headers[.location] == "/funnels?from=2026-11-01&through=2026-11-07"
                + "&steps=touch%2Cinstall%2Cconversion%3Apremium&window=3d"
        )
        #expect(dashboard.reports.isEmpty)
    }

    @Test func offerOneStepMore() async throws {
        let page = try await ViewTests.dashboard().get("/funnels?steps=touch,install%7Cauthentication")
        #expect(page.body.contains(#"<option value="touch" selected>touch</option>"#))
        // A step of two events stays, although it is in no list.
        #expect(
            page.body.contains(
                #"<option value="install|authentication" selected>install or authentication</option>"#
            )
        )
        #expect(page.body.contains(#"<select name="step3" form="view"><option value="" selected>(none)</option>"#))
        #expect(!page.body.contains(#"name="step4""#))
    }

    @Test(arguments: [
        ("touch", "touch", ""), ("touch[ref=a,b]", "touch", "ref=a,b"),
        ("install|touch[ref=a]", "install|touch[ref=a]", ""), ("touch|install", "touch|install", ""),
        ("touch[ref=a|b]|install[ref=a|b]", "touch|install", "ref=a|b"),
        ("touch[ref=a][platform=ios]", "touch[ref=a][platform=ios]", ""),
    ])
    func tellAStepFromItsCondition(step: String, event: String, condition: String) {
        let parts = StepChoices.parts(step)
        #expect(parts.event == event && parts.condition == condition)
    }

    @Test func takeConditionsOfSteps() async throws {
        let dashboard = ViewTests.dashboard()
        let days = "from=2026-11-01&through=2026-11-07"
        let sent = try await dashboard.get(
            "/funnels?\(days)&step1=touch&condition1=ref%3Da%2Cb&step2=&condition2=x%3Dy&step3=install"
        )
        #expect(sent.headers[.location] == "/funnels?\(days)&steps=touch%5Bref%3Da%2Cb%5D%2Cinstall")
        let page = try await dashboard.get(try #require(sent.headers[.location]))
        #expect(page.status == 200)
        #expect(page.body.contains(#"<option value="touch" selected>touch</option>"#))
        #expect(page.body.contains(#"<input name="condition1" form="view" value="ref=a,b""#))
        #expect(page.body.contains(#"<details class="more" open>"#))
        let usual = try await dashboard.get("/funnels")
        #expect(usual.body.contains(#"<details class="more"><summary>"#))
    }

    /// Each event of a step has the condition; one of a step that is not there, or of blanks, is none.
    @Test(arguments: [
        ("step1=touch%7Cinbound_link&condition1=ref%3Da", "&steps=touch%5Bref%3Da%5D%7Cinbound_link%5Bref%3Da%5D"),
        ("step1=touch&condition1=%20", "&steps=touch"), ("condition1=ref%3Da", ""), ("step1=&condition1=ref%3Da", ""),
    ])
    func takeConditionsOfAllEventsOfAStep(sent: String, steps: String) async throws {
        let days = "from=2026-11-01&through=2026-11-07"
        let page = try await ViewTests.dashboard().get("/funnels?\(days)&\(sent)")
        #expect(page.headers[.location] == "/funnels?\(days)\(steps)")
    }

    /// A step of the install funnel cannot be excluded there; the other funnel has figures.
    @Test func takeAnOrderAndWhatMustNotOccur() async throws {
        let dashboard = ViewTests.dashboard()
        let page = try await dashboard.get("/funnels?steps=touch,conversion&order=strict&exclude=feed_post&matured=on")
        let asked = dashboard.reports.filter { ["funnel", "installs"].contains($0.name) }
        #expect(asked.count == 2)
        #expect(asked.allSatisfy { [$0["order"], $0["exclude"], $0["matured"]] == ["strict", "feed_post", "on"] })
        #expect(page.body.contains(#"<option value="strict" selected>with nothing in between</option>"#))
        let refused = try await dashboard.get("/funnels?steps=touch,conversion&exclude=authentication")
        #expect(refused.status == 200)
    }

    private static func funnels(_ groups: [(name: String, people: Int64, reached: Int64, open: Int64)])
        -> StoredDashboard
    {
        ViewTests.dashboard { name, _ in
            guard name == "funnel" else { return nil }
            let rows = groups.flatMap { group in
                [(1, "touch", group.people, Int64(0)), (2, "install", group.reached, group.open)].map { row in
                    FunnelReport.columns.map { column -> ReportCell in
                        switch column.name {
                        case "group": .text(group.name)
                        case "step": .integer(Int64(row.0))
                        case "name": .text(row.1)
                        case "people": .integer(row.2)
                        case "open": .integer(row.3)
                        case "rate_from_first": .fraction(row.2, of: group.people)
                        default: .empty
                        }
                    }
                }
            }
            return ReportTable(columns: FunnelReport.columns, rows: rows)
        }
    }

    @Test func orderGroupsByTheirRate() async throws {
        let dashboard = Self.funnels([
            ("large", 900, 9, 0), ("good", 90, 45, 0), ("tiny", 2, 2, 0), ("total", 992, 56, 0),
        ])
        for (sort, wanted) in [
            ("", ["total", "large", "good", "tiny"]), ("&sort=rate", ["total", "good", "large", "tiny"]),
            ("&sort=rate%3Areverse", ["total", "large", "good", "tiny"]),
        ] {
            let page = try await dashboard.get("/funnels?by=ref\(sort)")
            let names = page.body.matches(of: /<figcaption>([a-z]*)</).map { String($0.1) }
            // The install funnel has no groups.
            #expect(names == wanted + ["total"], "\(sort)")
        }
        #expect(try await dashboard.get("/funnels?by=ref&sort=moon").status == 400)
    }

    /// A rate that can still grow would look like a fall.
    @Test func drawAFunnelOverTime() async throws {
        let dashboard = Self.funnels([
            ("2026-11-03", 100, 50, 0), ("2026-11-02", 10, 9, 0), ("2026-11-04", 100, 10, 5), ("total", 210, 69, 5),
        ])
        let page = try await dashboard.get("/funnels?by=day&steps=touch,install&from=2026-11-02&through=2026-11-04")
        #expect(page.body.contains("<title>Mon 2026-11-02: 90.0 % install</title>"))
        // Those of a day may begin again on another, so a sum would be more people than there are.
        #expect(page.body.contains("touch: 100 at most"))
        #expect(!page.body.contains("210 in all"))
        #expect(page.body.contains("<title>Wed 2026-11-04, not over: 10.0 % install</title>"))
        #expect(page.body.contains("line series-1 dashed") && page.body.contains("<figcaption>total</figcaption>"))
    }

    @Test func drawAFunnelByWeek() async throws {
        let dashboard = Self.funnels([
            ("2026-11-02", 100, 50, 0), ("2026-11-09", 10, 2, 0), ("total", 110, 52, 0),
        ])
        let page = try await dashboard.get("/funnels?by=week&steps=touch,install&from=2026-11-02&through=2026-11-15")
        #expect(dashboard.reports.first { $0.name == "funnel" }?["by"] == "week")
        #expect(
            page.body.contains("<title>2026-11-02: 50.0 % install</title>") && page.body.contains("touch: 100 at most")
        )
        // A click on a week leads to its days.
        #expect(page.body.contains("/funnels?from=2026-11-09&amp;through=2026-11-15&amp;"))
    }
}
