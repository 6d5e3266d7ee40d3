import HTTPTypes
import Testing
import Time

@testable import Dashboard
@testable import Reporting

@Suite("The view that breaks figures down")
struct BreakdownViewTests {
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
        let dashboard = ViewTests.dashboard()
        let days = "from=2026-11-01&through=2026-11-07"
        let page = try await dashboard.get("/breakdown?\(days)&key1=ref&key2=channel&sort=installs&limit=20")
        #expect(page.status == 303)
        #expect(page.headers[.location] == "/breakdown?\(days)&by=ref%2Cchannel&sort=installs&limit=20")
    }

    /// Without its column, a table cannot be in its order.
    @Test func showRatesUnlessAskedForCounts() async throws {
        let dashboard = ViewTests.dashboard()
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
        let dashboard = ViewTests.dashboard { name, parameters in
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
        // The rest of today has not been yet.
        #expect(dashboard.reports.last { $0["by"] == "weekday" }?["to"] == "now")
        _ = try await dashboard.get("/breakdown?by=weekday&from=2026-11-01&through=2026-12-31")
        #expect(dashboard.reports.last { $0["by"] == "weekday" }?["to"] == "now")
        #expect(!page.body.contains("first event (") && !page.body.contains("only a part"))
        dashboard.begin(at: Timestamp(microseconds: StoredDashboard.now.microseconds - 3 * 86_400_000_000))
        let young = try await dashboard.get("/breakdown?by=weekday")
        #expect(young.body.contains("The days before the app’s first event (2026-11-22) count, too."))
        let bars = page.body.matches(of: /<span class="name">([a-z]*)</).map { String($0.1) }
        #expect(bars == ["monday", "tuesday", "sunday"])
        #expect(page.body.contains("Share: of touches."))
    }

    /// Two hours after midnight, 65 touches are no 650 a day. A touch before the range may earn its credit.
    @Test(arguments: [("weekday", "tuesday", "tuesday"), ("hour", "02", "02:00")])
    func doNotProjectADayThatHasOnlyBegun(key: String, name: String, words: String) async throws {
        let dashboard = ViewTests.dashboard { report, parameters in
            guard report == "breakdown", parameters.contains(where: { $0 == ("by", key) }) else { return nil }
            let columns = BreakdownReport.allColumns
            return ReportTable(
                columns: [key, "touches", "days"].compactMap { name in columns.first { $0.name == name } },
                rows: [("first", 20, 2.0), (name, 65, 0.1), ("none", 3, 0)].map { row in
                    [.text(row.0), .integer(Int64(row.1)), .decimal(millionths: Int128(row.2 * 1_000_000))]
                }
            )
        }
        let page = try await dashboard.get("/breakdown?by=\(key)")
        let figures = page.body.matches(of: /<span class="figure">([^<]*)</).map { String($0.1) }
        #expect(figures == ["10", "65", "3"])
        #expect(page.body.contains("divided by the days of the range, by one at least."))
        #expect(page.body.contains("Of \(words), the range has only a part: the figure is what there was so far."))
    }

    /// All hours of a week are one picture, whatever their order in the table.
    @Test(arguments: ["weekday,hour", "hour,weekday"])
    func drawHoursOfAWeekAsAHeatMap(keys: String) async throws {
        let dashboard = ViewTests.dashboard { name, parameters in
            guard name == "breakdown", parameters.contains(where: { $0 == ("by", keys) }) else { return nil }
            let columns = BreakdownReport.allColumns
            return ReportTable(
                columns: ["weekday", "hour", "touches", "days"].compactMap { name in
                    columns.first { $0.name == name }
                },
                rows: [("monday", "07", 8, 4.0), ("sunday", "23", 12, 3), ("friday", "01", 1, 0.25)].map { row in
                    [
                        .text(row.0), .text(row.1), .integer(Int64(row.2)),
                        .decimal(millionths: Int128(row.3 * 1_000_000)),
                    ]
                }
            )
        }
        let page = try await dashboard.get("/breakdown?by=\(keys.replacing(",", with: "%2C"))")
        #expect(dashboard.reports.last { $0["by"] == keys }?["limit"] == "168")
        #expect(page.body.contains(#"heat-10" title="sunday, 23:00: 4">4<"#))
        #expect(page.body.contains(#"heat-5" title="monday, 07:00: 2">2<"#))
        #expect(page.body.contains(#"title="friday, 01:00: 1">1<"#))
        let words = keys == "weekday,hour" ? "friday 01:00" : "01:00 friday"
        #expect(page.body.contains("Of \(words), the range has only a part"))
        #expect(page.body.ranges(of: "heat-none").count == 7 * 24 - 3 && !page.body.contains(">people</th>"))
        #expect(!page.body.contains("class=\"bars\""))
    }

    @Test func sortByAClickOnAColumn() async throws {
        let page = try await ViewTests.dashboard(Self.touches).get("/breakdown?by=ref,channel&limit=20")
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
        let dashboard = ViewTests.dashboard { name, _ in
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
        let page = try await ViewTests.dashboard(Self.touches).get("/breakdown?by=ref,channel")
        let links = page.body.matches(of: /where=([^"&]*)&amp;by=ref%2Cchannel">([^<]*)</).map { "\($0.1) \($0.2)" }
        #expect(Set(links) == ["ref%3Dgift gift", "channel%3Dsearch gift · search", "channel%3Dsearch search"])
        // The rest and the total have no value of their own.
        #expect(!page.body.contains(">(others)</a>") && !page.body.contains(">total</a>"))
    }
}
