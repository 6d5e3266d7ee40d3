import Testing

@testable import Dashboard
@testable import Reporting

/// The first page says which refs and channels bring people who stay.
@Suite("Who came back, on the first page")
struct StayingTests {
    /// - Parameter groups: name, people, those who came back; none in a range in which nobody came a week ago.
    private static func dashboard(_ groups: [(name: String, people: Int64, retained: Int64)]) -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            let isByChannel = parameters.contains { $0 == ("by", "channel") }
            switch name {
            case "retention":
                return ReportTable(
                    columns: RetentionReport.columns,
                    rows: groups.map { group in
                        [
                            .text("total"), .text(isByChannel && group.name != "total" ? "search" : group.name),
                            .integer(7),
                            .integer(group.people), .integer(group.retained),
                            .fraction(group.retained, of: group.people), .decimal(millionths: 0),
                            .decimal(millionths: 0), .fraction(millionths: 1_250_000),
                        ]
                    }
                )
            case "refs" where !parameters.contains { $0 == ("by", "day") }:
                let names = groups.map(\.name).filter { $0 != "total" } + ["new", "direct", "total"]
                return ReportTable(
                    columns: RefsReport.columns,
                    rows: names.map { name in
                        RefsReport.columns.map { $0.kind == .text ? .text(name) : .integer(77) }
                    }
                )
            default: return nil
            }
        }
        return dashboard
    }

    private static func refs(_ page: StoredDashboard.Answer) -> [String] {
        let card = page.body.split(separator: "<h2 id=\"refs\">").last?.split(separator: "</section>").first ?? ""
        return card.matches(of: /<th scope="row"><span>(?:<a [^>]*>)?([a-z]+)/).map { String($0.1) }
    }

    @Test func putsThoseFirstOfWhomMostStayed() async throws {
        let dashboard = Self.dashboard([("fleeting", 900, 9), ("lasting", 100, 40), ("total", 1000, 49)])
        let page = try await dashboard.get("/")
        #expect(
            page.body.contains(">Came back</a></dt><dd>4.9 %</dd><dd class=\"change same\">of 1,000 people</dd>")
        )
        // Who came this week can neither have come back nor have stayed away.
        #expect(Self.refs(page) == ["lasting", "fleeting", "new", "direct", "total"])
        let heads = page.body.matches(of: /<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]+)</).map { String($0.1) }
        #expect(heads.contains("came back") && heads.contains("came back, %") && !heads.contains("posts"))
        #expect(page.body.contains("<span>40.0 %</span>"))
        let asked = dashboard.reports.filter { $0.name == "retention" }
        #expect(asked.map { $0["by"] } == ["ref", "channel"])
        for report in asked {
            #expect(
                ["cohort", "period", "at", "return", "pooled"].map { report[$0] } == [
                    "touch_in_range", "day", "7", "after", "on",
                ]
            )
        }
        #expect(Self.refs(try await dashboard.get("/?refs_sort=retained:reverse")).first == "fleeting")
        // The CSV has no columns of another report.
        let csv = try #require(page.body.firstMatch(of: /href="(\/csv\/refs\.csv\?[^"]*)"/)).1
        #expect(csv.hasSuffix("columns=ref%2Cpeople%2Cinstalls"))
        let source = try #require(page.body.firstMatch(of: /<a href="([^"]*)">Retention by ref<\/a>/)).1
        #expect(source.hasPrefix("/retention?") && source.hasSuffix("at=7&amp;return=after&amp;pooled=on&amp;by=ref"))
        #expect(heads.contains("value by day 7"))
    }

    /// The number of people who came back leads to them.
    @Test func leadsToThePeople() async throws {
        let page = try await Self.dashboard([("lasting", 100, 40), ("total", 100, 40)]).get("/")
        let links = page.body.matches(of: /<a href="(\/people\?report=retention[^"]*)"/).map { String($0.1) }
        #expect(!links.isEmpty)
        #expect(
            links.allSatisfy { $0.contains("people=retained") && $0.contains("at=7") && $0.contains("return=after") }
        )
    }

    /// A nought would say that they stayed away.
    @Test func countsNobodyWhoCannotHaveComeBackYet() async throws {
        let page = try await Self.dashboard([("early", 0, 0), ("old", 5, 0), ("total", 5, 0)]).get("/")
        let cells = page.body.matches(of: /<th scope="row"><span>(?:<a [^>]*>)?(early|old)(.*?)<\/tr>/).map { row in
            row.2.matches(of: /<td[^>]*>(?:<span>)?([^<]*)</).map { String($0.1) }
        }
        #expect(cells.map { $0.suffix(3) } == [["0", "0.0 %", "1.25"], ["–", "–", "–"]])
    }

    /// The foot explains figures where there are some.
    @Test(arguments: [("/", true), ("/links/new", false)])
    func explainsFiguresWhereThereAreSome(path: String, hasFigures: Bool) async throws {
        let page = try await Self.dashboard([]).get(path)
        #expect(page.body.contains("The heading of a column says") == hasFigures)
    }

    @Test func saysThatItIsTooEarly() async throws {
        let page = try await Self.dashboard([]).get("/")
        #expect(page.body.contains(">Came back</a></dt><dd>–</dd><dd class=\"change same\">too early to say</dd>"))
        #expect(page.body.contains("Nobody came in these days whose seventh day after is over."))
    }
}
