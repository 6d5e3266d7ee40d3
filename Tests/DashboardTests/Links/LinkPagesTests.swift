import HTTPTypes
import QRCodes
import Redirects
import Storage
import Testing
import Time

@testable import Dashboard
@testable import Reporting

@Suite("Pages of links")
struct LinkPagesTests {
    private static func link(_ slug: String, _ change: (inout Link) -> Void = { _ in }) -> Link {
        var link = Link(host: "go.example", slug: slug)
        link.targetURL = "https://www.example.com/sale"
        change(&link)
        return link
    }

    // MARK: The list

    @Test func listAddressTargetRefsAndState() async throws {
        let dashboard = StoredDashboard([
            Self.link("sale") { link in
                link.refs = ["gift", "spring"]
                link.createdAt = Timestamp(rfc3339: "2026-11-25T23:30:00Z")
            },
            Self.link("off") { $0.disabled = true },
            Self.link("past") { $0.expiresAt = StoredDashboard.now },
        ])
        let page = try await dashboard.get("/links")
        #expect(page.status == 200)
        for text in [
            #"<a href="/links/link?host=go.example&amp;slug=sale" title=""><span class="host">go.example/</span>sale</a>"#,
            ">https://www.example.com/sale</td>", ">gift, spring</td>", #"<span class="state live">live</span>"#,
            #"<span class="state disabled">"#, #"<span class="state expired">"#,
            // In the app's time zone.
            "<td>2026-11-26 00:30</td>", #"<a class="button main" href="/links/new">"#,
        ] {
            #expect(page.body.contains(text), "\(text)")
        }
    }

    /// Whoever asks which link works must not open each.
    @Test func listWhatEachHasBrought() async throws {
        let dashboard = StoredDashboard([Self.link("sale"), Self.link("a,b"), Self.link("idle")])
        dashboard.answer { name, parameters in
            guard name == "links", parameters.contains(where: { $0.value.contains(#"go.example/a\,b"#) }) else {
                return nil
            }
            let rows = [("go.example/sale", 1_200, 31), ("go.example/a,b", 7, 2)].map { name, clicks, installs in
                LinksReport.columns.map { column -> ReportCell in
                    switch column.name {
                    case "link": .text(name)
                    case "clicks": .integer(Int64(clicks))
                    case "installs": .integer(Int64(installs))
                    case "return_rate": clicks > 7 ? .fraction(millionths: 250_000) : .empty
                    default: .empty
                    }
                }
            }
            return ReportTable(columns: LinksReport.columns, rows: rows)
        }
        let page = try await dashboard.get("/links")
        let cells = page.body.matches(of: /<td class="number">([^<]*)<\/td>/).map { String($0.1) }
        #expect(cells.sorted() == ["0", "0", "1,200", "2", "25.0 %", "31", "7", "–", "–"])
        dashboard.refuse("links", because: "too much")
        let without = try await dashboard.get("/links")
        #expect(without.status == 200 && without.body.contains("<td class=\"number\">–</td>"))
    }

    @Test func listPageByPage() async throws {
        let dashboard = StoredDashboard((1...120).map { Self.link("ü\($0)") } + [Self.link("u1")])
        var path = "/links?text=%C3%BC"
        var seen: [Int] = []
        for _ in 1...3 {
            let page = try await dashboard.get(path)
            let next = page.body.matches(of: /href="([^"]*after_slug[^"]*)" rel="next"/).first?.1
            seen.append(page.body.matches(of: /<th scope="row">/).count)
            // The search stays.
            #expect(page.body.contains(#"name="text" value="ü""#))
            guard let next else { break }
            path = String(next.replacing("&amp;", with: "&"))
        }
        #expect(seen == [50, 50, 20])
    }

    @Test func sayWhyThereIsNothing() async throws {
        let empty = try await StoredDashboard().get("/links")
        #expect(empty.body.contains("No links yet"))
        let unknown = try await StoredDashboard([Self.link("sale")]).get("/links?text=nothing")
        #expect(unknown.body.contains("No link has this text"))
        let homeless = try await StoredDashboard(app: { $0.linkHosts = [] }).get("/links")
        #expect(homeless.body.contains("tributary app update shop --link-host"))
        #expect(!homeless.body.contains("/links/new"))
    }

    // MARK: One link

    @Test func showOneLinkWithItsCode() async throws {
        let dashboard = StoredDashboard([
            Self.link("sale") { link in
                link.note = "for Ann"
                link.preview.title = "Spring sale"
                link.preview.imageURL = "https://img.example/a.png"
            }
        ])
        let page = try await dashboard.get("/links/link?host=go.example&slug=sale")
        #expect(page.status == 200)
        let code = try #require(QRCode("HTTPS://GO.EXAMPLE/SALE"))
        for text in [
            "<h1>go.example/sale</h1>", #"value="https://go.example/sale" readonly"#, code.svg, ">for Ann<",
            "href=\"https://www.example.com/sale\"", #"<p class="title">Spring sale</p>"#,
            // The policy lets no image of another site in.
            #"<p class="image">https://img.example/a.png</p>"#, #"<th scope="row">og:image</th>"#,
        ] {
            #expect(page.body.contains(text), "\(text)")
        }
        #expect(!page.body.contains("<img"))
    }

    /// A link that has no row of its own beside all others is asked for alone.
    @Test func showALinkWithFewerClicksThanTheOthers() async throws {
        let dashboard = StoredDashboard([Self.link("sale")])
        dashboard.answer { _, parameters in
            let isAlone = parameters.contains { $0 == ("where", "link=go.example/sale") }
            return ReportTable(
                columns: LinksReport.columns,
                rows: [
                    LinksReport.columns.map { column -> ReportCell in
                        switch column.kind {
                        case .text: .text(column.name != "link" ? "" : isAlone ? "go.example/sale" : "(others)")
                        case .rate: .fraction(millionths: 500_000)
                        default: .integer(isAlone ? 4711 : 1_000_000)
                        }
                    }
                ]
            )
        }
        let page = try await dashboard.get("/links/link?host=go.example&slug=sale")
        #expect(page.body.contains("4,711") && !page.body.contains("1,000,000"))
        #expect(dashboard.reports.filter { $0.name == "links" }.map { $0["where"] } == [nil, "link=go.example/sale"])
    }

    /// The report needs its time; a link's address and code do not.
    @Test func showALinkWhoseFiguresAreUnavailable() async throws {
        let page = try await StoredDashboard([Self.link("sale")]).get("/links/link?host=go.example&slug=sale")
        #expect(page.status == 200)
        #expect(page.body.contains("The database is away") && page.body.contains("https://go.example/sale"))
    }

    @Test func sayWhereALinkLeads() async throws {
        let dashboard = StoredDashboard([Self.link("sale") { $0.appURL = "shop://sale" }])
        let body = try await dashboard.get("/links/link?host=go.example&slug=sale").body
        let rows = body.matches(of: /<tr><th scope="row" title="[^"]*">([^<]*)<\/th><td>([^<]*)<br>/).map {
            "\($0.1): \($0.2)"
        }
        #expect(
            rows == [
                "iPhone: A page with buttons", "iPad: A page with buttons",
                "Safari on a Mac, or on an iPad that says so: A page that tells Macs and iPads apart",
                "Android: A page with buttons", "Facebook&#39;s browser on an iPhone: A page with buttons",
                "Facebook&#39;s browser on Android: A page with buttons", "Desktop: Web page",
                "Facebook&#39;s crawler: The preview",
            ]
        )
        #expect(body.contains("https://apps.apple.com/app/id111"))
        #expect(body.contains("shop://sale?click_id={click_id}"))
    }

    @Test func saysThatCrawlersOfADisabledLinkGetNoPreview() async throws {
        let dashboard = StoredDashboard([Self.link("sale") { $0.disabled = true }])
        let body = try await dashboard.get("/links/link?host=go.example&slug=sale").body
        #expect(body.contains("Crawlers get no preview: A page that says: expired."))
        #expect(body.contains(#"<span class="state disabled">"#))
    }

    @Test(arguments: [("svg", "image/svg+xml", "sale.svg"), ("png", "image/png", "sale.png")])
    func giveTheCodeAsAFile(kind: String, contentType: String, name: String) async throws {
        let answer = try await StoredDashboard([Self.link("sale")]).get("/links/qr.\(kind)?host=go.example&slug=sale")
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == contentType)
        #expect(answer.headers[.contentDisposition] == "attachment; filename=\"\(name)\"")
        if kind == "svg" { #expect(answer.body == QRCode("HTTPS://GO.EXAMPLE/SALE")?.svg) }
    }

    @Test(arguments: ["/links/link", "/links/link?host=go.example&slug=nothing", "/links/qr.svg?slug=sale"])
    func sayThatThereIsNoLink(path: String) async throws {
        let answer = try await StoredDashboard([Self.link("sale")]).get(path)
        #expect(answer.status == 404)
        #expect(answer.body.contains("The app has no link at this address"))
    }

    @Test func sayThatTheDatabaseIsAway() async throws {
        let dashboard = StoredDashboard([Self.link("sale")])
        dashboard.goAway()
        for path in ["/links", "/links/link?host=go.example&slug=sale", "/links/qr.png?host=go.example&slug=sale"] {
            let answer = try await dashboard.get(path)
            #expect(answer.status == 503 && answer.body.contains("role=\"alert\""), "\(path)")
        }
    }

    @Test(arguments: ["/links", "/links/new", "/links/link?host=go.example&slug=sale", "/links/qr.svg?slug=sale"])
    func areForPeopleWhoHaveSignedIn(path: String) async throws {
        let answer = try await StoredDashboard([Self.link("sale")]).get(path, isSignedIn: false)
        #expect(answer.status == 303)
        #expect(answer.headers[.location]?.hasPrefix("/sign-in?then=%2Flinks") == true)
    }

    @Test func escapeEveryText() async throws {
        let hostile = #"<b>" autofocus '"#
        let dashboard = StoredDashboard([
            Self.link("a\"b<i>'") { link in
                link.appURL = "javascript:alert(1)"
                link.targetURL = "https://www.example.com/\"><b>"
                link.refs = [hostile]
                link.preview.title = hostile
                link.preview.description = hostile
                link.preview.imageURL = "https://img.example/\"><b>"
                link.note = hostile
            }
        ])
        for path in ["/links", "/links/link?host=go.example&slug=a%22b%3Ci%3E%27"] {
            let answer = try await dashboard.get(path)
            #expect(answer.status == 200)
            #expect(!answer.body.contains("<b>") && !answer.body.contains("<i>"), "\(path)")
            #expect(!answer.body.contains("\" autofocus"), "\(path)")
            // Only web addresses can be clicked.
            #expect(!answer.body.contains("href=\"javascript"), "\(path)")
        }
    }
}
