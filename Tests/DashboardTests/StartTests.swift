import Foundation
import Ingest
import Storage
import Synchronization
import Testing

@testable import Dashboard
@testable import Reporting

@Suite("What a page begins with")
struct StartTests {
    private static func dashboard() -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        return dashboard
    }

    /// 2026-11-25 in Berlin.
    @Test func offersTheRangesThatPeopleAskFor() async throws {
        let page = try await Self.dashboard().get("/?from=2026-11-24&through=2026-11-24")
        let presets = page.body.matches(of: /<a href="\/\?from=([0-9-]*)&amp;through=([0-9-]*)"([^>]*)>([^<]*)<\/a>/)
            .filter { !["Overview", "Touches", "Countries"].contains($0.4) }
        #expect(
            presets.map { "\($0.4): \($0.1) \($0.2)" } == [
                "Today: 2026-11-25 2026-11-25", "Yesterday: 2026-11-24 2026-11-24",
                "This week: 2026-11-23 2026-11-25", "Last week: 2026-11-16 2026-11-22",
                "This month: 2026-11-01 2026-11-25", "Last month: 2026-10-01 2026-10-31",
                "7 days: 2026-11-19 2026-11-25", "30 days: 2026-10-27 2026-11-25",
                "90 days: 2026-08-28 2026-11-25", "1 year: 2025-11-26 2026-11-25",
            ]
        )
        #expect(presets.filter { $0.3.contains("aria-current") }.map { String($0.4) } == ["Yesterday"])
    }

    @Test(arguments: View.allCases)
    func hasAtMostOneButtonThatShows(view: View) async throws {
        let page = try await Self.dashboard().get(view.path)
        #expect(page.body.ranges(of: ">Apply</button>").count == (view.hasDays ? 1 : 0))
        // What a control sends is not sent twice.
        let hidden = page.body.matches(of: /<input type="hidden" name="([a-z_]*)"/).map { String($0.1) }
        for name in hidden { #expect(!page.body.contains("name=\"\(name)\" form=\"view\""), "\(name)") }
    }

    /// On a phone, days and filters are one line until somebody opens it, or chooses the value of a filter.
    @Test func foldsDaysAndFiltersIntoOneLine() async throws {
        func fold(_ path: String) async throws -> String? {
            try await Self.dashboard().get(path).body
                .firstMatch(of: /<label class="fold"><input type="checkbox"([ a-z]*)>.*<\/span>([^<]*)<\/label>/)
                .map { String($0.2 + $0.1) }
        }
        #expect(try await fold("/") == "30 days")
        let days = "from=2026-11-01&through=2026-11-02"
        #expect(try await fold("/funnels?\(days)") == "2026-11-01 to 2026-11-02")
        #expect(try await fold("/?where=channel%3Dsearch") == "30 days, 1 filter")
        #expect(try await fold("/?where=channel%3Dsearch&where=ref%3Da&add=channel") == "30 days, 2 filters checked")
        #expect(try await fold("/live") == nil)
    }

    @Test func tellsAnEmptyAppHowToSend() async throws {
        let dashboard = Self.dashboard()
        #expect(try await dashboard.get("/").body.contains("Nothing came in through a link in these days."))
        dashboard.haveNoEvents()
        let page = try await dashboard.get("/")
        #expect(page.status == 200 && page.body.contains("No event has arrived yet"))
        for text in [
            "tributary app add-key shop --scope write", "http://127.0.0.1:8080/v1/events", "curl -H &#39;Authorization",
            "href=\"/openapi.yaml\"", "href=\"/live\"",
        ] {
            #expect(page.body.contains(text), "\(text)")
        }
        #expect(!page.body.contains("<dl class=\"cards\">") && !page.body.contains("<svg class=\"chart"))
        for view in View.allCases where !view.reports.isEmpty {
            #expect(try await dashboard.get(view.path).body.contains("No event has arrived yet"), "\(view)")
        }
        let secure = try await dashboard.get("/", headers: ["X-Forwarded-Proto": "https"], isSignedIn: false)
        #expect(secure.status == 303)
    }

    /// Of an app with events of other kinds.
    @Test func tellsHowToSendWhatAViewLacks() async throws {
        let none = Self.dashboard()
        for (path, heading) in [
            ("/posts", "How to send a post"), ("/viral", "How to send a post"),
            ("/generations", "How to send a post"), ("/paths", "How to send a conversion"),
        ] {
            #expect(try await none.get(path).body.contains(heading), "\(path)")
        }
        let some = StoredDashboard()
        some.answer { name, parameters in
            guard name == "posts", !parameters.contains(where: { $0.name == "by" }) else { return nil }
            let cells = PostsReport.columns.map { $0.kind == .text ? ReportCell.text("total") : .integer(1) }
            return ReportTable(columns: PostsReport.columns, rows: [cells])
        }
        #expect(try await !some.get("/posts").body.contains("How to send a post"))
    }

    @Test func explainsTheChannels() async throws {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            guard name == "channels", !parameters.contains(where: { $0.name == "by" }) else { return nil }
            return ReportTable(
                columns: [.text("channel", ""), .touches],
                rows: ["story_links", "direct", "total"].map { [.text($0), .integer(1)] }
            )
        }
        let page = try await dashboard.get("/")
        #expect(page.body.contains("What the channels mean"))
        #expect(page.body.contains("<span title=\"the story itself: its picture, its title, its link\"><a href"))
        #expect(page.body.contains("<dt>direct</dt><dd>no tap: installs and conversions of people who tapped no"))
        // Only those that the table names.
        #expect(!page.body.contains("<dt>unattributed</dt>"))
        #expect(!page.body.contains("docs/"))
    }

    /// The live page ticks what has happened, and says what to do for the rest. What was seen once stays ticked.
    @Test func tickTheStepsToAnInstall() async throws {
        let stored = StoredDashboard()
        stored.reach([.link, .click])
        let page = try await stored.get("/live").body
        #expect(page.contains("From a link to an install: 2 of 6"))
        #expect(page.components(separatedBy: #"<li class="done">"#).count == 3)
        #expect(page.contains("A conversion<small>Send conversion when"))
        #expect(!page.contains("Open the link, best on a phone."))

        let clock = Clock()
        let live = LiveIngest(clock: { clock.second.withLock { $0 } })
        func milestones() async -> Set<AppMilestone>? { await live.milestones(of: stored.app, from: stored) }
        #expect(await milestones() == [.link, .click])
        stored.reach([.open])
        #expect(await milestones() == [.link, .click])
        clock.second.withLock { $0 = 5 }
        #expect(await milestones() == [.link, .click, .open])
    }

    private final class Clock: Sendable {
        let second = Mutex<Int64>(0)
    }

    @Test func saysWhenTheLastEventCame() async throws {
        let live = LiveIngest(clock: { 1_764_079_200 })
        let stored = StoredDashboard()
        let request = try ViewRequest(
            .live,
            fields: FormFields(),
            app: stored.app,
            source: stored,
            stores: try await stored.stores(isOwn: false),
            now: StoredDashboard.now
        )
        func line() -> String? {
            LiveView(live, request, readiness: .init()).rates.first { $0.name == "Last event" }?.value
        }
        #expect(LiveView(live, request, readiness: .init()).firstEvent != nil)
        live.record(.init(rejected: 1), codes: ["too_old"], ofApp: 7)
        live.record(.init(accepted: 1), codes: [], lastType: "install", ofApp: 8)
        #expect(line() == "none since the daemon started")
        live.record(.init(accepted: 2), codes: [], lastType: "conversion", ofApp: 7)
        live.record(.init(duplicates: 2), codes: [], lastType: "install", ofApp: 7)
        #expect(line() == "2025-11-25 15:00, conversion")
        #expect(LiveView(live, request, readiness: .init()).firstEvent == nil)
    }

    @Test func sortsTheRowsOfATable() async throws {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            guard ["channels", "viral", "paths"].contains(name), !parameters.contains(where: { $0 == ("by", "day") })
            else { return nil }
            let first = name == "channels" ? "channel" : name == "viral" ? "group" : "path"
            return ReportTable(
                columns: [.text(first, ""), .touches, .integer("installs", unit: "installs", "")],
                rows: [
                    [.text("b"), .integer(3), .integer(1)], [.text("a"), .integer(1), .integer(9)],
                    [.text("c"), .integer(2), .empty], [.text("direct"), .empty, .integer(50)],
                    [.text("total"), .integer(6), .integer(60)],
                ]
            )
        }
        for (path, field) in [("/", "channels_sort"), ("/viral", "sort"), ("/paths", "sort")] {
            // The first page shows few columns at once.
            let columns = "columns=touches%2Cinstalls"
            func names(_ query: String) async throws -> [String] {
                try await dashboard.get("\(path)?\(columns)\(query.isEmpty ? "" : "&")\(query)").body
                    .matches(of: /<th scope="row"><span[^>]*>(?:<a [^>]*>)?([a-z]+)</).map { String($0.1) }
            }
            #expect(try await names("") == ["b", "a", "c", "direct", "total"], "\(path)")
            #expect(try await names("\(field)=installs") == ["a", "b", "c", "direct", "total"], "\(path)")
            let first = path == "/" ? "channel" : path == "/viral" ? "group" : "path"
            #expect(try await names("\(field)=\(first)") == ["a", "b", "c", "direct", "total"], "\(path)")
            #expect(try await names("\(field)=installs:reverse") == ["b", "a", "c", "direct", "total"], "\(path)")
            #expect(try await names("\(field)=\(first):reverse") == ["c", "b", "a", "direct", "total"], "\(path)")
            let page = try await dashboard.get("\(path)?\(columns)&\(field)=touches")
            #expect(page.body.contains("aria-sort=\"descending\""))
            #expect(page.body.contains("\(field)=installs\">installs</a>"))
            // Once more for the opposite order.
            #expect(page.body.contains("\(field)=touches%3Areverse\">touches</a>"))
            let reversed = try await dashboard.get("\(path)?\(columns)&\(field)=touches:reverse").body
            #expect(reversed.contains("aria-sort=\"ascending\"") && reversed.contains("\(field)=touches\">touches</a>"))
            let wrong = try await dashboard.get("\(path)?\(columns)&\(field)=moon")
            #expect(
                wrong.status == 400 && wrong.body.contains("‘\(field)’ must be one of: \(first), touches, installs")
            )
        }
    }
}
