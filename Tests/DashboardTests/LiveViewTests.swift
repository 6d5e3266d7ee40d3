import Storage
import Testing
import Time

@testable import Dashboard

@Suite("The page Live, and its dot on all pages")
struct LiveViewTests {
    private static func dashboard(_ events: [NewestEvent] = [], minutesAgo: Int64?) -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        let now = StoredDashboard.now.microseconds
        dashboard.receive(events, at: minutesAgo.map { Timestamp(microseconds: now - $0 * 60_000_000) })
        return dashboard
    }

    @Test(arguments: [
        (12, "last event 12 min ago", false), (59, "last event 59 min ago", false), (180, "last event 3 h ago", true),
    ])
    func theDotSaysWhenTheLastEventCame(minutes: Int64, words: String, isLate: Bool) async throws {
        let dashboard = Self.dashboard(minutesAgo: minutes)
        // A page without figures does not ask for it, and has what another has read.
        let unknown = try await dashboard.get("/questions")
        #expect(unknown.body.contains(">Live</a>") && unknown.body.contains("class=\"dot unknown\""))
        for path in ["/", "/questions", "/links/new", "/live"] {
            let page = try await dashboard.get(path)
            #expect(page.body.contains("<span class=\"ago\">\(words)</span>"), "\(path)")
            #expect(page.body.contains("<span class=\"dot late\"") == isLate, "\(path)")
        }
    }

    /// What this daemon has received since then needs no database.
    @Test func anEventOfThisDaemonMovesTheDot() async throws {
        let dashboard = Self.dashboard(minutesAgo: 180)
        _ = try await dashboard.get("/")
        dashboard.live.record(.init(accepted: 1), codes: [], lastType: "install", ofApp: 7)
        #expect(try await dashboard.get("/questions").body.contains("last event 0 s ago"))
        #expect(try await Self.dashboard(minutesAgo: nil).get("/").body.contains("class=\"dot unknown\""))
    }

    /// After a restart, it is the first page that somebody opens.
    @Test func liveReadsForItselfWhenTheLastEventCame() async throws {
        let page = try await Self.dashboard(minutesAgo: 12).get("/live")
        #expect(page.body.contains("<span class=\"ago\">last event 12 min ago</span>"))
    }

    @Test func theLastEventsLeadToTheirPeople() async throws {
        let time = Timestamp(microseconds: StoredDashboard.now.microseconds - 60_000_000)
        let events = [
            NewestEvent(
                type: "inbound_link",
                time: time,
                channel: "search",
                refs: ["gift", "<b>"],
                person: PersonKey(.user, "a&b")
            ),
            NewestEvent(type: "install", time: time, isTest: true),
        ]
        let page = try await Self.dashboard(events, minutesAgo: 1).get("/live")
        let rows = page.body.matches(of: /<tr><th scope="row">(.*)<\/td><\/tr>/).map { String($0.1) }
        #expect(
            rows == [
                "14:59</th><td>inbound_link</td><td>search</td>"
                    + "<td><span title=\"gift, &lt;b&gt;\"><bdi>gift</bdi>, <bdi>&lt;b&gt;</bdi></span></td>"
                    + "<td><span title=\"a&amp;b\"><a href=\"/person?user_id=a%26b\"><bdi>a&amp;b</bdi></a></span>",
                "14:59</th><td>install, test traffic</td><td></td><td><span></span></td><td>",
            ]
        )
        // Without the database, the rest of the page stays.
        let away = Self.dashboard(events, minutesAgo: 1)
        away.goAway()
        let rest = try await away.get("/live")
        #expect(rest.status == 200 && rest.body.contains("Not known now, because the database does not answer."))
    }

    /// Anyone can send refs with a key for apps.
    @Test func longNamesLeaveRoomForThePerson() async throws {
        let refs = (1...8).map { "\u{202E}\($0)" + String(repeating: "x", count: 250) }
        let time = Timestamp(microseconds: StoredDashboard.now.microseconds - 86_400_000_000)
        let event = NewestEvent(type: "inbound_link", time: time, channel: "search", refs: refs)
        let page = try await Self.dashboard([event], minutesAgo: 1).get("/live")
        let cell = try #require(page.body.firstMatch(of: /<td><span title="[^"]*">(.*) \+5<\/span><\/td>/)).1
        let shown = (1...3).map { "<bdi>\\u202e\($0)" + String(repeating: "x", count: 21) + "…</bdi>" }
        #expect(String(cell) == shown.joined(separator: ", "))
        #expect(page.body.contains("<th scope=\"row\">2026-11-24 15:00</th>"))
    }
}
