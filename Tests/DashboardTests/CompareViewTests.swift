import Testing

@testable import Dashboard
@testable import Reporting

@Suite("The view that compares")
struct CompareViewTests {
    static let refs: StoredDashboard.Tables = { name, _ in
        guard name == "refs" else { return nil }
        let names = ["ask", "a,b", "gift", "(none)", "direct", "total"]
        return ReportTable(
            columns: [.text("ref", ""), .touches],
            rows: names.enumerated().map { [.text($0.element), .integer(Int64($0.offset + 1))] }
        )
    }

    @Test func compareTheLargestWithAllOthers() async throws {
        let dashboard = ViewTests.dashboard(Self.refs)
        let page = try await dashboard.get("/compare")
        #expect(page.status == 200)
        let asked = try #require(dashboard.reports.last { $0.name == "compare" })
        // The report takes a list with commas, so a name with a comma cannot be asked for.
        #expect([asked["a"], asked["b"], asked["by"]] == ["gift", "ask", "ref"])
        #expect(page.body.contains(#"<option value="gift" selected>gift</option>"#))
    }

    /// Anyone can send refs with a key for apps. One that is not in the lists stays if it is chosen.
    @Test func offerTheLargestNames() async throws {
        let dashboard = ViewTests.dashboard { name, _ in
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
        let dashboard = ViewTests.dashboard { name, parameters in
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
        let dashboard = ViewTests.dashboard { name, parameters in
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
        let page = try await ViewTests.dashboard().get("/compare")
        #expect(page.status == 200)
        #expect(page.body.contains("There are no two refs to compare"))
    }

    /// The funnel comes along; a ref's name is no range of days.
    @Test func leadToTheRangeBeforeAndBack() async throws {
        let page = try await ViewTests.dashboard(Self.refs).get("/compare?a=gift&b=ask&window=3d")
        let link = try #require(page.body.firstMatch(of: /<a href="([^"]*)">the range before<\/a>/))
        #expect(link.1.hasSuffix("&amp;by=range&amp;group=ref&amp;window=3d"))
        let ranges = try await ViewTests.dashboard().get(String(link.1).replacing("&amp;", with: "&"))
        #expect(ranges.body.contains(#"<select name="group" form="view"><option value="none">none</option>"#))
        #expect(ranges.body.contains(/by=ref&amp;window=3d">another value<\/a>/))
    }

    /// Today is compared up to the same hour, for each report and in words.
    @Test(arguments: ["funnel", "channels", "refs", "viral"])
    func compareTwoRangesLikeWithLike(report: String) async throws {
        let dashboard = ViewTests.dashboard()
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
        let dashboard = ViewTests.dashboard { name, parameters in
            guard name == "channels", parameters.contains(where: { $0.name == "compare-previous" }) else { return nil }
            return ReportTable(
                columns: [.text("channel", ""), .touches, .integer("previous_touches", unit: "touches", "")],
                rows: [[.text("search"), .integer(2), .integer(9)], [.text("total"), .integer(30), .integer(20)]]
            )
        }
        let page = try await dashboard.get("/compare?by=range&report=channels")
        #expect(page.body.contains("<dt>Touches</dt><dd>30</dd><dd class=\"change up\">+50.0 %</dd>"))
        #expect(page.body.contains("up to the same time of day") || page.body.contains("at the same time of day"))
        #expect(page.body.contains("previous touches"))
        let moon = try await dashboard.get("/compare?by=range&report=moon")
        #expect(moon.status == 400 && moon.body.contains("funnel, channels, refs, viral"))
    }

    @Test func compareFunnelsOfWholeWindowsUnlessAskedForAll() async throws {
        let dashboard = ViewTests.dashboard()
        let matured = try await dashboard.get("/compare?by=range&window=3d")
        #expect(matured.body.contains("only people count whose window of 3d is over"))
        #expect(dashboard.reports.last { $0.name == "funnel" }?["matured"] == nil)
        let names = try await ViewTests.dashboard(Self.refs).get("/compare?window=3d&matured=on")
        #expect(names.body.contains("Like with like: only people count whose window of 3d is over"))
        let all = try await dashboard.get("/compare?by=range&window=3d&matured=off")
        #expect(all.body.contains("All people count") && !all.body.contains("Like with like"))
        #expect(dashboard.reports.last { $0.name == "funnel" }?["matured"] == "off")
    }
}
