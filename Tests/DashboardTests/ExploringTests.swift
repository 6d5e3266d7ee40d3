import HTTPTypes
import Testing

@testable import Dashboard
@testable import Reporting

/// What people look for beyond the page as it comes: values, other orders, other columns, other groups.
@Suite("Exploring a view")
struct ExploringTests {
    private static let days = "from=2026-11-23&through=2026-11-24"

    /// - Parameter rows: of every report with this name. Text cells that are not given are the row's name, others 1.
    private static func dashboard(_ report: String, _ columns: [ReportColumn], _ rows: [[String: ReportCell]])
        -> StoredDashboard
    {
        let dashboard = StoredDashboard()
        dashboard.answer { name, _ in
            guard name == report else { return nil }
            let cells = rows.map { row in
                columns.map { row[$0.name] ?? ($0.kind == .text ? .text("total") : .integer(1)) }
            }
            return ReportTable(columns: columns, rows: cells)
        }
        return dashboard
    }

    // MARK: Other figures

    private static func empty() -> StoredDashboard { dashboard("", [], []) }

    /// - Returns: the name of each kind of figures, with the link to it.
    private static func figures(_ page: StoredDashboard.Answer) throws -> [String: String] {
        let tabs = try #require(page.body.firstMatch(of: /(?s)aria-label="Figures">(.*?)<\/span>/)).1
        let links = tabs.matches(of: /<a href="([^"]*)"[^>]*>([^<]*)</)
        return Dictionary(
            uniqueKeysWithValues: links.map { (String($0.2), String($0.1).replacing("&amp;", with: "&")) }
        )
    }

    /// Credits and changes have no hours, and goals no keys; the keys wait for figures that have them.
    @Test func keepKeysAndFiltersOnTheWayToOtherFigures() async throws {
        let shared = "\(Self.days)&where=platform%3Dios"
        let groups = try await Self.empty().get("/breakdown?\(shared)&by=ref,hour&goal=premium&limit=7")
        #expect(
            try Self.figures(groups) == [
                "Groups": "/breakdown?\(shared)&by=ref%2Chour&goal=premium",
                "Changes": "/changes?\(shared)&by=ref",
                "Credits": "/attribution?\(shared)&by=ref&goal=premium", "Comparison": "/compare?\(shared)&by=ref",
                "Goals": "/goals?\(shared)&by=ref%2Chour",
            ]
        )
        for (path, back) in [
            ("/goals?by=ref,hour", "by=ref%2Chour"), ("/attribution?by=ref,channel", "by=ref%2Cchannel"),
            ("/compare?by=range&group=platform", "by=platform"), ("/compare?by=range&report=viral", "by=ref"),
        ] {
            let page = try await Self.empty().get(path)
            #expect(try Self.figures(page)["Groups"]?.hasSuffix("&" + back) == true, "\(path)")
            #expect(page.body.contains("<h1>Explore</h1>") && !page.body.contains(#"class="views""#))
        }
    }

    /// The second key of groups is no part of credits, and is there again on the way back.
    @Test func keepTheSecondKeyForFiguresThatHaveTwo() async throws {
        let dashboard = Self.empty()
        let page = try await dashboard.get("/attribution?by=ref,channel")
        #expect(dashboard.reports.last { $0.name == "attribution" }?["by"] == "ref")
        #expect(page.body.contains(#"<input type="hidden" name="key2" value="channel">"#))
        let sent = try await dashboard.get("/attribution?\(Self.days)&key1=platform&key2=channel")
        #expect(sent.headers[.location] == "/attribution?\(Self.days)&by=platform%2Cchannel")
        // The same twice is one.
        _ = try await dashboard.get("/breakdown?by=ref,ref")
        #expect(dashboard.reports.last { $0.name == "breakdown" }?["by"] == "ref")
    }

    @Test func refuseKeysThatNoFiguresHave() async throws {
        let page = try await Self.empty().get("/goals?by=ref,moon")
        #expect(page.status == 400 && page.body.contains("there are no figures by ‘moon’"))
    }

    // MARK: The range before

    @Test func comparesGroupsWithTheRangeBefore() async throws {
        func row(_ name: String, _ touches: Int64, before: Int64) -> [String: ReportCell] {
            let share: ReportCell =
                before > 0 ? .fraction(millionths: (touches - before) * 1_000_000 / before) : .empty
            return [
                "channel": .text(name), "touches": .integer(touches), "previous_touches": .integer(before),
                "change_share_touches": share,
            ]
        }
        let columns = BreakdownReport.columns + RowMatching.previousColumns(of: BreakdownReport.columns)
        let rows = [row("search", 30, before: 40), row("requests", 20, before: 0), row("total", 50, before: 40)]
        let dashboard = Self.dashboard("breakdown", columns, rows)
        let page = try await dashboard.get("/breakdown?\(Self.days)&by=channel&compare-previous=on")
        #expect(dashboard.reports.last { $0.name == "breakdown" }?["compare-previous"] == "on")
        #expect(page.body.contains("30 · −25.0 %"))
        #expect(page.body.contains("20 · new"))
        #expect(page.body.contains("previous touches") && !page.body.contains("previous value per"))
        // A heading sorts by a figure of the range itself only.
        #expect(!page.body.contains("sort=previous_touches"))
        // Of today, as much as there is: the CSV has the same rows.
        let open = try await dashboard.get("/breakdown?by=channel&compare-previous=on")
        #expect(dashboard.reports.last { $0.name == "breakdown" }?["to"] == "now")
        #expect(open.body.contains(/csv\/breakdown\.csv\?[^"]*to=now/))
        let alone = try await Self.dashboard("breakdown", BreakdownReport.columns, rows).get("/breakdown?by=channel")
        #expect(!alone.body.contains("30 · "))
    }

    // MARK: Activity

    private static let active: [[String: ReportCell]] = ["2026-11-23", "2026-11-24"].flatMap { day in
        ["gift", "ask", "total"].map { group in
            [
                "period": .text(day), "group": .text(group), "active": .integer(group == "ask" ? 3 : 12),
                "new": .integer(7), "returning": .integer(2), "resurrected": .integer(3), "dormant": .integer(4),
                "stickiness": .fraction(millionths: 250_000),
            ]
        }
    }

    @Test func drawsWhoIsActiveAndWhoIsGone() async throws {
        let dashboard = Self.dashboard("activity", ActivityReport.columns, Self.active)
        let page = try await dashboard.get("/activity?by=ref&\(Self.days)")
        #expect(dashboard.reports.first { $0.name == "activity" }?["by"] == "ref")
        let hint = "Tue 2026-11-24: 12 active, of them 7 new, 2 returning, 3 resurrected; 4 dormant"
        #expect(page.body.contains("<title>\(hint)</title>"))
        #expect(
            page.body.contains("<dt>Active</dt><dd>12</dd>") && page.body.contains("<dt>Stickiness</dt><dd>25.0 %</dd>")
        )
        // The largest group first.
        let names = page.body.matches(of: /<figcaption>([a-z]*)</).map { String($0.1) }
        #expect(names == ["gift", "ask"])
        #expect(page.body.contains("<h2 id=\"stickiness\">"))
        // A figure leads to its people.
        let people = "people=dormant&group=2026-11-24%20%2F%20gift"
        #expect(page.body.replacing("&amp;", with: "&").contains(people))
        let weeks = try await dashboard.get("/activity?period=week&\(Self.days)")
        #expect(!weeks.body.contains("<h2 id=\"stickiness\">"))
    }

    /// Small pictures have room for three dates. The most who are gone has a number below the axis.
    @Test func keepsDatesOfSmallPicturesApart() throws {
        let span = try DateSpan(
            FormFields("from=2026-08-31&through=2026-11-25"),
            timeZone: "UTC",
            now: StoredDashboard.now
        )
        let starts = (0..<13).map { DateSpan.day("2026-08-31", plus: 7 * $0) }
        let periods = ChartPeriods(starts, of: "week", in: span, today: "2026-11-25")
        func part(_ value: Double) -> ActivityChart.Part {
            .init(name: "new", cssClass: "part-0", values: starts.map { _ in value })
        }
        func labels(isSmall: Bool) -> [String] {
            ActivityChart.drawing(periods, active: [part(300)], gone: part(90), isSmall: isSmall, title: "")
                .matches(of: /<text[^>]*>([^<]*)</).map { String($0.1) }
        }
        #expect(labels(isSmall: true).count { $0.hasPrefix("2026-") } == 3)
        #expect(labels(isSmall: false).count { $0.hasPrefix("2026-") } == 7)
        #expect(labels(isSmall: false).contains("90"))
    }

    // MARK: Overlap

    @Test func showsPairsAsAMatrix() async throws {
        func pair(_ a: String, _ b: String, _ both: Int64) -> [String: ReportCell] {
            let people: [String: Int64] = ["gift": 100, "ask": 50, "boast": 10]
            return [
                "a": .text(a), "b": .text(b), "people_a": .integer(people[a] ?? 0),
                "people_b": .integer(people[b] ?? 0), "both": .integer(both),
            ]
        }
        let pairs = [pair("gift", "ask", 25), pair("gift", "boast", 0), pair("ask", "boast", 5)]
        let page = try await Self.dashboard("overlap", OverlapReport.columns, pairs).get("/overlap?by=ref")
        let cells = page.body.matches(of: /<td class="number heat-[a-z0-9]*" title="([^"]*)">([^<]*)</)
            .map { "\($0.1): \($0.2)" }
        #expect(
            cells == [
                "the same: ", "25 of 100 people of gift also had ask: 25.0 %",
                "0 of 100 people of gift also had boast: 0.0 %",
                "25 of 50 people of ask also had gift: 50.0 %", "the same: ",
                "5 of 50 people of ask also had boast: 10.0 %",
                "0 of 10 people of boast also had gift: 0.0 %", "5 of 10 people of boast also had ask: 50.0 %",
                "the same: ",
            ]
        )
    }

    // MARK: Changes

    @Test func saysWhatCarriesAChange() async throws {
        func row(_ name: String, _ change: Int128, _ share: Int64, _ pValue: ReportCell) -> [String: ReportCell] {
            [
                "channel": .text(name), "change": .decimal(millionths: change),
                "share_of_change": .fraction(millionths: share), "p_value": pValue,
            ]
        }
        let rows = [
            row("search", -3_500_000, 1_750_000, .probability(0.01)),
            row("other", 1_500_000, -750_000, .probability(0.4)), row("total", -2_000_000, 1_000_000, .empty),
        ]
        let page = try await Self.dashboard("changes", ChangesReport.columns, rows).get("/changes?\(Self.days)")
        #expect(page.body.contains("−3.5 · 175.0 % of the change · more than chance"))
        #expect(page.body.contains("+1.5 · −75.0 % of the change · may be chance"))
        #expect(page.body.contains("All together: −2, no verdict."))
    }

    // MARK: Columns

    private static let channels: [ReportColumn] = [
        .text("channel", ""), .touches, .integer("people", unit: "people", ""),
        .integer("installs", unit: "installs", ""), .integer("conversions", unit: "conversions", ""),
    ]

    @Test func showsChosenColumns() async throws {
        let dashboard = Self.dashboard("channels", Self.channels, [["channel": .text("search")]])
        let all = try await dashboard.get("/?\(Self.days)")
        #expect(all.body.contains(#"name="column2" value="people" checked"#))
        let sent = try await dashboard.get("/?\(Self.days)&goal=x&column1=touches&column3=installs")
        #expect(sent.status == 303)
        #expect(sent.headers[.location] == "/?\(Self.days)&columns=touches%2Cinstalls&goal=x")
        let page = try await dashboard.get("/?\(Self.days)&columns=touches,installs")
        let table = try #require(page.body.firstMatch(of: /(?s)<caption class="unseen">Channels<.*?<\/table>/)).output
        #expect(table.contains(">touches</") && table.contains(">installs</") && !table.contains(">people</"))
        #expect(
            page.body.contains(
                "/csv/channels.csv?from=2026-11-23&amp;to=2026-11-25&amp;columns=channel%2Ctouches%2Cinstalls"
            )
        )
        #expect(page.body.contains("Columns: 2 of ") && page.body.contains(">The usual columns</a>"))
        #expect(page.body.contains(#"name="column2" value="people">"#))
        // Other choices keep them, and the reports are asked for all: charts need them.
        #expect(page.body.contains(#"<input type="hidden" name="columns" value="touches,installs">"#))
        #expect(dashboard.reports.allSatisfy { $0["columns"] == nil })
    }

    // MARK: Groups

    @Test func drawsChosenGroups() async throws {
        let names = ["a,b", "c\\d"] + (1...20).map { "ref\($0)" }
        let rows = (names + ["total"]).map { ["group": ReportCell.text($0), "k": .fraction(millionths: 500_000)] }
        let dashboard = Self.dashboard("viral", ViralReport.columns, rows)
        let usual = try await dashboard.get("/viral?\(Self.days)")
        #expect(
            usual.body.contains("12 of 22 with K above 0") && usual.body.contains(#"name="group13" value="ref11">"#)
        )
        let sent = try await dashboard.get("/viral?\(Self.days)&group1=a%2Cb&group2=c%5Cd&group22=ref20&groups=all")
        #expect(sent.headers[.location] == "/viral?\(Self.days)&groups=a%5C%2Cb%2Cc%5C%5Cd%2Cref20")
        let page = try await dashboard.get(try #require(sent.headers[.location]))
        #expect(page.body.contains("3 of 22 with K above 0, as chosen."))
        #expect(page.body.ranges(of: "<span class=\"name\">").count == 3)
        #expect(
            page.body.contains(#"name="group22" value="ref20" checked"#) && page.body.contains(">The largest 12</a>")
        )
        // Names of other days show what is there.
        #expect(try await dashboard.get("/viral?groups=gone").body.ranges(of: "<span class=\"name\">").count == 12)
    }

    @Test(arguments: [["a"], ["a,b", "c\\d", "e"], ["\\", ","], ["é", "e\u{301}"]])
    func keepsNamesInOneParameter(names: [String]) {
        #expect(
            JoinedFields.names(in: JoinedFields.list(of: names)).map { Array($0.utf8) } == names.map { Array($0.utf8) }
        )
    }

    // MARK: Axes and tables

    @Test func namesMondaysBelowManyDays() throws {
        let span = try DateSpan(
            FormFields("from=2026-10-27&through=2026-11-25"),
            timeZone: "UTC",
            now: StoredDashboard.now
        )
        let starts = (0..<30).map { DateSpan.day("2026-10-27", plus: $0) }
        let periods = ChartPeriods(starts, in: span, today: "2026-11-25")
        #expect(
            periods.marks.map { periods.label($0.position) } == ["Mon 2 Nov", "Mon 9 Nov", "Mon 16 Nov", "Mon 23 Nov"]
        )
        #expect(periods.marks.map(\.isOnPhones) == [true, true, false, true])
        // Ninety days have thirteen, which would overlap.
        let days = (0..<90).map { DateSpan.day("2026-08-28", plus: $0) }
        #expect(ChartPeriods(days, in: span, today: "2026-11-25").marks.count == 7)
        let week = ChartPeriods(Array(starts.suffix(7)), in: span, today: "2026-11-25")
        #expect(week.marks.count == 7 && week.label(6) == "Wed 25 Nov")
    }

    /// The script sorts by these numbers, and keeps these rows at the end.
    @Test func tellsTheScriptHowToSort() async throws {
        let rows = ["search", "direct", "total"].map { ["channel": ReportCell.text($0), "touches": .integer(1234)] }
        let page = try await Self.dashboard("channels", Self.channels, rows).get("/?\(Self.days)&columns=touches")
        #expect(page.body.contains(#"<td class="number" data-value="1234">"#) && page.body.contains(">1,234<"))
        #expect(page.body.contains(#"<tr data-end="1">"#) && page.body.contains(#"<tr class="total" data-end="2">"#))
        // A table of the largest rows is sorted by the report.
        #expect(
            try await Self.dashboard("breakdown", Self.channels, rows).get("/breakdown").body.contains("data-partial")
        )
    }
}
