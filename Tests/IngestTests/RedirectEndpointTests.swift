import Addresses
import Events
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InboundLinks
import JSONReading
import NIOCore
import NIOHTTP1
import RandomTesting
import Redirects
import Synchronization
import Testing
import Time

@testable import Ingest

@Suite("Visits of short links")
struct RedirectEndpointTests {
    private static let host = "go.example.com"
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/26.4 Mobile/15E148 Safari/604.1"
    private static let desktop =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"

    /// A daemon with one app, whose link `sale` leads to `https://www.example.com/sale`.
    private static func daemon(
        clicks: RecordingClicks = RecordingClicks(),
        app change: (inout LinkApp) -> Void = { _ in }
    ) -> Daemon {
        var app = LinkApp(id: "shop", name: "Shop")
        app.iPhoneStoreID = "123456789"
        app.androidPackage = "com.example.shop"
        change(&app)
        var link = Link(host: host, slug: "sale")
        link.targetURL = "https://www.example.com/sale"
        link.refs = ["summer"]
        var table = LinkTable()
        table.set(app, hosts: [host])
        table.set(link)
        var daemon = Daemon()
        daemon.directory = LinkDirectory(loaded: table, apps: ["shop"])
        daemon.clicks = clicks
        return daemon
    }

    /// Sends one request over a socket.
    ///
    /// - Returns: the head and the body of the answer.
    private static func ask(
        _ daemon: Daemon,
        _ target: String = "/sale",
        method: String = "GET",
        host: String = host,
        agent: String = desktop,
        headers: String = ""
    ) async throws -> (head: String, body: String) {
        let text = try await daemon.testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: \(agent)\r\n\(headers)"
                            + "Connection: close\r\n\r\n"
                    )
                ],
                port: port
            )
        }
        let end = try #require(text.range(of: "\r\n\r\n"), "\(text)")
        return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
    }

    @Test func goOn() async throws {
        let daemon = Self.daemon()
        let (head, body) = try await Self.ask(daemon, "/sale?utm_source=x", host: "GO.example.com:8080")
        #expect(head.hasPrefix("HTTP/1.1 302 Found\r\n"))
        #expect(head.contains("\r\nLocation: https://www.example.com/sale?utm_source=x\r\n"))
        #expect(head.contains("\r\nCache-Control: no-store\r\n"))
        #expect(head.contains("\r\nX-Robots-Tag: noindex\r\n"))
        #expect(!head.contains("Set-Cookie"))
        #expect(body.isEmpty)
    }

    @Test func storeTheClickBeforeTheAnswer() async throws {
        let daemon = Self.daemon()
        let (head, _) = try await Self.ask(
            daemon,
            "/sale?fbclid=abc&access_token=secret",
            agent: Self.iPhone + " [FBAN/FBIOS;FBAV/500.0]",
            headers: "Referer: https://www.facebook.com/groups/1?x=y\r\n"
        )
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let submission = try #require(daemon.clicks.clicks.first)
        #expect(submission.appNumber == 1)
        let event = try #require(submission.events.first)
        #expect(event.id.description == event.clickID)
        #expect(event.occurredAt == daemon.now)
        #expect(event.platform == .ios)
        #expect(event.properties == #"{"link":"sale","host":"go.example.com","outcome":"open_app_interstitial"}"#)
        guard case .linkClick(let touch) = event.content else {
            Issue.record("not a click")
            return
        }
        #expect(touch.link.targetURL == "https://www.example.com/sale")
        #expect(touch.link.refs == ["summer"])
        #expect(touch.link.stated.isSuperset(of: [.refs, .shortLinkRefs]))
        #expect(touch.shortLink == "go.example.com/sale")
        #expect(touch.link.channel == .storyLinks)
        #expect(touch.link.refererURL == "https://www.facebook.com")
        #expect(touch.link.redactedURL?.contains("secret") == false)
        #expect(touch.link.fbclid == "abc")
        #expect(!touch.link.authenticated)
    }

    /// A code is looked up in the database; the link to paste is found later, too.
    @Test(arguments: [StoreReceipt.Place.database, .spool, nil], ["get_app_page", "open_app_interstitial"])
    func showACodeOfAStoredClickAlone(place: StoreReceipt.Place?, outcome: String) async throws {
        let daemon = Self.daemon(clicks: RecordingClicks(place)) { $0.iosCarry = .both }
        let app = outcome == "get_app_page" ? "" : " [FBAN/FBIOS;FBAV/500.0]"
        let (head, body) = try await Self.ask(daemon, agent: Self.iPhone + app)
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(!head.contains("Set-Cookie"))
        let event = try #require(daemon.clicks.events.first)
        let properties = #"{"link":"sale","host":"go.example.com","outcome":"\#(outcome)","shows_code":true}"#
        #expect(event.properties == properties)
        let nonce = try #require(body.firstMatch(of: #/<script nonce="([0-9a-f]+)"/#)).1
        #expect(head.contains("script-src 'nonce-\(nonce)'"))
        #expect(body.contains("data-copied=\"https://go.example.com/sale?click_id=\(event.id)\""))
        let code = CarryCode(event.id).groups[0]
        #expect(body.contains(code) == (place == .database))
        #expect(daemon.clicks.sought == [true])
        let without = "tributary_pages_without_code_total \(place == .database ? 0 : 1)\n"
        #expect(daemon.metrics.exposition().contains(without))
        #expect(daemon.metrics.exposition().contains(#"tributary_redirects_total{outcome="\#(outcome)"} 1"#))
    }

    @Test func showNoCodeWhileTheClockIsWrong() async throws {
        var daemon = Self.daemon { $0.iosCarry = .code }
        daemon.clockFault = ClockFault(reason: "the clock was set")
        let (head, body) = try await Self.ask(daemon, agent: Self.iPhone)
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(!body.contains("class=\"code\""))
        #expect(daemon.metrics.exposition().contains("tributary_pages_without_code_total 1\n"))
    }

    @Test func sendOnThoseWhoseClickIsLost() async throws {
        let daemon = Self.daemon(clicks: RecordingClicks(nil))
        let (head, _) = try await Self.ask(daemon)
        #expect(head.hasPrefix("HTTP/1.1 302 Found\r\n"))
        #expect(daemon.metrics.exposition().contains("tributary_clicks_lost_total 1\n"))
    }

    @Test func sendOnWhileTheClockIsWrong() async throws {
        var daemon = Self.daemon()
        daemon.clockFault = ClockFault(reason: "the clock was set")
        let (head, _) = try await Self.ask(daemon)
        #expect(head.hasPrefix("HTTP/1.1 302 Found\r\n"))
        #expect(daemon.clicks.events.isEmpty)
        #expect(daemon.clicks.losses == ["the clock was set"])
        #expect(daemon.metrics.exposition().contains("tributary_clicks_lost_total 1\n"))
    }

    @Test(arguments: [
        ("HEAD", "", desktop, Hit.head), ("GET", "", "", .bot), ("GET", "", "Slackbot 1.0", .preview),
        ("GET", "Sec-Purpose: prefetch\r\n", desktop, .prefetch), ("GET", "Sec-Fetch-Dest: image\r\n", desktop, .embed),
    ])
    func countOthersApart(method: String, headers: String, agent: String, hit: Hit) async throws {
        let daemon = Self.daemon()
        let (_, body) = try await Self.ask(daemon, "/SALE/", method: method, agent: agent, headers: headers)
        #expect(daemon.clicks.events.isEmpty)
        #expect(daemon.clicks.counts == [RecordingClicks.Count(hit: hit, host: Self.host, slug: "sale")])
        if method == "HEAD" { #expect(body.isEmpty) }
    }

    @Test func tellTheLengthOfWhatAHeadLeavesOut() async throws {
        let daemon = Self.daemon()
        let (page, text) = try await Self.ask(daemon, "/nothing")
        let (head, body) = try await Self.ask(daemon, "/nothing", method: "HEAD")
        #expect(page.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(text.contains("Shop has no link at this address"))
        #expect(body.isEmpty)
        #expect(head.contains("Content-Length: \(text.utf8.count)\r\n"))
        #expect(daemon.clicks.counts.isEmpty)
    }

    @Test func refuseOtherMethods() async throws {
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            let (head, _) = try await Self.ask(Self.daemon(), method: method, headers: "Content-Length: 0\r\n")
            #expect(head.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
            #expect(head.contains("\r\nAllow: GET, HEAD\r\n"))
        }
    }

    @Test func answerOneAfterTheOtherOnAConnection() async throws {
        let daemon = Self.daemon()
        let request = "Host: \(Self.host)\r\nUser-Agent: \(Self.desktop)\r\n"
        let text = try await daemon.testLive { port in
            try await RawConnection.run(
                [
                    .send("GET /sale HTTP/1.1\r\n\(request)\r\nGET /healthz HTTP/1.1\r\n\(request)\r\n"),
                    .send("GET /nothing HTTP/1.1\r\n\(request)Connection: close\r\n\r\n"),
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(text) == [302, 200, 404])
    }

    @Test func doNotEndByAClockThatIsWrong() async throws {
        var daemon = Self.daemon()
        var table = daemon.directory.table
        var link = Link(host: Self.host, slug: "late")
        link.targetURL = "https://www.example.com/late"
        link.expiresAt = Timestamp(microseconds: 1)
        table.set(link)
        link.slug = "off"
        link.disabled = true
        table.set(link)
        daemon.directory = LinkDirectory(loaded: table, apps: ["shop"])
        let (ended, _) = try await Self.ask(daemon, "/late")
        #expect(ended.hasPrefix("HTTP/1.1 410 Gone\r\n"))
        daemon.clockFault = ClockFault(reason: "the clock was set")
        let (live, _) = try await Self.ask(daemon, "/late")
        #expect(live.hasPrefix("HTTP/1.1 302 Found\r\n"))
        let (disabled, _) = try await Self.ask(daemon, "/off")
        #expect(disabled.hasPrefix("HTTP/1.1 410 Gone\r\n"))
    }

    // MARK: Targets

    /// RFC 9112 section 3.2.2: the host of the target goes before `Host`.
    @Test func readWholeURLs() async throws {
        let daemon = Self.daemon()
        for (target, host) in [
            ("http://\(Self.host)/sale?a=b", "127.0.0.1:8080"), ("HTTP://GO.example.com:80/sale?a=b", Self.host),
            ("https://\(Self.host)/sale?a=b", "other.example"),
        ] {
            let (head, _) = try await Self.ask(daemon, target, host: host)
            #expect(head.contains("\r\nLocation: https://www.example.com/sale?a=b\r\n"), "\(head)")
            let (headOnly, body) = try await Self.ask(daemon, target, method: "HEAD", host: host)
            #expect(headOnly.hasPrefix("HTTP/1.1 302 Found\r\n"))
            #expect(body.isEmpty)
        }
        #expect(daemon.clicks.events.count == 3)
        guard case .linkClick(let touch) = daemon.clicks.events.first?.content else {
            Issue.record("not a click")
            return
        }
        #expect(touch.link.redactedURL == "https://go.example.com/sale?a=b")
        let (other, _) = try await Self.ask(daemon, "http://other.example/sale")
        #expect(other.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(other.contains("application/problem+json"))
        let (robots, _) = try await Self.ask(daemon, "http://\(Self.host)/robots.txt", host: "x")
        #expect(robots.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let (health, _) = try await Self.ask(daemon, "http://x/healthz")
        #expect(health.hasPrefix("HTTP/1.1 200 OK\r\n"))
        for target in ["http://user@\(Self.host)/sale", "http://a:b:c/sale"] {
            let (wrong, _) = try await Self.ask(daemon, target)
            #expect(wrong.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(wrong)")
        }
    }

    @Test func readRawUTF8AsIfItWereEscaped() async throws {
        var daemon = Self.daemon()
        var table = daemon.directory.table
        var link = Link(host: Self.host, slug: "été")
        link.targetURL = "https://www.example.com/summer"
        table.set(link)
        daemon.directory = LinkDirectory(loaded: table, apps: ["shop"])
        for (target, location) in [
            ("/été", "https://www.example.com/summer"), ("/%C3%A9té", "https://www.example.com/summer"),
            ("/e\u{301}te\u{301}", "https://www.example.com/summer"),
            ("/sale?q=grün", "https://www.example.com/sale?q=gr%C3%BCn"),
            ("http://\(Self.host)/été", "https://www.example.com/summer"),
        ] {
            let (head, _) = try await Self.ask(daemon, target)
            #expect(head.contains("\r\nLocation: \(location)\r\n"), "\(target): \(head)")
        }
        #expect(daemon.clicks.events.count == 5)
        let (robots, _) = try await Self.ask(daemon, "/robots.txt?ü")
        #expect(robots.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func refuseBytesThatAreNotUTF8() async throws {
        func ask(_ host: String, _ method: String = "GET") async throws -> String {
            try await Self.daemon().testLive { port in
                try await RawConnection.run(
                    [
                        .sendBytes(
                            Array("\(method) /sal".utf8) + [0xFC] + Array(" HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
                        ),
                        .send("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
                    ],
                    port: port
                )
            }
        }
        let page = try await ask(Self.host)
        #expect(RawConnection.statuses(page) == [400, 200])
        #expect(page.contains("Content-Type: text/html"))
        #expect(page.contains("Shop has no link at this address"))
        let problem = try await ask("other.example")
        #expect(RawConnection.statuses(problem) == [400, 200])
        #expect(problem.contains(#""code":"malformed_request""#))
        #expect(RawConnection.statuses(try await ask(Self.host, "POST")) == [400, 200])
    }

    @Test(arguments: [
        "/sale.", "/sale,", "/sale)", "/sale).", "/sale%22", "/sale>", "/sale]", "/sale'", "/sale;", "/sale:", "/sale!",
        "/sale%3F", "/SALE.", "/sale%E2%80%8B", "/sale%E2%80%8C", "/sale%E2%80%8D", "/sale%C2%A0", "/sale%EF%BB%BF",
        "/sale%EF%B8%8F", "/sale./", "/sale/)", "/sale…", "/sale-", "/sale/x.", "/.sale", "/.", "/sale%20", "/x.",
    ])
    func cutOffWhatTextProgramsStickToALink(path: String) async throws {
        let daemon = Self.daemon()
        let isFound = !["/sale-", "/sale/x.", "/.sale", "/.", "/x."].contains(path)
        let (head, _) = try await Self.ask(daemon, path)
        #expect(head.hasPrefix(isFound ? "HTTP/1.1 302 Found\r\n" : "HTTP/1.1 404 Not Found\r\n"), "\(head)")
        #expect(daemon.clicks.clicks.count == (isFound ? 1 : 0))
    }

    // MARK: Hosts and addresses

    @Test func areForLinkHostsAlone() async throws {
        let (head, _) = try await Self.ask(Self.daemon(), host: "other.example.com")
        #expect(head.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(head.contains("application/problem+json"))
        let (health, _) = try await Self.ask(Self.daemon(), "/healthz")
        #expect(health.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func believeTrustedProxiesAlone() async throws {
        var daemon = Self.daemon()
        let forwarded = "X-Forwarded-Host: \(Self.host)\r\n"
        let (believed, _) = try await Self.ask(daemon, host: "internal", headers: forwarded)
        #expect(believed.hasPrefix("HTTP/1.1 302 Found\r\n"))
        daemon.proxies = TrustedProxies([])
        let (other, _) = try await Self.ask(daemon, host: "internal", headers: forwarded)
        #expect(other.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    }

    @Test(arguments: [
        (TrustedProxies.loopback, "cf-ipcountry: de\r\n", "DE"), (.loopback, "cf-ipcountry: T1\r\n", nil),
        (TrustedProxies([]), "cf-ipcountry: DE\r\n", nil),
    ])
    func keepLanguageAndCountry(proxies: TrustedProxies, header: String, country: String?) async throws {
        var daemon = Self.daemon()
        daemon.proxies = proxies
        daemon.countryHeader = "CF-IPCountry"
        _ = try await Self.ask(daemon, headers: header + "Accept-Language: pt-br,en;q=0.5\r\n")
        let click = try #require(daemon.clicks.events.first)
        #expect(click.country == country)
        #expect(click.language == "pt-BR")
    }

    @Test func areLimitedByAddress() async throws {
        var daemon = Self.daemon()
        daemon.limits.visitorRateLimit = RateLimit(requestsPerSecond: 0.001, burst: 2)
        func request(_ address: String) -> String {
            "GET /sale HTTP/1.1\r\nHost: \(Self.host)\r\nX-Forwarded-For: 9.9.9.9, \(address)\r\n\r\n"
        }
        let requests = ["1.2.3.4", "1.2.3.4", "1.2.3.4", "2001:db8::1", "2001:db8::2", "2001:db8::3"].map(request)
        let text = try await daemon.testLive { port in
            try await RawConnection.run(
                [.send(requests.joined() + "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")],
                port: port
            )
        }
        #expect(RawConnection.statuses(text) == [302, 302, 429, 302, 302, 429, 200])
        #expect(text.contains("\r\nRetry-After: "))
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.1", "10.0.0.1", true),
        ("10.0.0.1", "10.0.0.2", false), ("::1", "[::1]:80", true), ("0.0.0.0/0", "1.2.3.4:567", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false), ("::ffff:1.2.3.4", "1.2.3.4", true),
        ("2001:db8::1/128", "2001:db8::2", false), ("2001:db8::4/126", "2001:db8::7", true),
    ])
    func readNetworks(network: String, address: String, isIn: Bool) throws {
        let network = try #require(IPAddress.Network(network))
        #expect(network.contains(try #require(IPAddress(address))) == isIn)
    }

    @Test(arguments: ["1.2.3.4", "255.0.0.254", "2001:db8::7f:1", "::ffff:1.2.3.4", "fe80::1"])
    func readAddressesOfConnections(text: String) throws {
        let address = try #require(IPAddress(SocketAddress(ipAddress: text, port: 80)))
        #expect(address == IPAddress(text))
    }

    @Test(arguments: ["", "x", "1.2.3", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/8/8", "::1/129", "1.2.3.4/-1"])
    func refuseOtherNetworks(text: String) {
        #expect(IPAddress.Network(text) == nil)
    }

    // MARK: Files and pages

    @Test func nameTheAppToSystems() async throws {
        let daemon = Self.daemon { app in
            app.appleTeamID = "ABCDE12345"
            app.bundleIDs = ["com.example.shop"]
            app.androidCertificates = [[String](repeating: "AB", count: 32).joined(separator: ":")]
        }
        for (path, part) in [
            ("/.well-known/apple-app-site-association", "ABCDE12345.com.example.shop"),
            ("/apple-app-site-association", "ABCDE12345.com.example.shop"),
            ("/.well-known/assetlinks.json", "com.example.shop"),
        ] {
            let (head, body) = try await Self.ask(daemon, path)
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.contains("\r\nContent-Type: application/json\r\n"))
            #expect(head.contains("\r\nCache-Control: max-age=3600\r\n"))
            #expect(body.contains(part))
            let (missing, _) = try await Self.ask(Self.daemon(), path)
            #expect(missing.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        }
        let (robots, text) = try await Self.ask(daemon, "/robots.txt")
        #expect(robots.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text == "User-agent: *\nAllow: /\n")
        let (icon, _) = try await Self.ask(daemon, "/favicon.ico")
        #expect(icon.hasPrefix("HTTP/1.1 204 No Content\r\n"))
    }

    @Test func showPreviewersTheWholePage() async throws {
        let agent = "facebookexternalhit/1.1"
        let range = "Range: bytes=0-9\r\n"
        let (head, body) = try await Self.ask(Self.daemon(), agent: agent, headers: range)
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(body.contains(#"property="og:url" content="https://go.example.com/sale""#))
        #expect(head.contains("Content-Security-Policy: default-src 'none'"))
        let (packed, _) = try await Self.ask(Self.daemon(), agent: agent, headers: "Accept-Encoding: br, gzip\r\n")
        #expect(packed.contains("\r\nContent-Encoding: gzip\r\n"))
        #expect(packed.contains("\r\nVary: Accept-Encoding\r\n"))
    }

    @Test func waitForLinksThatMayBeNew() async throws {
        let daemon = Self.daemon()
        daemon.directory.confirm(at: nil)
        let (head, _) = try await Self.ask(daemon, "/new")
        #expect(head.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(head.contains("\r\nRetry-After: 5\r\n"))
        let (known, _) = try await Self.ask(daemon)
        #expect(known.hasPrefix("HTTP/1.1 302 Found\r\n"))

        // It was asked 2 s ago, and hangs since.
        daemon.directory.confirm(at: .now.advanced(by: .seconds(-2)))
        let (late, _) = try await Self.ask(daemon, "/new")
        #expect(late.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        daemon.directory.confirm(at: .now.advanced(by: .seconds(3600)))
        let (missing, _) = try await Self.ask(daemon, "/new")
        #expect(missing.hasPrefix("HTTP/1.1 404 Not Found\r\n"))

        var unread = Self.daemon()
        unread.directory = LinkDirectory()
        let (unknown, _) = try await Self.ask(unread)
        #expect(unknown.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    }

    // MARK: Vectors and rubbish

    /// One request, without a socket.
    private static func answer(_ endpoint: RedirectEndpoint, _ head: HTTPRequestHead) throws -> Reply? {
        guard let visit = endpoint.visit(head, from: try SocketAddress(ipAddress: "192.0.2.1", port: 1)) else {
            return nil
        }
        let reply = Mutex<Reply?>(nil)
        endpoint.answer(visit) { answer in reply.withLock { $0 = answer } }
        return reply.withLock { $0 }
    }

    private static let vectors: [JSONDocument] = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try? String(
            contentsOf: tests.appending(path: "RedirectsTests/Vectors/redirects.jsonl"),
            encoding: .utf8
        )
        return (text ?? "").split(separator: "\n").compactMap { try? JSONDocument(reading: $0.utf8) }
    }()

    @Test func goWhereTheVectorsSay() throws {
        #expect(Self.vectors.count >= 98)
        for vector in Self.vectors {
            let json = vector.root
            let trial = try LinkTrial(json)
            var table = LinkTable()
            table.set(trial.app, hosts: [trial.link.host])
            table.set(trial.link)
            var daemon = Daemon()
            daemon.directory = LinkDirectory(loaded: table, apps: [trial.app.id])
            daemon.now = .now
            var headers: HTTPHeaders = ["Host": trial.link.host]
            if let agent = json["user_agent"]?.string { headers.add(name: "User-Agent", value: agent) }
            if let given = json["headers"] {
                for (name, value) in given.members { headers.add(name: name, value: value.string ?? "") }
            }
            let head = HTTPRequestHead(
                version: .http1_1,
                method: HTTPMethod(rawValue: json["method"]?.string ?? "GET"),
                uri: json["path"]?.string ?? "/abc",
                headers: headers
            )
            let id = json["id"]?.string ?? ""
            let reply = try #require(try Self.answer(RedirectEndpoint(daemon), head), "\(id)")
            let expected = try #require(json["expect"])
            if let status = expected["status"]?.number { #expect(String(reply.status.code) == status, "\(id)") }
            if let counted = expected["counted"]?.bool {
                #expect(daemon.clicks.events.count == (counted ? 1 : 0), "\(id)")
            }
            if let platform = expected["platform"]?.string, let event = daemon.clicks.events.first {
                #expect(event.platform?.rawValue == platform, "\(id)")
            }
            if let location = expected["location"]?.string {
                let click = daemon.clicks.events.first?.clickID ?? ""
                let actual = reply.fields.first { $0.name == "Location" }?.value
                #expect(actual == location.replacingOccurrences(of: "{click_id}", with: click), "\(id)")
            }
        }
    }

    /// Whatever a visitor sends, he gets an answer that is no fault of the server, and goes to no host of his choice.
    @Test func neverFailNorGoElsewhere() throws {
        let daemon = Self.daemon()
        let endpoint = RedirectEndpoint(daemon)
        let agents = Self.vectors.compactMap { $0.root["user_agent"]?.string }
        let parts = [
            "%", "%00", "%ff", "%2f", "..", "//evil.example", "?", "&", "=", "#", "+", "\\", "@evil.example", "ü", "😀",
            "access_token=x", "al_applink_data=", "%7B%22target_url%22%3A%22https%3A%2F%2Fevil.example%22%7D",
            "fb_ref=",
            "test_deeplink=1", "target_url=https%3A%2F%2Fevil.example", "redir_url=//evil.example", "sale", "/", "url=",
            "fb_click_time_utc=99999999999", "click_id=x", "https://evil.example",
        ]
        var random = SeededRandom(seed: 27)
        let allowed: Set<String> = ["www.example.com", "apps.apple.com", "play.google.com"]
        for _ in 0..<4_000 {
            var target = random.pick(["/sale", "/sale?", "/sale/", "/SALE?a=b&", "/", "/x"])
            for _ in 0..<Int.random(in: 0...6, using: &random) { target += random.pick(parts) }
            var headers: HTTPHeaders = ["Host": Self.host, "User-Agent": random.pick(agents)]
            for (name, values) in [
                ("X-Forwarded-Host", ["evil.example", Self.host]), ("X-Forwarded-For", ["x", "1.2.3.4", ""]),
                ("Referer", ["https://evil.example/\u{0}", "%", "android-app://com.x", "//"]),
                ("Sec-Fetch-Dest", ["document", "", "x"]), ("Accept-Encoding", ["gzip", "x"]), ("Sec-GPC", ["1"]),
            ] where random.chance(20) { headers.add(name: name, value: random.pick(values)) }
            let method = random.pick([HTTPMethod.GET, .GET, .GET, .HEAD, .PUT])
            let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
            guard let reply = try Self.answer(endpoint, head) else { continue }
            #expect(reply.status.code < 500, "\(target)")
            guard let location = reply.fields.first(where: { $0.name == "Location" })?.value else { continue }
            let host = location.dropFirst("https://".count).prefix { !"/?#".contains($0) }
            #expect(location.hasPrefix("https://") && allowed.contains(String(host)), "\(location)")
        }
        #expect(daemon.clicks.events.count > 500)
        for event in daemon.clicks.events {
            guard case .linkClick(let touch) = event.content else { continue }
            #expect(touch.link.targetURL == "https://www.example.com/sale")
            #expect(touch.link.refs == ["summer"])
            #expect(touch.link.redactedURL?.contains("\u{0}") != true)
            #expect(!touch.link.deferred && !touch.link.authenticated)
        }
    }
}
