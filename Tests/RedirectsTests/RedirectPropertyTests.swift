import Foundation
import JSONReading
import RandomTesting
import Testing
import Time

@testable import Redirects

/// Random visitors of random links.
@Suite("Every visitor")
struct RedirectPropertyTests {
    private static let agents: [String] = RedirectVector.all.compactMap {
        try? JSONDocument(reading: $0.line.utf8).root["user_agent"]?.string
    }
    private static let hosts: Set<String> = [
        "www.target.example", "m.mobile.example", "expired.example", "apps.apple.com", "play.google.com",
    ]
    private static let now = Timestamp(microseconds: 1_790_000_000_000_000)

    private static func link(_ random: inout SeededRandom) -> Link {
        var link = Link(host: "links.example.com", slug: "abc")
        link.targetURL = random.pickOrNone(
            ["https://www.target.example/a?b=c#d", "http://www.target.example"],
            percent: 70
        )
        link.mobileURL = random.pickOrNone(["https://m.mobile.example/?"], percent: 50)
        link.appURL = random.pickOrNone(["myapp://item/42", "myapp:x", "intent://x#Intent;end"], percent: 50)
        link.fallback = random.chance(50) ? .store : .web
        link.forwardQuery = random.chance(70)
        link.appendClickID = random.chance(50)
        link.refs = random.pickOrNone([["a"], ["b&c", "d"]], percent: 50) ?? []
        link.disabled = random.chance(3)
        link.expiresAt = random.pickOrNone([now, now.advanced(by: .seconds(1))], percent: 10)
        link.expiredURL = random.pickOrNone(["https://expired.example/"], percent: 50)
        link.preview.title = random.pickOrNone(
            ["\"><script>alert(1)</script>", "x\"\u{301} onload=y", "T"],
            percent: 50
        )
        return link
    }

    private static func app(_ random: inout SeededRandom) -> LinkApp {
        var app = LinkApp(id: "1", name: "<Shop> & \"Co\"")
        app.iPhoneStoreID = random.pickOrNone(["111", "0"], percent: 70)
        app.iPadStoreID = random.pickOrNone(["222", "0", "111"], percent: 70)
        app.androidPackage = random.pickOrNone(["com.example.app", "0"], percent: 70)
        app.deepLinking = random.chance(80)
        app.iosCarry = random.pick(IOSCarry.allCases)
        app.appleProviderToken = random.pickOrNone(["99"], percent: 50)
        if random.chance(30) {
            app.appleTeamID = "ABCDE12345"
            app.bundleIDs = ["com.example.app"]
            app.androidCertificates = ["AA"]
        }
        return app
    }

    private static func visitor(_ random: inout SeededRandom) -> Visitor {
        let evil = [
            "https://evil.example/", "//evil.example", "javascript:alert(1)", "\r\nLocation: https://evil.example/",
            "@evil.example", "\u{0}", "%0d%0a", "\"><script>", "ü", "#", "\\",
        ]
        let names = ["redir_url", "url", "host", "click_id", "b", "target_url", "utm_source", ""]
        var path = random.pick(["/abc", "/ABC/", "/abc", "/abc", "/nothing", "//evil.example/abc", "/abc@evil.example"])
        if random.chance(70) {
            path += "?" + (0..<3).map { _ in "\(random.pick(names))=\(random.pick(evil))" }.joined(separator: "&")
        }
        var agent = random.pick(agents)
        if random.chance(30) { agent = mutated(agent, &random) }
        var headers = [(name: "User-Agent", value: agent)]
        for (name, values) in [
            ("Host", evil), ("X-Forwarded-Host", ["evil.example"]), ("Referer", evil + ["https://a.example/x"]),
            ("Sec-Purpose", ["prefetch", ""]), ("Sec-Fetch-Dest", ["document", "image", "empty"]),
            ("Sec-GPC", ["1", "0"]),
            ("Sec-CH-UA-Platform", ["\"Android\"", "\"iOS\""]), ("Sec-CH-UA-Mobile", ["?1", "?0"]),
        ] where random.chance(15) {
            headers.append((name, random.pick(values)))
        }
        return Visitor(method: random.pick(["GET", "GET", "GET", "HEAD", "PUT"]), target: path, headers: headers)
    }

    private static func mutated(_ text: String, _ random: inout SeededRandom) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let position = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !bytes.isEmpty: bytes.remove(at: position)
            case 1: bytes.insert(.random(in: 0...255, using: &random), at: position)
            case 2:
                bytes.insert(
                    contentsOf: random.pick(["(", ")", "; ", "bot", "iPad", "Android", "Safari/"]).utf8,
                    at: position
                )
            default: bytes = Array(bytes.prefix(position))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func host(of location: String) -> String? {
        // A query may hold anything that a header may.
        (try? WebAddress(String(location.prefix { $0 != "?" }), field: "location"))?.host
    }

    @Test func getsExactlyOneAnswerAndGoesToNoOtherHost() throws {
        var random = SeededRandom(seed: 27)
        var outcomes: Set<Outcome> = []
        var reasons: Set<Reason> = []
        let clickID = "0199f0a4-5b7c-7d3e-8f01-23456789abcd"
        for step in 0..<6_000 {
            let (link, app) = (Self.link(&random), Self.app(&random))
            let visitor = Self.visitor(&random)
            let isFound = visitor.target.slug.map { Slug.folded($0) == "abc" } ?? false
            let redirect =
                isFound
                ? Redirect.decide(visitor, link: link, app: app, clickID: clickID, now: Self.now)
                : Redirect.notFound(visitor, app: app)
            outcomes.insert(redirect.outcome)
            reasons.insert(redirect.reason)

            // A redirect, or a page, or neither for those who get nothing.
            let isEmpty = [.prefetchRefused, .methodNotAllowed].contains(redirect.outcome)
            #expect([redirect.location != nil, redirect.page != nil, isEmpty].count { $0 } == 1, "\(step)")
            #expect(redirect.isCounted == (redirect.hit == .click))
            if visitor.headers.wantsPrivacy || !redirect.isCounted { #expect(redirect.sharedClickID == nil) }

            if redirect.sharedClickID == nil || app.iosCarry == .off { #expect(redirect.carry.isEmpty) }
            if redirect.outcome == .getAppPage { #expect(app.iosCarry != .off && !visitor.headers.wantsPrivacy) }

            if let location = redirect.location {
                #expect(location.utf8.allSatisfy { 0x21...0x7E ~= $0 })
                let host = try #require(Self.host(of: location), "\(location)")
                #expect(Self.hosts.contains(host), "\(location)")
                #expect(redirect.status == 302)
                try Self.expectSetTarget(redirect.outcome, host, link, app)
                if redirect.sharedClickID == nil { #expect(!location.contains(clickID)) }
            }
            if step % 4 == 0, let html = redirect.html(nonce: "nonce") {
                #expect(!html.contains("<script>"))
                let quote = Data("\"".utf8) + Data("\u{301}".utf8)
                #expect(!Data(html.utf8).contains(quote))
                #expect(html.hasSuffix("</html>\n"))
                try Self.expectKnownHosts(html)
                let leadsToAppStore = html.contains("href=\"https://apps.apple.com/")
                let mayCarry = redirect.sharedClickID != nil && app.iosCarry != .off
                #expect(redirect.carry.isEmpty == !(leadsToAppStore && mayCarry), "\(step)")
                #expect(html.contains(" id=\"get\" ") == !redirect.carry.isEmpty, "\(step)")
            }
        }
        #expect(outcomes == Set(Outcome.allCases))
        #expect(reasons == Set(Reason.allCases))
    }

    private static func expectSetTarget(_ outcome: Outcome, _ host: String, _ link: Link, _ app: LinkApp) throws {
        switch outcome {
        case .storeIPhone: #expect(host == "apps.apple.com" && app.iPhoneStoreID != "0" && app.iPhoneStoreID != nil)
        case .storeIPad: #expect(host == "apps.apple.com" && app.iPadStoreID != "0" && app.iPadStoreID != nil)
        case .storeAndroid: #expect(host == "play.google.com" && app.androidPackage != "0" && app.androidPackage != nil)
        case .webMobile: #expect(host == (link.mobileURL == nil ? "www.target.example" : "m.mobile.example"))
        case .webDesktop: #expect(host == "www.target.example" && link.targetURL != nil)
        case .expired: #expect(host == "expired.example" && link.expiredURL != nil)
        default: Issue.record("\(outcome) is no redirect")
        }
    }

    /// Every link of a page leads to a known host, or into the app.
    private static func expectKnownHosts(_ html: String) throws {
        for part in html.components(separatedBy: "href=\"").dropFirst() {
            let address = String(part.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
            if address == "data:," || address.hasPrefix("myapp:") || address.hasPrefix("intent:") { continue }
            #expect(hosts.contains(try #require(host(of: address), "\(address)")), "\(address)")
        }
    }

    @Test func mayHaveAnyAgent() {
        var random = SeededRandom(seed: 28)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let agent =
                random.chance(50)
                ? String(decoding: bytes, as: UTF8.self) : Self.mutated(random.pick(Self.agents), &random)
            let first = Asker(Visitor(method: "GET", target: "/abc", headers: [("User-Agent", agent)]))
            let second = Asker(Visitor(method: "GET", target: "/abc", headers: [("user-agent", agent)]))
            #expect(first == second)
        }
    }
}
