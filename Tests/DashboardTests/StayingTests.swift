import Testing

@testable import Dashboard
@testable import Reporting

/// The first page says which refs and channels bring people who stay.
@Suite("Who came back, on the first page")
struct StayingTests {
    /// - Parameter groups: name, people, those who came back; none in a range in which no week after is over.
    private static func dashboard(_ groups: [(name: String, people: Int64, retained: Int64)]) -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            guard name == "retention" else { return nil }
            let isByChannel = parameters.contains { $0 == ("by", "channel") }
            return ReportTable(
                columns: RetentionReport.columns,
                rows: groups.map { group in
                    [
                        .text("total"), .text(isByChannel && group.name != "total" ? "search" : group.name),
                        .integer(1),
                        .integer(group.people), .integer(group.retained),
                        .fraction(group.retained, of: group.people), .decimal(millionths: 0), .decimal(millionths: 0),
                        .empty,
                    ]
                }
            )
        }
        return dashboard
    }

    @Test func putsThoseFirstOfWhomMostStayed() async throws {
        let dashboard = Self.dashboard([("fleeting", 900, 9), ("lasting", 100, 40), ("total", 1000, 49)])
        let page = try await dashboard.get("/")
        #expect(page.body.contains("<dt>Came back</dt><dd>4.9 %</dd><dd class=\"change same\">of 1,000 people</dd>"))
        let lasting = try #require(page.body.firstRange(of: ">lasting<")).lowerBound
        let fleeting = try #require(page.body.firstRange(of: ">fleeting<")).lowerBound
        #expect(lasting < fleeting)
        let asked = dashboard.reports.filter { $0.name == "retention" }
        #expect(asked.map { $0["by"] } == ["ref", "channel"])
        #expect(asked.allSatisfy { $0["cohort"] == "touch_in_range" && $0["at"] == "1" && $0["pooled"] == "on" })
        let reversed = try await dashboard.get("/?staying_sort=people")
        let first = try #require(reversed.body.firstRange(of: ">fleeting<")).lowerBound
        #expect(first < (try #require(reversed.body.firstRange(of: ">lasting<")).lowerBound))
    }

    /// The number of people who came back leads to them.
    @Test func leadsToThePeople() async throws {
        let page = try await Self.dashboard([("lasting", 100, 40), ("total", 100, 40)]).get("/")
        let links = page.body.matches(of: /<a href="(\/people\?report=retention[^"]*)"/).map { String($0.1) }
        #expect(!links.isEmpty && links.allSatisfy { $0.contains("people=retained") && $0.contains("at=1") })
    }

    @Test func saysThatItIsTooEarly() async throws {
        let page = try await Self.dashboard([]).get("/")
        #expect(page.body.contains("<dt>Came back</dt><dd>–</dd><dd class=\"change same\">too early to say</dd>"))
        #expect(page.body.contains("Nobody came in these days for whom the calendar week after is over."))
    }
}
