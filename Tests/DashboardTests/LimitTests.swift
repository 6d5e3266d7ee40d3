import Testing

@testable import Dashboard
@testable import Reporting

/// What is cut says so, and leads to the rest.
@Suite("Lists with a limit")
struct LimitTests {
    private static func names(_ count: Int) -> [String] { (1...count).map { "ref\($0)" } }

    /// - Parameter count: how many groups every report has.
    private static func dashboard(_ count: Int) -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            func table(_ columns: [ReportColumn], _ names: [String]) -> ReportTable {
                ReportTable(
                    columns: columns,
                    rows: names.enumerated().map { position, name in
                        columns.map { column -> ReportCell in
                            switch column.name {
                            case "step": .integer(1)
                            case "model": .text("last")
                            case "name": .text("touch")
                            case _ where column.kind == .text: .text(name)
                            case _ where column.kind == .rate || column.kind == .ratio:
                                .fraction(millionths: Int64(900_000 - position))
                            default: .integer(Int64(1000 - position))
                            }
                        }
                    }
                )
            }
            guard !parameters.contains(where: { $0 == ("by", "day") }) else { return nil }
            return switch name {
            case "funnel", "installs": table(FunnelReport.columns, Self.names(count) + ["total"])
            case "viral": table(ViralReport.columns, Self.names(count) + ["total"])
            case "attribution": table(AttributionReport.columns, Self.names(count) + ["total"])
            case "paths": table(PathsReport.columns, Self.names(count) + ["total"])
            case "breakdown": table([.text("channel", ""), .touches], Self.names(count) + ["total"])
            case "refs": table([.text("ref", ""), .touches], Self.names(count) + ["total"])
            case "compare": table(CompareReport.columns, ["x"])
            default: nil
            }
        }
        return dashboard
    }

    @Test(arguments: [
        ("/funnels?by=ref", 5, "groups, the largest by people."), ("/viral", 12, "with K above 0, the largest by K."),
        ("/attribution?by=ref", 9, "groups, the largest by share."),
        ("/paths", 12, "paths, the largest by conversions."), ("/breakdown", 12, "rows, the largest by touches."),
    ])
    func sayHowMuchTheyShow(path: String, usual: Int, words: String) async throws {
        func pictures(_ page: StoredDashboard.Answer) -> Int {
            page.body.ranges(of: path.contains("funnels") ? "<svg class=\"chart funnel\"" : "<figure>").count
                + page.body.ranges(of: "<span class=\"name\">").count
        }
        // Two funnels, each with a picture of all.
        let (charts, extra) = path.contains("funnels") ? (2, 1) : (1, 0)
        let all = try await Self.dashboard(usual).get(path)
        #expect(pictures(all) == charts * (usual + extra) && !all.body.contains("Show all"))
        let cut = try await Self.dashboard(usual + 7).get(path)
        #expect(pictures(cut) == charts * (usual + extra))
        #expect(cut.body.contains("\(usual) of \(usual + 7) \(words)"))
        let link = try #require(cut.body.firstMatch(of: /<a href="([^"]*)">Show all/))
        #expect(link.1.contains("groups=all"))
        let whole = try await Self.dashboard(usual + 7).get(String(link.1).replacing("&amp;", with: "&"))
        #expect(pictures(whole) == charts * (usual + 7 + extra))
        #expect(whole.body.contains(">Show \(usual)</a>") && whole.body.contains("name=\"groups\" value=\"all\""))
        let many = try await Self.dashboard(200).get(String(link.1).replacing("&amp;", with: "&"))
        #expect(pictures(many) == charts * (60 + extra))
        #expect(many.body.contains("60 of 200 \(words) The table, or its CSV, has the others."))
    }

    /// They may be most of the total.
    @Test func neverCutOffRowsThatStandForNoName() async throws {
        let dashboard = StoredDashboard()
        dashboard.answer { name, _ in
            guard name == "refs" else { return nil }
            let names = Self.names(100) + ["(others)", "(none)", "direct", "total"]
            return ReportTable(
                columns: [.text("ref", ""), .touches],
                rows: names.map { [.text($0), .integer(1)] }
            )
        }
        let page = try await dashboard.get("/")
        #expect(page.body.contains("10 of 104 rows"))
        for name in ["(others)", "(none)", "direct", "total"] { #expect(page.body.contains(">\(name)<"), "\(name)") }
    }

    /// The report is asked for as many as the page shows.
    @Test func sayWithHowManyOthersARefIsCompared() async throws {
        let dashboard = Self.dashboard(20)
        let page = try await dashboard.get("/compare")
        #expect(page.body.contains("8 of 19 other refs, the largest by touches."))
        #expect(dashboard.reports.last { $0.name == "compare" }?["b"]?.split(separator: ",").count == 8)
        _ = try await dashboard.get("/compare?groups=all")
        #expect(dashboard.reports.last { $0.name == "compare" }?["b"]?.split(separator: ",").count == 19)
        #expect(try await !dashboard.get("/compare?b=ref3").body.contains("other refs, the largest"))
    }

    /// Whoever has a key for apps can send more refs than an answer may have. The CSV has them all.
    @Test func askForNoMoreGroupsThanAnAnswerMayHave() async throws {
        let dashboard = Self.dashboard(3)
        let paths = [
            "/", "/compare", "/compare?by=range&report=refs", "/viral", "/posts", "/logins?by=platform",
            "/logins?by=none",
        ]
        for path in paths {
            let page = try await dashboard.get(path)
            let hasLimit = page.body.contains(/csv\/(refs|goals|viral|posts|logins)\.csv\?[^"]*limit/)
            #expect(page.status == 200 && !hasLimit, "\(path)")
        }
        let asked = dashboard.reports.filter { asked in
            let alone = asked.parameters.filter { $0.name != "limit" }
            return ReportCatalogue.showsAllGroups(in: ReportAddress(report: asked.name, parameters: alone))
        }
        #expect(Set(asked.map(\.name)) == ["refs", "goals", "viral", "posts", "logins"])
        // Without groups, `logins` takes no limit.
        #expect(dashboard.reports.allSatisfy { $0.name != "logins" || $0["by"] != "none" || $0["limit"] == nil })
        // A chart by day, and a range before, shows the totals alone.
        #expect(asked.allSatisfy { ["1", "10000"].contains($0["limit"]) })
    }

    /// Single posts have a limit of their own.
    @Test func showAsManySinglePostsAsTheFormSays() async throws {
        let dashboard = Self.dashboard(3)
        _ = try await dashboard.get("/posts?each=true")
        _ = try await dashboard.get("/posts?each=true&limit=7")
        #expect(dashboard.reports.filter { $0["each"] != nil }.map { $0["limit"] } == ["50", "7"])
    }

    @Test func leaveTheOtherFiguresIfRefsAreRefused() async throws {
        let dashboard = Self.dashboard(3)
        dashboard.refuse("refs", because: "the different refs take more than 26 MB")
        let page = try await dashboard.get("/")
        #expect(page.status == 200 && page.body.contains("/csv/channels.csv") && !page.body.contains("/csv/refs.csv"))
        #expect(page.body.contains("These figures are missing: the different refs take more than 26 MB."))
        dashboard.refuse("channels", because: "no")
        #expect(try await dashboard.get("/").status == 400)
    }
}
