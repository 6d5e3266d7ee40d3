import Testing
import Time

@testable import Dashboard
@testable import Reporting

/// The first page: its tiles, and the picture that they choose.
@Suite("The first page")
struct OverviewTests {
    private static let days = "from=2026-11-10&through=2026-11-16"

    /// - Parameters:
    ///   - touches: of each day from the first one on, in these days and in the range before.
    ///   - changes: the answer of the report of this name.
    private static func dashboard(
        _ touches: [Int64] = [],
        before: [Int64] = [],
        changes: ReportTable? = nil
    ) -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            let isByDay = parameters.contains { $0 == ("by", "day") }
            let isBefore = parameters.contains { $0.name == "from" && $0.value < "2026-11-10" }
            let counts = isBefore ? before : touches
            switch (name, isByDay) {
            case ("channels", false), ("refs", false):
                let columns: [ReportColumn] = [
                    .text(name == "refs" ? "ref" : "channel", ""), .touches, .creditedInstalls,
                ]
                let total = counts.reduce(0, +)
                return ReportTable(
                    columns: columns,
                    rows: [[.text("total"), .integer(total), .decimal(millionths: 0)]]
                )
            case ("channels", true):
                let columns: [ReportColumn] = [.text("period", ""), .text("channel", ""), .touches, .creditedInstalls]
                let first = isBefore ? 3 : 10
                return ReportTable(
                    columns: columns,
                    rows: counts.enumerated().map { position, count in
                        let day = first + position
                        return [
                            .text("2026-11-\(day < 10 ? "0" : "")\(day)"), .text("total"), .integer(count),
                            .decimal(millionths: 2_000_000),
                        ]
                    }
                )
            case ("changes", _): return changes
            default: return nil
            }
        }
        return dashboard
    }

    private static func picture(_ page: StoredDashboard.Answer) -> String {
        page.body.firstMatch(of: /<svg class="chart"[^>]*aria-label="([^"]*)"/).map { String($0.1) } ?? ""
    }

    // MARK: Pictures

    @Test func aTileChoosesThePicture() async throws {
        let dashboard = Self.dashboard([1, 2, 3], before: [4, 5, 6])
        let usual = try await dashboard.get("/?\(Self.days)")
        #expect(usual.body.contains(#"<h2 id="periods">Touches by day</h2>"#))
        #expect(Self.picture(usual) == "By day. Touches: 6 in all, before: 15 in all")
        #expect(usual.body.contains(#"aria-current="true">Touches</a></dt>"#))
        let link = try String(#require(usual.body.firstMatch(of: /<a href="([^"]*)">Installs<\/a><\/dt>/)).1)
        #expect(link == "/?from=2026-11-10&amp;through=2026-11-16&amp;picture=installs")
        let installs = try await dashboard.get(link.replacing("&amp;", with: "&"))
        #expect(Self.picture(installs) == "By day. Installs: 6 in all, before: 6 in all")
        #expect(installs.body.contains(#"aria-current="true">Installs</a></dt>"#))
        // The forms keep it, and the usual one needs no field.
        #expect(installs.body.contains(#"<input type="hidden" name="picture" value="installs">"#))
        #expect(installs.body.contains(#"<a href="/?from=2026-11-10&amp;through=2026-11-16">Touches</a></dt>"#))
        let moon = try await dashboard.get("/?picture=moon")
        #expect(moon.status == 400 && moon.body.contains("‘picture’ must be one of: touches, people"))
    }

    /// They have pictures in their views.
    @Test func theTilesOfPostsLeadToTheirViews() async throws {
        let page = try await Self.dashboard().get("/?\(Self.days)")
        let days = "from=2026-11-10&amp;through=2026-11-16"
        #expect(page.body.contains("<a href=\"/posts?\(days)\">Post rate</a></dt>"))
        let viral = "<a href=\"/viral?\(days)&amp;by=none&amp;within=7d&amp;matured=on\">K, traced</a></dt>"
        #expect(page.body.contains(viral))
        let asked = "cohort=touch_in_range&amp;period=day&amp;at=7&amp;return=after&amp;pooled=on"
        #expect(page.body.contains("&amp;\(asked)\">Came back</a></dt>"))
    }

    /// K grows with the number of days: those before are as many, and their posts are a week old, too.
    @Test func theTileOfKHasAChange() async throws {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            let isCompared = parameters.contains { $0 == ("compare-previous", "true") }
            guard name == "viral", isCompared else { return nil }
            return ReportTable(
                columns: [.text("group", "")] + ["posts", "k", "previous_k"].map { .decimal($0, unit: "", "") },
                rows: [[.text("total")] + [4, 1.5, 1].map { .decimal(millionths: Int128($0 * 1_000_000)) }]
            )
        }
        let page = try await dashboard.get("/?\(Self.days)")
        #expect(page.body.contains(">K, traced</a></dt><dd>1.5</dd><dd class=\"change up\">at least, +50.0 %</dd>"))
        #expect(dashboard.reports.first { $0.name == "viral" }?["matured"] == "on")
    }

    @Test func theAxisNamesItsValues() {
        let series = PeriodChart.Series(name: "Touches", cssClass: "series-0", values: [40, 90])
        let days = ["2026-01-01", "2026-01-02"]
        guard let span = try? DateSpan(FormFields("from=\(days[0])&through=\(days[1])"), timeZone: "UTC", now: .now)
        else {
            Issue.record("no days")
            return
        }
        let drawing = PeriodChart.drawing(ChartPeriods(days, in: span, today: "2026-02-01"), series: [series])
        for tick in Axis(largest: 90).ticks.dropFirst() {
            #expect(drawing.contains("class=\"tick\">\(NumberText.grouped(tick))</text>"), "\(tick)")
        }
        // People of a day may come on others, too.
        var people = series
        people.addsUp = false
        #expect(people.summary(people.values, 2) == "90 at most" && series.summary(series.values, 2) == "130 in all")
    }

    // MARK: Changes

    private static let week: [Int64] = [400, 410, 395, 405, 390, 120, 110]

    /// The tile of the touches: what stands below its number, and in which colour.
    private static func change(_ page: StoredDashboard.Answer) -> String? {
        page.body.firstMatch(of: />Touches<\/a><\/dt><dd>[^<]*<\/dd><dd class="change ([a-z]*)">(?:<a [^>]*>)?([^<]*)</)
            .map { "\($0.1): \($0.2)" }
    }

    @Test func aTileSaysWhetherItsChangeMayBeChance() async throws {
        let words = "May be chance: differences of this size arise by chance."
        let more = try await Self.dashboard(Self.week.map { $0 * 6 / 5 }, before: Self.week).get("/?\(Self.days)")
        #expect(Self.change(more) == "up: +20.0 %" && !more.body.contains(words))
        let same = try await Self.dashboard(Self.week.map { $0 + 4 }, before: Self.week).get("/?\(Self.days)")
        #expect(Self.change(same) == "same: +1.3 %, may be chance" && same.body.contains(words))
        #expect(!same.body.contains("too few days"))
        // Two days cannot tell.
        let few = try await Self.dashboard([9, 9], before: [4, 4]).get("/?from=2026-11-10&through=2026-11-11")
        #expect(Self.change(few) == "up: +125.0 %" && !few.body.contains(words))
        #expect(few.body.contains("too few days to tell what is chance."))
    }

    private static func changes(p pValue: Double) -> ReportTable {
        let figures = ["before", "after", "change"].map { ReportColumn.decimal($0, unit: "touches", "") }
        func row(_ names: [String], _ before: Int128, _ after: Int128, share: Int64) -> [ReportCell] {
            let figures = [before, after, after - before].map { ReportCell.decimal(millionths: $0 * 1_000_000) }
            return names.map(ReportCell.text) + figures + [.fraction(millionths: share), .probability(pValue)]
        }
        return ReportTable(
            columns: [.text("ref", ""), .text("platform", "")] + figures + [
                .rate("share_of_change", ""), .rate("p_value", ""),
            ],
            rows: [
                row(["giveaway", "android"], 1_000, 1_360, share: 810_000),
                row(["recipe", "ios"], 1_220, 1_304, share: 190_000),
                row(["total", ""], 2_220, 2_664, share: 1_000_000),
            ]
        )
    }

    /// Of the figure whose picture is shown, in the same pass as all others; no sums of money, and no chance.
    @Test func aTileSaysWhatCarriesItsChange() async throws {
        let more = Self.week.map { $0 * 6 / 5 }
        let dashboard = Self.dashboard(more, before: Self.week, changes: Self.changes(p: 0.001))
        let page = try await dashboard.get("/?\(Self.days)")
        #expect(page.body.contains("Touches +20.0 %: four fifths of it giveaway on Android (1,000 to 1,360)."))
        let link = try #require(page.body.firstMatch(of: /<a href="([^"]*)">All changes<\/a>/))
        #expect(link.1.hasSuffix("metric=touches&amp;by=ref%2Cplatform"))
        #expect(try await dashboard.get(String(link.1).replacing("&amp;", with: "&")).status == 200)
        let asked = dashboard.reports.filter { $0.name == "changes" }
        #expect(asked.count == 2 && asked[0]["metric"] == "touches" && asked[0]["by"] == "ref,platform")

        let chance = Self.dashboard(more, before: Self.week, changes: Self.changes(p: 0.5))
        #expect(try await !chance.get("/?\(Self.days)").body.contains("All changes"))
        let same = Self.dashboard(Self.week.map { $0 + 4 }, before: Self.week, changes: Self.changes(p: 0.001))
        #expect(try await !same.get("/?\(Self.days)").body.contains("All changes"))
        let value = Self.dashboard(more, before: Self.week, changes: Self.changes(p: 0.001))
        #expect(try await !value.get("/?\(Self.days)&picture=value").body.contains("All changes"))
        #expect(!value.reports.contains { $0.name == "changes" })
    }

    /// Thirty days are no whole weeks: each day is compared with the same weekday, and days that are not over with
    /// none.
    @Test func daysAreComparedWithTheSameWeekday() async throws {
        let stored = StoredDashboard()
        stored.answer { _, parameters in
            let from = parameters.first { $0.name == "from" }?.value ?? ""
            return ReportTable(
                columns: [.text("period", ""), .text("channel", ""), .touches],
                rows: (0..<9).map { position in
                    let day = DateSpan.day(from, plus: position)
                    return [.text(day), .text("total"), .integer(Int64(day.suffix(2)) ?? 0)]
                }
            )
        }
        let request = try ViewRequest(
            .overview,
            fields: FormFields("from=2026-11-17&through=2026-11-25"),
            app: stored.app,
            source: stored,
            stores: try await stored.stores(isOwn: false),
            now: StoredDashboard.now
        )
        let pairs = try await PeriodFigures(request, "channels", group: "channel").pairs("touches")
        #expect(pairs.map { [$0.now, $0.before] } == [[22, 8], [23, 9], [24, 10]])
    }

    // MARK: Cards

    @Test func theThirdCardAsksForTheChosenKeyAlone() async throws {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            guard name == "breakdown", let key = parameters.first(where: { $0.name == "by" })?.value else { return nil }
            let kind: [ReportColumn] = key == "poster" ? [.text("poster_kind", "")] : []
            return ReportTable(
                columns: [.text(key, "")] + kind + [.touches, .touchPeople],
                rows: ["DE", "total"].map { name in
                    [.text(name)] + kind.map { _ in .text("user") } + [.integer(3), .integer(2)]
                }
            )
        }
        let countries = try await dashboard.get("/?\(Self.days)")
        let asked = dashboard.reports.filter { $0.name == "breakdown" }
        #expect(asked.map { [$0["by"], $0["limit"], $0["sort"]] } == [["country", "6", "people"]])
        let link = try String(#require(countries.body.firstMatch(of: /<a href="([^"]*)">Pages<\/a>/)).1)
        #expect(link == "/?from=2026-11-10&amp;through=2026-11-16&amp;card=page")
        let pages = try await dashboard.get(link.replacing("&amp;", with: "&"))
        #expect(pages.body.contains(#"aria-current="true">Pages</a>"#))
        // A click on a row filters, and all rows are a click away.
        #expect(countries.body.contains("&amp;where=country%3DDE\">DE</a>"))
        let all = try String(#require(countries.body.firstMatch(of: /<a href="([^"]*)">All countries<\/a>/)).1)
        #expect(all.hasPrefix("/breakdown?from=2026-11-10") && all.contains("by=country&amp;sort=people"))
        #expect(try await dashboard.get(all.replacing("&amp;", with: "&")).status == 200)
        let posters = try await dashboard.get("/?card=poster")
        #expect(posters.body.contains(#"<a href="/person?user_id=DE">DE</a>"#))
        #expect(try await dashboard.get("/?card=moon").status == 400)
    }
}
