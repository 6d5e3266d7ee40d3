import HTTPTypes
import Storage
import Testing

@testable import Dashboard
@testable import Reporting

/// A number leads to the people behind it, and a person to the person's timeline.
@Suite("Pages of people")
struct PeoplePagesTests {
    @Test func leadFromAFigureToItsPeople() async throws {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            guard name == "breakdown", parameters.contains(where: { $0 == ("by", "channel,platform") }) else {
                return nil
            }
            let columns =
                [ReportColumn.text("channel", ""), .text("platform", "")] + BreakdownReport.columns.dropFirst()
            let cells: [ReportCell] = [
                .text("search"), .text("ios"), .integer(9), .integer(4), .integer(0), .decimal(millionths: 2_000_000),
                .decimal(millionths: 0), .integer(0), .decimal(millionths: 0), .fraction(millionths: 1_000_000),
            ]
            return ReportTable(columns: columns, rows: [cells])
        }
        let page = try await dashboard.get("/breakdown?by=channel%2Cplatform&from=2026-11-01&through=2026-11-07")
        let links = page.body.matches(of: /href="(\/people\?[^"]*)">([^<]*)</).map { ($0.1, $0.2) }
        // Nobody converted; touches are not people.
        #expect(links.map { String($0.1) } == ["4", "2"])
        let installs = try #require(links.last?.0)
        for field in ["report=breakdown", "people=installs", "group=search%20%2F%20ios", "from=2026-11-01"] {
            #expect(installs.contains(field), "\(installs)")
        }
    }

    @Test func listWhoIsBehindAFigure() async throws {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            guard name == "channels", parameters.contains(where: { $0 == ("people", "installs") }) else { return nil }
            let person: [ReportCell] = [
                .text("search"), .text("device"), .text("<a&b>"), .text("ios"), .text("DE"),
                .text("2026-11-02T10:00:00Z"), .text("2026-11-03T10:00:00Z"), .integer(2), .empty,
            ]
            return ReportTable(columns: PeopleQuestion.columns, rows: [person])
        }
        let query = "report=channels&people=installs&group=search&from=2026-11-01&to=2026-11-08"
        let page = try await dashboard.get("/people?\(query)")
        #expect(page.status == 200)
        #expect(page.body.contains(#"<a href="/person?device_id=%3Ca%26b%3E">&lt;a&amp;b&gt;</a>"#))
        #expect(page.body.contains(#"<span class="whole">2026-11-02</span> <span class="whole">11:00</span>"#))
        #expect(page.body.contains("<td>ios</td><td>DE</td>"))
        let csv = try #require(page.body.firstMatch(of: /href="(\/csv\/channels\.csv\?[^"]*)"/)).1
        let answer = try await dashboard.get(String(csv).replacing("&amp;", with: "&"))
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "text/csv; charset=utf-8; header=present")
        #expect(answer.body.hasPrefix("group,person_kind,person_id,platform,country,first_at"))
        #expect(dashboard.reports.contains { $0["people-limit"] == "201" && $0["group"] == "search" })
    }

    /// So a chain of invitations can be walked.
    @Test func leadFromATouchToItsPoster() {
        let link = PersonView.html("by <a&b>", PersonKey(.device, "<a&b>"))
        #expect(link == #"<a href="/person?device_id=%3Ca%26b%3E">by &lt;a&amp;b&gt;</a>"#)
        #expect(PersonView.html("a & b", nil) == "a &amp; b")
    }

    /// A comma would begin another value, and a backslash would escape what follows it.
    @Test func leadFromAPersonToWhomTheyInvited() throws {
        let address = PersonView.invited(by: PersonKey(.user, #"a,b\c"#))
        let fields = try FormFields(String(address.drop { $0 != "?" }.dropFirst()))
        let condition = try FilterCondition(parsing: fields["where"] ?? "", keys: PostKey.allCases)
        #expect(condition.values == [#"a,b\c"#])
        #expect([fields["report"], fields["people"], fields["group"]] == ["viral", "installs", "total"])
    }

    @Test(arguments: [
        "/people", "/people?report=channels", "/person", "/person?user_id=a&device_id=b", "/person?user=a",
    ])
    func refuseARequestThatNamesNobody(path: String) async throws {
        #expect(try await StoredDashboard().get(path).status == 400)
    }

    @Test(arguments: ["/people?report=channels&people=touches", "/person?user_id=a"])
    func needASession(path: String) async throws {
        #expect(try await StoredDashboard().get(path, isSignedIn: false).status == 303)
    }
}
