import HTTPTypes
import Testing
import Time

@testable import Dashboard
@testable import Reporting
@testable import Storage

@Suite("Filters of views")
struct FilterTests {
    private static let days = "from=2026-11-01&through=2026-11-07"

    private static func dashboard(_ tables: @escaping StoredDashboard.Tables = { _, _ in nil }) -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer(tables)
        return dashboard
    }

    private static let noFilters = Filters(
        FormFields(),
        of: App(number: 7, profile: AppProfile(id: "game", name: "Game"))
    )

    private static func links(_ page: StoredDashboard.Answer) -> [(href: String, text: String)] {
        page.body.matches(of: /<a [^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a>/)
            .map { (String($0.1).replacing("&amp;", with: "&"), String($0.2)) }
    }

    @Test func goToEveryReportThatTakesThem() async throws {
        let dashboard = Self.dashboard()
        let page = try await dashboard.get("/?\(Self.days)&where=channel%3Dsearch&where=ref%21%3Dgift")
        #expect(page.status == 200)
        for asked in dashboard.reports {
            let conditions = asked.parameters.filter { $0.name == "where" }.map(\.value)
            let keys = Self.noFilters.keys(of: asked.name)
            let expected = [("channel", "channel=search"), ("ref", "ref!=gift")].filter { keys.contains($0.0) }.map(\.1)
            #expect(conditions == expected, "\(asked.name)")
        }
        #expect(dashboard.reports.contains { !Self.noFilters.keys(of: $0.name).isEmpty })
        // The figures as CSV have them too.
        let csv = try #require(page.body.firstMatch(of: /href="(\/csv\/channels[^"]*)"/))
        #expect(csv.1.contains("where=channel%3Dsearch&amp;where=ref%21%3Dgift"))
    }

    /// The goals to choose from are those of the platform.
    @Test func goToAReportAsFarAsItKnowsTheirKeys() async throws {
        let dashboard = Self.dashboard()
        let page = try await dashboard.get("/?\(Self.days)&where=channel%3Dsearch&where=platform%21%3Dios")
        #expect(page.status == 200)
        #expect(dashboard.reports.contains { $0.name == "goals" })
        for asked in dashboard.reports where asked.name == "goals" {
            #expect(asked.parameters.filter { $0.name == "where" }.map(\.value) == ["platform!=ios"])
        }
    }

    @Test func areTakenOffOneByOne() async throws {
        let page = try await Self.dashboard().get("/?\(Self.days)&where=channel%3Dsearch&where=ref%21%3Dgift")
        #expect(page.body.contains("<li>channel is search <a") && page.body.contains("<li>ref is not gift <a"))
        let crosses = Self.links(page).filter { $0.text == "×" }.map(\.href)
        #expect(crosses == ["/?\(Self.days)&where=ref%21%3Dgift", "/?\(Self.days)&where=channel%3Dsearch"])
        #expect(Self.links(page).contains { $0.text == "Take all off" && $0.href == "/?\(Self.days)" })
    }

    @Test func stayOnTheWayToEveryView() async throws {
        let dashboard = Self.dashboard()
        let page = try await dashboard.get("/?\(Self.days)&where=channel%3Dsearch")
        let ways = Door.allCases.map { (title: $0.title, view: $0.views[0]) } + [(title: View.live.title, view: .live)]
        for way in ways {
            let link = try #require(Self.links(page).first { $0.text == way.title })
            #expect(link.href == "\(way.view.path)?\(Self.days)&where=channel%3Dsearch")
        }
        for door in Door.allCases {
            let inside = try await dashboard.get("\(door.views[0].path)?\(Self.days)&where=channel%3Dsearch")
            for view in door.listed.dropFirst() {
                let link = try #require(Self.links(inside).first { $0.text == view.title })
                #expect(link.href == "\(view.path)?\(Self.days)&where=channel%3Dsearch")
            }
        }
        // The form of the days, too.
        #expect(page.body.contains(#"<input type="hidden" name="where" value="channel=search">"#))
    }

    @Test func areAddedByAForm() async throws {
        let dashboard = Self.dashboard()
        let chosen = try await dashboard.get("/funnels?\(Self.days)&window=3d&add=channel")
        #expect(chosen.status == 200)
        #expect(chosen.body.contains(#"<option value="story_links">story links</option>"#))
        let added = try await dashboard.get(
            "/funnels?\(Self.days)&window=3d&where=ref%3Dgift&add=channel&not=1&value=search"
        )
        #expect(added.status == 303)
        #expect(
            added.headers[.location]
                == "/funnels?\(Self.days)&where=ref%3Dgift&where=channel%21%3Dsearch&window=3d"
        )
        // The steps of the same form become one parameter, and the key stays.
        let both = try await dashboard.get("/funnels?\(Self.days)&step1=touch&step2=install&add=channel")
        #expect(both.headers[.location] == "/funnels?\(Self.days)&steps=touch%2Cinstall&add=channel")
        let moon = try await dashboard.get("/funnels?add=moon")
        #expect(moon.status == 400 && moon.body.contains("cannot be filtered by ‘moon’"))
    }

    // MARK: What people did

    @Test func areOfPeopleToo() async throws {
        let dashboard = Self.dashboard()
        let conditions = "with=touch%3E%3D2&without=app_open%4030d"
        let page = try await dashboard.get("/?\(Self.days)&\(conditions)")
        #expect(page.status == 200)
        for asked in dashboard.reports {
            #expect(asked["with"] == "touch>=2" && asked["without"] == "app_open@30d", "\(asked.name)")
        }
        #expect(page.body.contains("<li>people with touch, 2 or more <a"))
        #expect(page.body.contains("<li>people without app_open, in the last 30 days <a"))
        let crosses = Self.links(page).filter { $0.text == "×" }.map(\.href)
        #expect(crosses == ["/?\(Self.days)&without=app_open%4030d", "/?\(Self.days)&with=touch%3E%3D2"])
        // They stay on the way to other views, and reports without keys take them.
        let link = try #require(Self.links(page).first { $0.text == Door.allCases.last?.title })
        #expect(link.href.hasSuffix("?\(Self.days)&\(conditions)"))
        let paths = try await dashboard.get("/paths?\(Self.days)&with=install")
        #expect(paths.status == 200 && dashboard.reports.contains { $0.name == "paths" && $0["with"] == "install" })
        let logins = try await dashboard.get("/logins?\(Self.days)&with=install")
        #expect(logins.body.contains("Not filtered by what people did: the report logins counts errors"))
        #expect(!dashboard.reports.contains { $0.name == "logins" })
    }

    @Test func areAddedByWhatPeopleDid() async throws {
        let dashboard = Self.dashboard()
        let page = try await dashboard.get("/paths?\(Self.days)")
        #expect(page.body.contains(#"<option value="people">what people did</option>"#))
        let chosen = try await dashboard.get("/paths?\(Self.days)&add=people")
        #expect(chosen.body.contains(#"<option value="">did</option><option value="1">did not</option>"#))
        #expect(chosen.body.contains(#"<option value="app_open"></option>"#))
        for (not, name) in [("", "with"), ("1", "without")] {
            let added = try await dashboard.get("/paths?\(Self.days)&add=people&not=\(not)&value=app_open%4030d")
            #expect(added.status == 303)
            #expect(added.headers[.location] == "/paths?\(Self.days)&\(name)=app_open%4030d")
        }
        let logins = try await dashboard.get("/logins?\(Self.days)&add=people")
        #expect(logins.status == 400)
    }

    /// Each is one choice, and reports read what it stands for.
    @Test func areReadyMade() async throws {
        let dashboard = Self.dashboard()
        let page = try await dashboard.get("/paths?\(Self.days)")
        for ready in ReadyDeeds.all {
            #expect(page.body.contains("<option value=\"\(ready.field)\">\(ready.title)</option>"))
            let chosen = try await dashboard.get("/paths?\(Self.days)&" + FormFields.encode([("add", ready.field)]))
            let place = try #require(chosen.headers[.location])
            #expect(chosen.status == 303 && place.hasSuffix(FormFields.encode(ready.filters)))
            #expect(place.contains("?\(Self.days)&") == (ready.days == 1), "\(place)")
            _ = try ReportRequest.parse(
                name: "paths",
                parameters: ready.filters,
                origin: .http,
                app: dashboard.app,
                now: Timestamp(microseconds: 0)
            )
        }
        let gone = FormFields.encode([("add", "people:paid, gone for 30 days")])
        // Whoever has been gone for 30 days has done nothing in the last 30.
        let place = try await dashboard.get("/paths?from=2026-11-01&through=2026-11-20&\(gone)").headers[.location]
        #expect(place?.hasPrefix("/paths?from=2026-08-23&through=2026-11-20&with=conversion") == true)
        let beside = try await dashboard.get("/paths?from=2026-11-01&through=2026-11-20&\(gone)&value=search")
        #expect(beside.headers[.location] == place)
        let earlier = try await dashboard.get("/paths?from=2026-01-01&through=2026-11-20&\(gone)").headers[.location]
        #expect(earlier?.hasPrefix("/paths?from=2026-01-01&through=2026-11-20&with=conversion") == true)
        #expect(try await dashboard.get("/logins?\(Self.days)&\(gone)").status == 400)
    }

    /// The tiles of a page: name, value, and what stands below.
    private static func tiles(_ page: StoredDashboard.Answer) -> [String: (value: String, note: String)] {
        let tiles = page.body.replacing(/<a [^>]*>|<\/a>/, with: "").matches(
            of: /<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd><dd class="change [a-z]*">([^<]*)<\/dd>/
        )
        return Dictionary(uniqueKeysWithValues: tiles.map { (String($0.1), (String($0.2), String($0.3))) })
    }

    /// A row with a number in each column.
    private static func row(_ columns: [ReportColumn], _ name: String) -> ReportTable {
        let cells = columns.map { column -> ReportCell in
            switch column.kind {
            case .text: .text(name)
            case .rate, .ratio: .fraction(millionths: 761_000)
            default: .integer(2785)
            }
        }
        return ReportTable(columns: columns, rows: [cells])
    }

    /// A post cannot come from search, so its figures are not those of the filter.
    @Test(
        arguments: [
            ("channel=search", "not filtered by channel: a post has none"),
            ("deferred!=true", "not filtered by deferred: a post has none"),
            ("ref=gift", nil), ("platform=ios", nil),
        ] as [(String, String?)]
    )
    func leaveEmptyWhatAPostCannotBe(condition: String, note: String?) async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard !parameters.contains(where: { $0.name == "by" && $0.value != "none" }) else { return nil }
            return switch name {
            case "refs": Self.row(RefsReport.columns, "total")
            case "viral": Self.row(ViralReport.columns, "total")
            case "channels": Self.row(ChannelsReport.columns, "total")
            default: nil
            }
        }
        let query = FormFields.encode([("where", condition)])
        for path in ["/?", "/compare?by=range&report=refs&", "/compare?by=range&report=viral&"] {
            let page = try await dashboard.get(path + query)
            #expect(page.status == 200)
            let tiles = Self.tiles(page)
            let wanted = [
                ("Post rate", "76.1 %"), ("K", "0.76"), ("K, traced", "0.76"), ("Posts", "2,785"), ("Posters", "2,785"),
            ]
            for (name, value) in wanted {
                guard let tile = tiles[name] else { continue }
                #expect(tile.value == (note == nil ? value : "–"), "\(path) \(name)")
                if path == "/?", let note { #expect(tile.note == note) }
            }
            #expect(!path.contains("viral") || tiles.count == 7)
            if let touches = tiles["Touches"], !path.contains("viral") { #expect(touches.value == "2,785") }
        }
        #expect(dashboard.reports.contains { $0.name == "viral" } == (note == nil))
        let overview = try await dashboard.get("/?columns=posts%2Ctouches&" + query)
        #expect(
            overview.body.contains("and so left empty: posts, cancelled, failed, unconfirmed, post rate, posters")
                == (note != nil)
        )
    }

    @Test(arguments: [
        ("paths", "platform=ios", "the report paths takes no filters"), ("posts", "channel=search", "a post has none"),
    ])
    func leaveEmptyWhatAReportCannotFilter(report: String, condition: String, reason: String) async throws {
        let dashboard = Self.dashboard()
        let key = condition.prefix { $0 != "=" }
        let page = try await dashboard.get("/\(report)?where=\(condition.replacing("=", with: "%3D"))")
        #expect(page.status == 200)
        #expect(page.body.contains("<p class=\"empty\">Not filtered by \(key): \(reason). Take the filter off"))
        #expect(!dashboard.reports.contains { $0.name == report } && !page.body.contains("/csv/\(report)"))
        for (name, tile) in Self.tiles(page) { #expect(tile.value == "–", "\(name)") }
        #expect(try await !dashboard.get("/\(report)").body.contains("Not filtered"))
    }

    /// The platform of a post is not that of who tapped it.
    @Test func limitPostsAndLeadToAllTheirPeople() async throws {
        let dashboard = Self.dashboard { name, _ in
            guard name == "posts" else { return nil }
            let columns: [ReportColumn] = [.text("post", ""), .touchPeople]
            return ReportTable(columns: columns, rows: [[.text("p1"), .integer(4)]])
        }
        let page = try await dashboard.get("/posts?\(Self.days)&each=true&where=platform%3Dios")
        let asked = dashboard.reports.filter { $0.name == "posts" }
        #expect(!asked.isEmpty && asked.allSatisfy { $0["where"] == "platform=ios" })
        let people = try #require(Self.links(page).first { $0.href.hasPrefix("/people?") })
        #expect(people.href.contains("group=p1") && !people.href.contains("where"))
    }

    @Test func sayThatNotAllValuesAreOffered() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "breakdown", parameters.contains(where: { $0 == ("by", "ref") }) else { return nil }
            return ReportTable(
                columns: [.text("ref", ""), .touches],
                rows: [[.text("a"), .integer(2)], [.text("(others)"), .integer(1)]]
            )
        }
        let page = try await dashboard.get("/?add=ref")
        #expect(page.body.contains("The 1 most frequent are offered; any other can be typed."))
        #expect(!page.body.contains(#"<option value="(others)">"#))
    }

    /// So that a person can take off what is wrong.
    @Test func stayOnThePageThatRefusesThem() async throws {
        let page = try await Self.dashboard().get("/?where=moon%3D1")
        #expect(page.status == 400)
        #expect(page.body.contains("role=\"alert\""))
        #expect(page.body.contains("<li>moon is 1 <a"))
    }

    @Test(arguments: ["a,b", "a\\b", "\\,", "ü=x", "gift"])
    func readAnyValueAsItWas(value: String) throws {
        let filters = Self.noFilters.adding("ref", value)
        let text = try #require(filters.texts.first)
        let condition = try EventCondition(parsing: text, keys: [.ref])
        #expect(condition.values == [value] && !condition.isExclusion)
        #expect(Filters.words(("where", text)) == "ref is \(value)")
        #expect(filters.contains("ref", value) && !filters.contains("ref", "x"))
    }

    /// Where a report can mean a declared property, its view offers it; where it cannot, a dash stands.
    @Test func offerDeclaredProperties() async throws {
        let dashboard = StoredDashboard(properties: [
            AppProperty("placement", of: .touch), AppProperty("plan", of: .person),
            AppProperty("tier", of: .conversion),
        ])
        dashboard.answer { name, _ in name == "channels" ? Self.row(ChannelsReport.columns, "total") : nil }
        for (path, offered) in [
            ("/breakdown", ["placement", "plan"]), ("/funnels", ["placement", "plan"]), ("/viral", []),
        ] {
            let page = try await dashboard.get(path)
            for name in ["placement", "plan", "tier"] {
                #expect(page.body.contains("<option value=\"\(name)\"") == offered.contains(name), "\(path) \(name)")
            }
        }
        let keys = Filters(FormFields(), of: dashboard.app).keys(of: "compare")
        #expect(keys.suffix(2) == ["placement", "plan"])
        let overview = try await dashboard.get("/?where=plan%3Dpro")
        #expect(overview.status == 200)
        #expect(Self.tiles(overview)["Touches"]?.value == "2,785")
        #expect(Self.tiles(overview)["K, traced"]?.note == "not filtered by plan: a post has none")
        #expect(!dashboard.reports.contains { $0.name == "viral" && $0["where"] == "plan=pro" })
    }

    // MARK: Drilling down

    @Test func areAddedByAClickOnARow() async throws {
        let dashboard = Self.dashboard { name, parameters in
            let isTotal = parameters.contains { $0.name == "by" }
            guard name == "channels" || name == "refs", !isTotal else { return nil }
            let names = name == "channels" ? ["search", "direct", "total"] : ["a,b", "(none)", "total"]
            return ReportTable(
                columns: [.text(name == "channels" ? "channel" : "ref", ""), .touches],
                rows: names.map { [.text($0), .integer(1)] }
            )
        }
        let links = Self.links(try await dashboard.get("/?\(Self.days)"))
        func href(_ text: String) -> String? { links.first { $0.text == text }?.href }
        #expect(href("search") == "/?\(Self.days)&where=channel%3Dsearch")
        #expect(href("a,b") == "/?\(Self.days)&where=ref%3Da%5C%2Cb")
        #expect(href("(none)") == "/?\(Self.days)&where=ref%3D%28none%29")
        // These have no properties.
        #expect(href("direct") == nil && href("total") == nil)
        let filtered = Self.links(try await dashboard.get("/?\(Self.days)&where=channel%3Dsearch"))
        #expect(!filtered.contains { $0.text == "search" })
    }

    @Test func leadFromADayToThatDay() async throws {
        let dashboard = Self.dashboard { name, parameters in
            guard name == "channels", parameters.contains(where: { $0 == ("by", "day") }) else { return nil }
            return ReportTable(
                columns: [.text("period", ""), .text("channel", ""), .touches],
                rows: [[.text("2026-11-02"), .text("total"), .integer(1)]]
            )
        }
        let links = Self.links(try await dashboard.get("/?\(Self.days)&where=ref%3Dgift"))
        let link = try #require(links.first { $0.text == "2026-11-02" })
        #expect(link.href == "/?from=2026-11-02&through=2026-11-02&where=ref%3Dgift")
    }
}
