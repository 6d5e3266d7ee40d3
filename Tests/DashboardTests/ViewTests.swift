import HTTPTypes
import Testing
import Time

@testable import Dashboard
@testable import Reporting

@Suite("Views of reports")
struct ViewTests {
    static func dashboard(_ tables: @escaping StoredDashboard.Tables = { _, _ in nil }) -> StoredDashboard {
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
        #expect(old.body.contains(tile + "up\"><a href=\"/changes?") && old.body.contains(">+50.0 %</a></dd>"))
        dashboard.begin(at: Timestamp(microseconds: StoredDashboard.now.microseconds - 3 * 86_400_000_000))
        let young = try await dashboard.get("/?from=2026-11-24")
        #expect(young.body.contains(tile + "same\"></dd>"))
        #expect(
            young.body.contains("No comparison: the app&#39;s first event is of 2026-11-22 15:00, and the range before")
        )
    }

    /// The tiles are of yesterday, beside the day before, whose last ten minutes alone the app has.
    @Test func compareNoDayOfActivityWithOneBeforeTheFirstEvent() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "activity" else { return nil }
            let isByWeek = parameters.contains { $0 == ("period", "week") }
            let rows = [(isByWeek ? "2026-11-09" : "2026-11-23", 3), (isByWeek ? "2026-11-16" : "2026-11-24", 60)]
            let columns = ActivityReport.columns
            return ReportTable(
                columns: columns,
                rows: rows.map { period, active in
                    columns.map { column in
                        switch column.name {
                        case "period": .text(period)
                        case "group": .text("total")
                        case "active": .integer(Int64(active))
                        default: .integer(1)
                        }
                    }
                }
            )
        }
        let tile = "<dt>Active</dt><dd>60</dd><dd class=\"change "
        let days = "from=2026-11-23&through=2026-11-24"
        let old = try await dashboard.get("/activity?\(days)")
        #expect(old.body.contains(tile + "up\">+1,900.0 %</dd>"))
        #expect(old.body.contains("their changes are against the day before."))
        dashboard.begin(at: try #require(Timestamp(rfc3339: "2026-11-23T22:50:00Z")))
        let young = try await dashboard.get("/activity?\(days)")
        #expect(young.body.contains(tile + "same\"></dd>"))
        let reason = "No comparison: the app&#39;s first event is of 2026-11-23 23:50, and the range before begins"
        #expect(young.body.contains(reason))
        // Of the week before, these days have six.
        let weeks = try await dashboard.get("/activity?from=2026-11-10&through=2026-11-24&period=week")
        #expect(weeks.body.contains(tile + "same\"></dd>"))
        #expect(weeks.body.contains("No comparison: these days do not have all of the week before."))
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

    // MARK: Periods

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
        for hint in ["8 attempts", "75.0 % granted", "25.0 % failed"] {
            #expect(page.body.contains("<title>Sun 2026-11-01: \(hint)</title>"), "\(hint)")
        }
        #expect(page.body.contains("Attempts: 8 in all") && page.body.contains("Failed: 25.0 % at most"))
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
        let dashboard = Self.dashboard(CompareViewTests.refs)
        for (word, status) in [("on", 200), ("false", 200), ("yes", 400)] {
            #expect(try await dashboard.get("\(field)=\(word)").status == status, "\(word)")
        }
    }
}
