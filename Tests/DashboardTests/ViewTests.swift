import HTTPTypes
import Testing
import Time

@testable import Dashboard
@testable import Reporting

@Suite("Views of reports")
struct ViewTests {
    private static func dashboard(_ tables: @escaping StoredDashboard.Tables = { _, _ in nil }) -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer(tables)
        return dashboard
    }

    @Test(arguments: View.allCases)
    func areShownWithoutAnyEvent(view: View) async throws {
        let page = try await Self.dashboard().get(view.path)
        #expect(page.status == 200)
        #expect(page.body.contains("<h1>\(view.title)</h1>"))
        let door = Door.allCases.first { $0.views.contains(view) }
        #expect(page.body.contains("aria-current=\"true\">\(door?.title ?? view.title)</a>"))
        let listed = page.body.contains("aria-current=\"page\">\(view.title)</a>")
        #expect(listed == (door.map { !$0.listed.isEmpty } ?? false))
    }

    /// No view is without a way to it.
    @Test func areEachBehindOneDoor() {
        #expect(Set(Door.allCases.flatMap(\.views) + [.live]) == Set(View.allCases))
        #expect(Door.allCases.flatMap(\.views).count + 1 == View.allCases.count)
    }

    @Test(arguments: [
        ("/?form=2026-01-01", "‘form’", "‘from’"), ("/funnels?bye=ref", "‘bye’", "‘by’"),
        ("/paths?gaol=x", "‘gaol’", "‘goal’"), ("/links?txt=x", "‘txt’", "‘text’"),
    ])
    func refuseAParameterThatTheyDoNotHave(path: String, name: String, meant: String) async throws {
        let page = try await Self.dashboard().get(path)
        #expect(page.status == 400)
        #expect(page.body.contains("This page has no parameter \(name). Did you mean \(meant)?"))
    }

    /// Such as that history is being read again.
    @Test(arguments: View.allCases)
    func sayWhatReadersOfFiguresMustKnow(view: View) async throws {
        let dashboard = Self.dashboard()
        let notice = "history is being <read> again"
        #expect(try await !dashboard.get(view.path).body.contains("role=\"status\""))
        dashboard.notice(notice)
        let page = try await dashboard.get(view.path)
        let isShown = page.body.contains(
            "<p class=\"problem\" role=\"status\">History is being &lt;read&gt; again.</p>"
        )
        #expect(isShown == ![.live, .money, .questions].contains(view))
    }

    /// A value that occurs nowhere is no fact of zero. Both funnels say so; the page says it once.
    @Test func warnOfAValueThatOccursNowhere() async throws {
        let dashboard = Self.dashboard()
        let values = (goal: NamedValue(parameter: "steps", kind: .goal, text: "<premuim>"), ref: "gfit")
        let goal = ReportWarning(values.goal, among: ["premium"])
        let ref = ReportWarning(NamedValue(parameter: "where", kind: .key(.ref), text: values.ref), among: [])
        dashboard.warn([goal, ref], of: "funnel")
        dashboard.warn([ref], of: "installs")
        let page = try await dashboard.get("/funnels?steps=touch,conversion:premuim&where=ref%3Dgfit")
        let said = page.body.matches(of: /<p class="problem" role="status">([^<]*)<\/p>/).map { String($0.1) }
        #expect(
            said == [
                "steps: the goal &#39;&lt;premuim&gt;&#39; occurs in no event of the app; "
                    + "did you mean &#39;premium&#39;?",
                "where: the ref &#39;gfit&#39; occurs in no event of the app; no event has a ref.",
            ]
        )
        #expect(try await !dashboard.get("/attribution").body.contains("occurs in no event"))
    }

    /// It is so on every day, and no fault.
    @Test func sayAtTheFootWhatIsInOtherCurrencies() async throws {
        let dashboard = Self.dashboard()
        let warning = ReportWarning(
            sums: [.init(currency: "EUR", amount: .integer(5))],
            message: "2 conversions in other currencies are not in value: 5 EUR"
        )
        dashboard.warn([warning], of: "channels")
        let page = try await dashboard.get("/")
        let said = "<p class=\"hint\">2 conversions in other currencies are not in value: 5 EUR.</p>"
        #expect(page.body.ranges(of: said).count == 1 && !page.body.contains("role=\"status\""))
    }

    @Test func listWhatTheyHaveIfNothingIsClose() async throws {
        let page = try await Self.dashboard().get("/live?x=1")
        #expect(page.status == 400)
        #expect(page.body.contains("It has: from, through"))
        // A secret in the wrong place is not repeated.
        let secret = try await Self.dashboard().get("/live?access_token%3Dsecretsecretsecret=1")
        #expect(secret.status == 400 && !secret.body.contains("secretsecret"))
    }

    @Test func showTheKOfViral() async throws {
        let dashboard = Self.dashboard { name, _ in
            guard name == "viral" else { return nil }
            let cells: [ReportCell] = [
                .text("total"), .integer(9), .integer(8), .integer(7), .integer(6), .integer(2),
                .integer(5), .fraction(millionths: 625_000), .fraction(millionths: 555_556), .integer(4), .empty,
            ]
            return ReportTable(columns: ViralReport.columns, rows: [cells])
        }
        let page = try await dashboard.get("/")
        #expect(page.body.contains(">K, traced</a></dt><dd>0.63</dd>"))
        #expect(page.body.contains("at least; 77.8 % of touches traced"))
        // Whatever the days are, each post has had the same time.
        let asked = try #require(dashboard.reports.last { $0.name == "viral" })
        #expect([asked["within"], asked["matured"]] == ["7d", "on"])
        let viral = try await dashboard.get("/viral?within=7d")
        #expect(viral.body.contains("K grows with the number of days"))
        #expect(viral.body.contains("<dt>Installs per post</dt><dd>0.556</dd>"))
    }

    /// A choice of the form must not move the days.
    @Test(arguments: ["/viral", "/funnels", "/attribution", "/paths", "/retention"])
    func keepTheDaysInTheirForm(path: String) async throws {
        let page = try await Self.dashboard().get("\(path)?from=2026-11-01&through=2026-11-07")
        let form = try #require(page.body.firstMatch(of: /(?s)<form class="days" id="view".*?<\/form>/))
        #expect(form.output.contains(#"name="from" value="2026-11-01""#))
        #expect(form.output.contains(#"name="through" value="2026-11-07""#))
        // Days, options and a filter are one form with one button.
        #expect(page.body.ranges(of: ">Apply</button>").count == 1 && !page.body.contains(">Choose</button>"))
        #expect(page.body.contains(#"<button type="submit" form="view">Apply</button>"#))
    }

    @Test func compareWithTheRangeBeforeUpToTheSameTimeOfDay() async throws {
        let dashboard = Self.dashboard()
        _ = try await dashboard.get("/?from=2026-11-24")
        let ranges = dashboard.reports.filter { $0.name == "refs" && $0["by"] == nil }.map {
            [$0["from"], $0["to"]]
        }
        // 15:00 in Berlin.
        #expect(ranges == [["2026-11-24", "2026-11-26"], ["2026-11-22", "2026-11-23T14:00:00Z"]])
    }

    @Test func compareWithNoDaysBeforeTheFirstEvent() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard ["channels", "refs"].contains(name), !parameters.contains(where: { $0.name == "by" }) else {
                return nil
            }
            let touches: Int64 = parameters.contains { $0 == ("from", "2026-11-22") } ? 20 : 30
            return ReportTable(
                columns: [.text(String(name.dropLast()), ""), .touches],
                rows: [[.text("total"), .integer(touches)]]
            )
        }
        let tile = ">Touches</a></dt><dd>30</dd><dd class=\"change "
        let old = try await dashboard.get("/?from=2026-11-24")
        #expect(old.body.contains(tile + "up\"><a href=\"/changes?") && old.body.contains(">+50 %</a></dd>"))
        dashboard.begin(at: Timestamp(microseconds: StoredDashboard.now.microseconds - 3 * 86_400_000_000))
        let young = try await dashboard.get("/?from=2026-11-24")
        #expect(young.body.contains(tile + "same\"></dd>"))
        #expect(
            young.body.contains("No comparison: the app&#39;s first event is of 2026-11-22 15:00, and the range before")
        )
    }

    // MARK: Logins

    /// Only keys of logins have the share of people with a failed one; of others, the funnel is compared.
    @Test func compareFailedLoginsOfVersions() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "breakdown", let key = parameters.first(where: { $0.name == "by" })?.value else { return nil }
            let rows = ["2.0", "1.9", "total"].map { [ReportCell.text($0), .integer(9)] }
            return ReportTable(columns: [.text(key, ""), .touches], rows: rows)
        }
        let logins = try await dashboard.get("/logins")
        let link = try #require(logins.body.firstMatch(of: /<a href="([^"]*)">Compare them<\/a>/)).1
        let page = try await dashboard.get(String(link).replacing("&amp;", with: "&"))
        #expect(page.status == 200 && page.body.contains("Share of people with a failed login"))
        #expect(page.body.contains("<option value=\"login_failure\" selected>"))
        let asked = try #require(dashboard.reports.last { $0.name == "compare" })
        #expect([asked["by"], asked["metric"], asked["a"]] == ["app_version", "login_failure", "2.0"])
        let pages = try await dashboard.get("/compare?by=page&metric=login_failure")
        #expect(pages.status == 200 && !pages.body.contains("<select name=\"metric\""))
        #expect(dashboard.reports.last { $0.name == "compare" }?["metric"] == nil)
    }

    // MARK: Steps

    @Test(arguments: [("second tap", "touch,touch"), ("first own post", "touch,install,feed_post[outcome=posted]")])
    func offerFunnelsReadyMade(name: String, steps: String) async throws {
        let dashboard = Self.dashboard()
        let page = try await dashboard.get("/funnels?by=ref")
        let pattern = try Regex("<a href=\"([^\"]*)\"[^>]*>\(name)</a>", as: (Substring, Substring).self)
        let link = try #require(page.body.firstMatch(of: pattern)).1
        #expect(try await dashboard.get(String(link).replacing("&amp;", with: "&")).status == 200)
        let asked = try #require(dashboard.reports.last { $0.name == "funnel" })
        #expect([asked["steps"], asked["by"]] == [steps, "ref"])
    }

    @Test func takeStepsOneByOne() async throws {
        let dashboard = Self.dashboard()
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
        let page = try await Self.dashboard().get("/funnels?steps=touch,install%7Cauthentication")
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
        let dashboard = Self.dashboard()
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
        let page = try await Self.dashboard().get("/funnels?\(days)&\(sent)")
        #expect(page.headers[.location] == "/funnels?\(days)\(steps)")
    }

    /// A step of the install funnel cannot be excluded there; the other funnel has figures.
    @Test func takeAnOrderAndWhatMustNotOccur() async throws {
        let dashboard = Self.dashboard()
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
        dashboard { name, _ in
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
        #expect(page.body.contains("<title>Mon 2026-11-02: 90 % install</title>"))
        // Those of a day may begin again on another, so a sum would be more people than there are.
        #expect(page.body.contains("touch: 100 at most"))
        #expect(!page.body.contains("210 in all"))
        #expect(page.body.contains("<title>Wed 2026-11-04, not over: 10 % install</title>"))
        #expect(page.body.contains("line series-1 dashed") && page.body.contains("<figcaption>total</figcaption>"))
    }

    @Test func drawAFunnelByWeek() async throws {
        let dashboard = Self.funnels([
            ("2026-11-02", 100, 50, 0), ("2026-11-09", 10, 2, 0), ("total", 110, 52, 0),
        ])
        let page = try await dashboard.get("/funnels?by=week&steps=touch,install&from=2026-11-02&through=2026-11-15")
        #expect(dashboard.reports.first { $0.name == "funnel" }?["by"] == "week")
        #expect(
            page.body.contains("<title>2026-11-02: 50 % install</title>") && page.body.contains("touch: 100 at most")
        )
        // A click on a week leads to its days.
        #expect(page.body.contains("/funnels?from=2026-11-09&amp;through=2026-11-15&amp;"))
    }

    // MARK: Comparing

    private static let refs: StoredDashboard.Tables = { name, _ in
        guard name == "refs" else { return nil }
        let names = ["ask", "a,b", "gift", "(none)", "direct", "total"]
        return ReportTable(
            columns: [.text("ref", ""), .touches],
            rows: names.enumerated().map { [.text($0.element), .integer(Int64($0.offset + 1))] }
        )
    }

    @Test func compareTheLargestWithAllOthers() async throws {
        let dashboard = Self.dashboard(Self.refs)
        let page = try await dashboard.get("/compare")
        #expect(page.status == 200)
        let asked = try #require(dashboard.reports.last { $0.name == "compare" })
        // The report takes a list with commas, so a name with a comma cannot be asked for.
        #expect([asked["a"], asked["b"], asked["by"]] == ["gift", "ask", "ref"])
        #expect(page.body.contains(#"<option value="gift" selected>gift</option>"#))
    }

    /// Anyone can send refs with a key for apps. One that is not in the lists stays if it is chosen.
    @Test func offerTheLargestNames() async throws {
        let dashboard = Self.dashboard { name, _ in
            guard name == "refs" else { return nil }
            let rows = (1...300).map { [ReportCell.text("ref\($0)"), .integer(Int64(1_000 - $0))] }
            return ReportTable(columns: [.text("ref", ""), .touches], rows: rows)
        }
        let page = try await dashboard.get("/compare?a=ref250")
        #expect(page.body.contains(#"<option value="ref250" selected>"#))
        #expect(page.body.contains(#"<option value="ref200">"#) && !page.body.contains(#"<option value="ref201">"#))
    }

    /// What is better has a plus, and comes first.
    @Test func putTheBestFirst() async throws {
        let dashboard = Self.dashboard { name, parameters in
            if name == "refs" { return Self.refs(name, parameters) }
            guard name == "compare" else { return nil }
            let rows: [(b: String, rate: Int64)] = [("ask", 100_000), ("boast", 300_000)]
            return ReportTable(
                columns: CompareReport.columns,
                rows: rows.map { row in
                    CompareReport.columns.map { column -> ReportCell in
                        switch column.name {
                        case "a": .text("gift")
                        case "b": .text(row.b)
                        case "a_rate": .fraction(millionths: 200_000)
                        case "b_rate": .fraction(millionths: row.rate)
                        case "difference": .fraction(millionths: 200_000 - row.rate)
                        case "ci_low": .fraction(millionths: 150_000 - row.rate)
                        case "ci_high": .fraction(millionths: 260_000 - row.rate)
                        case "p_value": .probability(0.01)
                        default:
                            column.kind == .integer && column.name.hasSuffix("people") ? .integer(100) : .integer(0)
                        }
                    }
                }
            )
        }
        let page = try await dashboard.get("/compare?a=gift")
        let bars = page.body.matches(of: /<span class="name">([a-z]*)</).map { String($0.1) }
        #expect(bars == ["boast", "gift", "ask"])
        let hints = page.body.matches(of: /<title>((?:ask|boast): [^;]*);/).map { String($0.1) }
        #expect(
            hints == [
                "boast: +10.0 points (95 %: +4.0 points to +15.0 points)",
                "ask: −10.0 points (95 %: −16.0 points to −5.0 points)",
            ]
        )
    }

    /// The form sends the names of the key before, too.
    @Test func compareByAnyKey() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "breakdown", parameters.contains(where: { $0 == ("by", "platform") }) else { return nil }
            return ReportTable(
                columns: [.text("platform", ""), .touches],
                rows: [[.text("ios"), .integer(2)], [.text("web"), .integer(1)], [.text("total"), .integer(3)]]
            )
        }
        let page = try await dashboard.get("/compare?by=platform&of=ref&a=gift&b=ask")
        let asked = try #require(dashboard.reports.last { $0.name == "compare" })
        #expect([asked["a"], asked["b"], asked["by"], asked["of"]] == ["ios", "web", "platform", nil])
        #expect(page.body.contains(#"name="of" value="platform""#))
        #expect(try await dashboard.get("/compare?by=moon").status == 400)
    }

    @Test func sayThatThereIsNothingToCompare() async throws {
        let page = try await Self.dashboard().get("/compare")
        #expect(page.status == 200)
        #expect(page.body.contains("There are no two refs to compare"))
    }

    /// The funnel comes along; a ref's name is no range of days.
    @Test func leadToTheRangeBeforeAndBack() async throws {
        let page = try await Self.dashboard(Self.refs).get("/compare?a=gift&b=ask&window=3d")
        let link = try #require(page.body.firstMatch(of: /<a href="([^"]*)">the range before<\/a>/))
        #expect(link.1.hasSuffix("&amp;by=range&amp;group=ref&amp;window=3d"))
        let ranges = try await Self.dashboard().get(String(link.1).replacing("&amp;", with: "&"))
        #expect(ranges.body.contains(#"<select name="group" form="view"><option value="none">none</option>"#))
        #expect(ranges.body.contains(/by=ref&amp;window=3d">another value<\/a>/))
    }

    /// Today is compared up to the same hour, for each report and in words.
    @Test(arguments: ["funnel", "channels", "refs", "viral"])
    func compareTwoRangesLikeWithLike(report: String) async throws {
        let dashboard = Self.dashboard()
        let page = try await dashboard.get("/compare?by=range&report=\(report)&from=2026-11-19")
        #expect(page.status == 200)
        #expect(page.body.contains("Like with like: "))
        #expect(page.body.contains("<option value=\"\(report)\" selected>"))
        let asked = try #require(dashboard.reports.last { $0.name == report })
        #expect([asked["from"], asked["to"], asked["compare-previous"]] == ["2026-11-19", "now", "true"])
        let before = try await dashboard.get("/compare?by=range&report=\(report)&from=2026-11-01&through=2026-11-07")
        #expect(before.status == 200)
        #expect(dashboard.reports.last { $0.name == report }?["to"] == "2026-11-08")
    }

    @Test func showHowCountsChangedSinceTheRangeBefore() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "channels", parameters.contains(where: { $0.name == "compare-previous" }) else { return nil }
            return ReportTable(
                columns: [.text("channel", ""), .touches, .integer("previous_touches", unit: "touches", "")],
                rows: [[.text("search"), .integer(2), .integer(9)], [.text("total"), .integer(30), .integer(20)]]
            )
        }
        let page = try await dashboard.get("/compare?by=range&report=channels")
        #expect(page.body.contains("<dt>Touches</dt><dd>30</dd><dd class=\"change up\">+50 %</dd>"))
        #expect(page.body.contains("up to the same time of day") || page.body.contains("at the same time of day"))
        #expect(page.body.contains("previous touches"))
        let moon = try await dashboard.get("/compare?by=range&report=moon")
        #expect(moon.status == 400 && moon.body.contains("funnel, channels, refs, viral"))
    }

    @Test func compareFunnelsOfWholeWindowsUnlessAskedForAll() async throws {
        let dashboard = Self.dashboard()
        let matured = try await dashboard.get("/compare?by=range&window=3d")
        #expect(matured.body.contains("only people count whose window of 3d is over"))
        #expect(dashboard.reports.last { $0.name == "funnel" }?["matured"] == nil)
        let names = try await Self.dashboard(Self.refs).get("/compare?window=3d&matured=on")
        #expect(names.body.contains("Like with like: only people count whose window of 3d is over"))
        let all = try await dashboard.get("/compare?by=range&window=3d&matured=off")
        #expect(all.body.contains("All people count") && !all.body.contains("Like with like"))
        #expect(dashboard.reports.last { $0.name == "funnel" }?["matured"] == "off")
    }

    /// The last day has no day after it that is over.
    @Test func neverShowAPeriodThatIsNotOverAsZero() async throws {
        let dashboard = Self.dashboard { name, _ in
            guard name == "retention" else { return nil }
            let cohorts = ["2026-11-23", "2026-11-24"].map { cohort in
                RetentionReport.columns.map { column -> ReportCell in
                    switch column.name {
                    case "cohort": .text(cohort)
                    case "group": .text("total")
                    case "rate": .fraction(millionths: 0)
                    default: .integer(1)
                    }
                }
            }
            return ReportTable(columns: RetentionReport.columns, rows: cohorts)
        }
        let page = try await dashboard.get("/retention?period=day&from=2026-11-23")
        for (cohort, shade) in [("2026-11-23", "heat-few"), ("2026-11-24", "heat-none")] {
            let row =
                #"<th scope="row"><span>\#(cohort)</span></th><td class="number">1</td><td class="number \#(shade)""#
            #expect(page.body.contains(row), "\(cohort)")
        }
        #expect(page.body.contains("2026-11-24 · period not over") && !page.body.contains("2026-11-23 · period"))
        #expect(page.body.contains("Empty cells: periods that are not over yet."))
    }

    /// Thirty days would be six cells of a triangle of weeks. On the way to another view, its own days count.
    @Test func showTwelveWholeWeeksOfCohortsUnlessAskedForOthers() async throws {
        let dashboard = Self.dashboard()
        for path in ["/retention", "/activity"] {
            let page = try await dashboard.get(path)
            #expect(dashboard.reports.last { $0.name == path.dropFirst() }?["from"] == "2026-08-31")
            #expect(
                page.body.contains(#"aria-current="true">12 weeks</a>"#) && page.body.contains(#"<a href="/">Overview"#)
            )
        }
        #expect(try await dashboard.get("/?from=2026-11-01").body.contains("<a href=\"/funnels?from=2026-11-01&amp;"))
        _ = try await dashboard.get("/retention?matured=on&from=2026-11-01")
        let asked = try #require(dashboard.reports.last { $0.name == "retention" })
        #expect(asked["matured"] == "on" && asked["from"] == "2026-11-01")
    }

    /// For each group, all cohorts are one, and each period has the people for whom it is over.
    @Test func followTheGroupsOfAllCohorts() async throws {
        let dashboard = Self.dashboard { name, _ in
            guard name == "retention" else { return nil }
            let people: [(group: String, counts: [Int64])] = [("ask", [4, 2]), ("gift", [9, 0]), ("total", [13, 2])]
            let rows = people.flatMap { group, counts in
                counts.enumerated().map { position, count in
                    RetentionReport.columns.map { column -> ReportCell in
                        switch column.name {
                        case "cohort": .text("total")
                        case "group": .text(group)
                        case "period": .integer(position == 0 ? 7 : 30)
                        case "people": .integer(count)
                        case "rate": count == 0 ? .empty : .fraction(millionths: 500_000)
                        default: .integer(1)
                        }
                    }
                }
            }
            return ReportTable(columns: RetentionReport.columns, rows: rows)
        }
        let page = try await dashboard.get("/retention?period=day&by=ref&at=7,30&periods=9")
        let asked = try #require(dashboard.reports.first { $0.name == "retention" })
        #expect([asked["by"], asked["pooled"], asked["at"], asked["periods"]] == ["ref", "on", "7,30", nil])
        let rows = page.body.matches(
            of: /<tr><th scope="row"><span>([a-z]+)<\/span><\/th><td class="number">(\d+)<\/td>/
        )
        #expect(rows.map { "\($0.1) \($0.2)" } == ["gift 9", "ask 4", "total 13"])
        #expect(page.body.contains(">day 7<") && page.body.contains(#"title="ask, day 30: 1 of 2 people came back""#))
        #expect(page.body.contains(#"class="number heat-none" title="not over yet""#))
    }

    // MARK: Logins

    /// A code is a name, and not a number of thousands; an outcome without one is named alone.
    @Test func nameTheErrorsOfLogins() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "logins", !parameters.contains(where: { $0.name == "by" }) else { return nil }
            return ReportTable(
                columns: [
                    .text("outcome", ""), .integer("error_code", unit: "code", ""),
                    .integer("attempts", unit: "attempts", ""), .time("last_at", ""),
                ],
                rows: [
                    [.text("granted"), .empty, .integer(1850), .empty],
                    [.text("cancelled"), .integer(4201), .integer(204), .text("2026-11-02T10:00:00.5Z")],
                ]
            )
        }
        let page = try await dashboard.get("/logins")
        let bars = page.body.matches(of: /<span class="name">(.*?)<\/span>/).map { String($0.1) }
        #expect(bars == ["granted", "cancelled · 4201:<wbr> the person closed the dialog"])
        #expect(page.body.contains("<span>4201</span>") && page.body.contains("<span>1,850</span>"))
        // A narrow column breaks a time, but no date.
        #expect(page.body.contains(#"<span class="whole">2026-11-02</span> <span class="whole">10:00</span>"#))
    }

    @Test func drawLoginsOverTime() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "logins", parameters.contains(where: { $0 == ("by", "day") }) else { return nil }
            let rows: [(day: String, outcome: String, attempts: Int64)] = [
                ("2026-11-01", "granted", 6), ("2026-11-01", "failed", 1), ("2026-11-01", "failed", 1),
                ("2026-11-01", "total", 8), ("2026-11-02", "total", 0),
            ]
            return ReportTable(
                columns: [
                    PeriodParameter.column, .text("outcome", ""), .integer("attempts", unit: "logins", ""),
                ],
                rows: rows.map { [.text($0.day), .text($0.outcome), .integer($0.attempts)] }
            )
        }
        let page = try await dashboard.get("/logins?by=platform&from=2026-11-01&through=2026-11-02")
        for hint in ["8 attempts", "75 % granted", "25 % failed"] {
            #expect(page.body.contains("<title>Sun 2026-11-01: \(hint)</title>"), "\(hint)")
        }
        #expect(page.body.contains("Attempts: 8 in all") && page.body.contains("Failed: 25 % at most"))
        #expect(!page.body.contains(#"<option value="day""#))
        _ = try await dashboard.get("/logins?by=week")
        #expect(dashboard.reports.filter { $0.name == "logins" }.suffix(2).map { $0["by"] } == [nil, "week"])
    }

    // MARK: Viral

    @Test func countWhatPostsBroughtWithinATime() async throws {
        let dashboard = Self.dashboard()
        let any = try await dashboard.get("/viral?matured=on")
        #expect(any.body.contains(#"<option value="" selected>any time</option>"#))
        #expect(any.body.contains(#"<option value="7d">7d</option>"#))
        #expect(!any.body.contains(#"<select name="matured">"#))
        // Without a time for each post, the report refuses it.
        #expect(dashboard.reports.last { $0.name == "viral" }?["matured"] == nil)
        let week = try await dashboard.get("/viral?within=7d&matured=on")
        #expect(week.body.contains(#"<option value="on" selected>older than 7d</option>"#))
        #expect(week.body.contains("Only posts that are older than 7d count"))
        let asked = try #require(dashboard.reports.last { $0.name == "viral" })
        #expect([asked["within"], asked["matured"]] == ["7d", "on"])
        // Any other time stays.
        let other = try await dashboard.get("/viral?within=36h")
        #expect(other.body.contains(#"<option value="36h" selected>36h</option>"#))
    }

    @Test func sayWhatUntracedTouchesAre() async throws {
        let dashboard = Self.dashboard { name, _ in
            guard name == "viral" else { return nil }
            let cells = ViralReport.columns.map { column -> ReportCell in
                column.kind == .text ? .text("total") : column.name == "untraced_touches" ? .integer(1234) : .empty
            }
            return ReportTable(columns: ViralReport.columns, rows: [cells])
        }
        let page = try await dashboard.get("/viral")
        #expect(page.body.contains("<dt>Untraced touches</dt><dd>1,234</dd>"))
        #expect(page.body.contains("Untraced: 1,234 touches have a ref, but came from no known post."))
    }

    // MARK: Generations

    /// By a key, the bars are of all groups together.
    @Test func showEachGenerationWithPeople() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "generations" else { return nil }
            let isGrouped = parameters.contains { $0 == ("by", "ref") }
            func row(_ generation: String, _ group: String, _ people: Int64) -> [ReportCell] {
                [.text(generation)] + (isGrouped ? [.text(group)] : [])
                    + GenerationsReport.columns.dropFirst().map { column in
                        column.name == "people" ? .integer(people) : column.kind == .integer ? .integer(3) : .empty
                    }
            }
            let columns = GenerationsReport.columns
            return ReportTable(
                columns: isGrouped ? GenerationsReport.allColumns : columns,
                rows: (isGrouped ? [row("0", "gift", 4), row("total", "gift", 4)] : [])
                    + [row("0", "total", 12), row("1", "total", 0), row("2", "total", 5), row("total", "total", 17)]
            )
        }
        for query in ["", "?by=ref"] {
            let page = try await dashboard.get("/generations\(query)")
            #expect(page.body.contains("<dt>People</dt><dd>17</dd>"), "\(query)")
            #expect(page.body.ranges(of: "<span class=\"name\">").count == 2, "\(query)")
            #expect(page.body.contains("12 · 3 invited") && page.body.contains("5 · 3 invited"), "\(query)")
        }
    }

    // MARK: Breaking down

    private static let touches: StoredDashboard.Tables = { name, parameters in
        guard name == "breakdown", !parameters.contains(where: { $0 == ("by", "post") }) else { return nil }
        return ReportTable(
            columns: [.text("ref", ""), .text("channel", ""), .touches],
            rows: [
                [.text("gift"), .text("search"), .integer(3)], [.text("(others)"), .empty, .integer(2)],
                [.text("total"), .empty, .integer(5)],
            ]
        )
    }

    @Test func takeKeysOneByOne() async throws {
        let dashboard = Self.dashboard()
        let days = "from=2026-11-01&through=2026-11-07"
        let page = try await dashboard.get("/breakdown?\(days)&key1=ref&key2=channel&sort=installs&limit=20")
        #expect(page.status == 303)
        #expect(page.headers[.location] == "/breakdown?\(days)&by=ref%2Cchannel&sort=installs&limit=20")
    }

    /// Without its column, a table cannot be in its order.
    @Test func showRatesUnlessAskedForCounts() async throws {
        let dashboard = Self.dashboard()
        for (query, wanted) in [
            ("sort=conversion_rate", "conversion_rate"), ("rates=off&sort=conversion_rate", "touches"),
        ] {
            _ = try await dashboard.get("/breakdown?by=page&\(query)")
            let asked = try #require(dashboard.reports.last { $0.name == "breakdown" && $0["by"] == "page" })
            #expect(asked["sort"] == wanted && asked["rates"] == (wanted == "touches" ? nil : "true"))
        }
    }

    /// A range has not all days of the week equally often.
    @Test func drawDaysOfTheWeekInTheirOrderAndADay() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "breakdown", parameters.contains(where: { $0 == ("by", "weekday") }) else { return nil }
            let columns = BreakdownReport.allColumns
            return ReportTable(
                columns: ["weekday", "touches", "days"].compactMap { name in columns.first { $0.name == name } },
                rows: [("monday", 8, 4), ("tuesday", 10, 5), ("sunday", 12, 4), ("total", 30, 13)].map { row in
                    [.text(row.0), .integer(Int64(row.1)), .decimal(millionths: Int128(row.2) * 1_000_000)]
                }
            )
        }
        let page = try await dashboard.get("/breakdown?by=weekday")
        #expect(dashboard.reports.last { $0["by"] == "weekday" }?["sort"] == "weekday")
        #expect(page.body.contains("Touches a day by weekday"))
        let bars = page.body.matches(of: /<span class="name">([a-z]*)</).map { String($0.1) }
        #expect(bars == ["monday", "tuesday", "sunday"])
        #expect(page.body.contains("Share: of touches."))
    }

    /// All hours of a week are one picture, whatever their order in the table.
    @Test(arguments: ["weekday,hour", "hour,weekday"])
    func drawHoursOfAWeekAsAHeatMap(keys: String) async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "breakdown", parameters.contains(where: { $0 == ("by", keys) }) else { return nil }
            let columns = BreakdownReport.allColumns
            return ReportTable(
                columns: ["weekday", "hour", "touches", "days"].compactMap { name in
                    columns.first { $0.name == name }
                },
                rows: [("monday", "07", 8, 4), ("sunday", "23", 12, 3)].map { row in
                    [
                        .text(row.0), .text(row.1), .integer(Int64(row.2)),
                        .decimal(millionths: Int128(row.3) * 1_000_000),
                    ]
                }
            )
        }
        let page = try await dashboard.get("/breakdown?by=\(keys.replacing(",", with: "%2C"))")
        #expect(dashboard.reports.last { $0["by"] == keys }?["limit"] == "168")
        #expect(page.body.contains(#"heat-10" title="sunday, 23:00: 4">4<"#))
        #expect(page.body.contains(#"heat-5" title="monday, 07:00: 2">2<"#))
        #expect(page.body.ranges(of: "heat-none").count == 7 * 24 - 2 && !page.body.contains(">people</th>"))
        #expect(!page.body.contains("class=\"bars\""))
    }

    // MARK: Goals

    @Test func leadFromAGoalToItsCredit() async throws {
        let dashboard = Self.dashboard { name, _ in
            guard name == "goals" else { return nil }
            let rows = [("premium", 12), ("total", 12)].map { goal, count in
                GoalsReport.columns.map { column -> ReportCell in
                    column.name == "goal" ? .text(goal) : column.kind == .time ? .empty : .integer(Int64(count))
                }
            }
            return ReportTable(columns: GoalsReport.columns, rows: rows)
        }
        let page = try await dashboard.get("/goals?from=2026-11-01")
        #expect(page.body.contains("<dt>Conversions</dt><dd>12</dd>"))
        let link = "/attribution?from=2026-11-01&amp;through=2026-11-25&amp;event=conversion&amp;goal=premium"
        #expect(page.body.contains("<a href=\"\(link)\">premium</a>"))
    }

    // MARK: Attribution

    /// What brings people, and what closes.
    @Test func putFirstAndLastTouchSideBySide() async throws {
        let dashboard = Self.dashboard { name, _ in
            guard name == "attribution" else { return nil }
            let shares: [(model: String, group: String, share: Int64)] = [
                ("first", "search", 500_000), ("last", "search", 625_000), ("first", "requests", 500_000),
                ("last", "requests", 375_000),
            ]
            return ReportTable(
                columns: AttributionReport.columns,
                rows: shares.map { row in
                    AttributionReport.columns.map { column -> ReportCell in
                        switch column.name {
                        case "model": .text(row.model)
                        case "group": .text(row.group)
                        case "share": .fraction(millionths: row.share)
                        default: .integer(1)
                        }
                    }
                }
            )
        }
        let page = try await dashboard.get("/attribution")
        let table = try #require(page.body.firstMatch(of: /(?s)>First and last touch<.*?<\/table>/)).output
        let texts = table.matches(of: /<span[^>]*>(?:<a[^>]*>)?([^<]*)/).map { String($0.1) }
        #expect(texts == ["search", "50.0 %", "62.5 %", "−12.5 %", "requests", "50.0 %", "37.5 %", "12.5 %"])
        // These columns are the page's, and none that the report's CSV could have alone.
        let chosen = try await dashboard.get("/attribution?columns=first,share")
        let links = chosen.body.matches(of: /href="(\/csv\/[^"]*)"/).map { $0.1.contains("columns=") }
        #expect(links == [false, true])
    }

    // MARK: Paths

    @Test(arguments: [
        ("search > bookmarks > bookmarks", "search > bookmarks × 2"), ("direct", "direct"),
        ("search > bookmarks > search", "search > bookmarks > search"), ("search > search > search", "search × 3"),
    ])
    func foldRepeatedChannels(path: String, words: String) {
        #expect(ReportPage.folded(path) == words)
    }

    @Test func sortByAClickOnAColumn() async throws {
        let page = try await Self.dashboard(Self.touches).get("/breakdown?by=ref,channel&limit=20")
        #expect(page.body.contains(#" aria-sort="descending"><a href="#))
        for choice in [
            #"<select name="key1" form="view">"#, #"<option value="ref" selected>ref</option>"#, ">link form</option>",
        ] {
            #expect(page.body.contains(choice), "\(choice)")
        }
        let link = try #require(page.body.firstMatch(of: /<a href="([^"]*sort=ref)">ref<\/a>/))
        #expect(link.1.contains("by=ref%2Cchannel&amp;limit=20&amp;sort=ref"))
    }

    /// A table that loses no column may have to cut a name, whose title has all of it.
    @Test func keepWholeWhatATableCuts() async throws {
        let address = "https://shop.example/a/long/way"
        let dashboard = Self.dashboard { name, _ in
            guard name == "breakdown" else { return nil }
            return ReportTable(
                columns: [.text("target_url", ""), .touches],
                rows: [[.text(address), .integer(3)], [.text("(none)"), .integer(9)]]
            )
        }
        let page = try await dashboard.get("/breakdown?by=target_url")
        #expect(page.body.contains("<th scope=\"row\"><span title=\"\(address)\">"))
        #expect(page.body.contains("<th scope=\"row\"><span><a href="))
        // A bar of what has no name would make all others short.
        let bars = page.body.matches(of: /<span class="name"><a [^>]*>(.*?)<\/a>/).map { String($0.1) }
        #expect(bars == ["https://<wbr>shop.<wbr>example/<wbr>a/<wbr>long/<wbr>way"])
    }

    @Test func drillIntoEitherKey() async throws {
        let page = try await Self.dashboard(Self.touches).get("/breakdown?by=ref,channel")
        let links = page.body.matches(of: /where=([^"&]*)&amp;by=ref%2Cchannel">([^<]*)</).map { "\($0.1) \($0.2)" }
        #expect(Set(links) == ["ref%3Dgift gift", "channel%3Dsearch gift · search", "channel%3Dsearch search"])
        // The rest and the total have no value of their own.
        #expect(!page.body.contains(">(others)</a>") && !page.body.contains(">total</a>"))
    }

    @Test func leadFromARefToItsPosts() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "posts", !parameters.contains(where: { $0.name == "by" }) else { return nil }
            return ReportTable(
                columns: [.text("ref", ""), .text("composer", "")],
                rows: [[.text("gift"), .text("stories")]]
            )
        }
        let page = try await dashboard.get("/posts?from=2026-11-01&through=2026-11-07")
        let href = "/breakdown?from=2026-11-01&amp;through=2026-11-07&amp;where=ref%3Dgift&amp;by=post"
        #expect(page.body.contains("<a href=\"\(href)\">gift</a>"))
    }

    @Test func listEachPostWithItsPeople() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "posts", parameters.contains(where: { $0 == ("each", "true") }) else { return nil }
            let columns: [ReportColumn] = [
                .text("post", ""), .touches, .touchPeople, .creditedInstalls, .creditedConversions,
            ]
            func row(_ name: String, _ counts: Int64...) -> [ReportCell] {
                [.text(name)] + counts.map { .integer($0) }
            }
            return ReportTable(
                columns: columns,
                rows: [
                    row("p,1", 9, 4, 2, 0), row("p2", 0, 0, 0, 0), row("(others)", 9, 9, 9, 9),
                    row("total", 9, 9, 9, 9),
                ]
            )
        }
        let page = try await dashboard.get(
            "/posts?from=2026-11-01&through=2026-11-07&each=true&sort=installs&goal=premium&limit=3"
        )
        let asked = try #require(dashboard.reports.first { $0["each"] != nil })
        #expect(asked["sort"] == "installs" && asked["limit"] == "3" && asked["goal"] == "premium")
        #expect(page.body.contains(#"<option value="installs" selected>most installs</option>"#))
        #expect(page.body.contains(#"sort=installs%3Areverse">installs</a>"#))
        // Those of a post are those of its row in a breakdown; the others have no such row.
        let links = page.body.matches(of: /<a href="(\/people\?[^"]*)">(\d+)<\/a>/).map { ($0.1, $0.2) }
        #expect(links.map { String($0.1) } == ["4", "2"])
        for field in [
            "report=breakdown", "by=post", "limit=10000", "people=touches", "group=p%2C1", "goal=premium",
            "to=2026-11-08",
        ] {
            #expect(links[0].0.contains(field), "\(links[0].0)")
        }
    }

    @Test(arguments: ["/posts?each", "/viral?matured", "/retention?pooled", "/breakdown?rates", "/compare?matured"])
    func refuseSwitchesThatAreNeitherOnNorOff(field: String) async throws {
        let dashboard = Self.dashboard(Self.refs)
        for (word, status) in [("on", 200), ("false", 200), ("yes", 400)] {
            #expect(try await dashboard.get("\(field)=\(word)").status == status, "\(word)")
        }
    }
}
