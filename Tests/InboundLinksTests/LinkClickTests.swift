@testable import InboundLinks
import RandomTesting
import Testing

/// docs/links.md, *The click that a link names*.
@Suite("The click that a link names")
struct LinkClickTests {
    private static let id = "0199f0a4-5b7c-7d3e-8f01-23456789abcd"

    @Test(arguments: [
        ("shop://spring?x=1&click_id=ID", "shop://spring?x=1"), ("shop://spring?click_id=ID&x=1", "shop://spring?x=1"),
        ("shop://spring?click_id=ID", "shop://spring"), ("shop://spring?a&click_id=ID&b#c", "shop://spring?a&b#c"),
        ("shop://spring?click_id=ID#/soup", "shop://spring#/soup"),
        ("https://shop.example/a?click_id=ID&click_id=ID", "https://shop.example/a"),
        ("shop://a?click%5Fid=ID&fb_ref=gift", "shop://a?fb_ref=gift"),
        ("shop://a?click_id=ID#b?fb_click_time_utc=1", "shop://a#b"), ("?click_id=ID", nil),
        ("shop:a?click_id=ID", "shop:a"),
    ])
    func isNoPartOfTheTarget(_ pattern: String, _ target: String?) throws {
        let url = pattern.replacing("ID", with: Self.id)
        let read = try link(url)
        #expect(read.clickID == Self.id)
        #expect(read.targetURL == target)
        #expect(read.redactedURL == url)
        let nested = try link("fb1://authorize#target_url=\(encoded(url))")
        #expect(nested.clickID == Self.id)
        #expect(nested.targetURL == target)
        let applink = try link(appLink(#"{"target_url":"\#(url)"}"#))
        #expect(applink.clickID == Self.id)
        #expect(applink.targetURL == target)
        #expect(LinkReader.read(LinkOverrides(targetURL: url)).targetURL == target)
        #expect(LinkReader.clickID(in: url) == Self.id)
    }

    @Test func mayStandBesideTheTarget() throws {
        let read = try link(
            "shop://open?click_id=\(Self.id)&al_applink_data=" + encoded(#"{"target_url":"shop://a?b=1"}"#)
        )
        #expect(read.clickID == Self.id)
        #expect(read.targetURL == "shop://a?b=1")
    }

    @Test func isWrittenInLowerCase() throws {
        #expect(try link("shop://a?click_id=\(Self.id.uppercased())").clickID == Self.id)
    }

    @Test(arguments: [
        "tap-1", "", "0199f0a4-5b7c-4d3e-8f01-23456789abcd", "0199f0a4-5b7c-7d3e-cf01-23456789abcd",
        "0199f0a45b7c7d3e8f0123456789abcd", "0199f0a4-5b7c-7d3e-8f01-23456789abcx",
        "{0199f0a4-5b7c-7d3e-8f01-23456789abcd}",
    ])
    func ofOthersIsLeftAlone(_ id: String) throws {
        let url = "shop://spring?x=1&click_id=\(id)"
        #expect(try link(url).clickID == nil)
        #expect(try link(url).targetURL == url)
    }

    /// Whatever the link is, with the parameter it is the same link, and the same page and story. A link shim's own
    /// parameters are Facebook's.
    @Test(arguments: TestSeeds.seeds(20)) func changesNothingElse(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for vector in Vector.inboundLinks + Vector.cases {
            guard case .inboundLink(var plain) = LinkReader.read(vector.input), plain.clickID == nil,
                LinkShim.destination(of: vector.input) == nil
            else { continue }
            let id = randomID(using: &random)
            let url = adding(random.pick(["click_id=\(id)", "click%5fid=\(id)"]), to: vector.input, using: &random)
            guard case .inboundLink(var named) = LinkReader.read(url) else {
                Issue.record("no link: \(url)")
                continue
            }
            #expect(named.clickID == id, "\(url)")
            (named.clickID, named.redactedURL, plain.redactedURL) = (nil, nil, nil)
            #expect(named == plain, "\(url)")
            let targets = [named.targetURL, plain.targetURL].map { $0 ?? "" }
            #expect(PageReader().page(of: targets[0].utf8) == PageReader().page(of: targets[1].utf8))
            #expect(StoryLink.normalised(targets[0]) == StoryLink.normalised(targets[1]))
        }
    }

    private func randomID(using random: inout SeededRandom) -> String {
        let digits = Array("0123456789abcdef")
        func some(_ count: Int) -> String { String((0..<count).map { _ in random.pick(digits) }) }
        return "\(some(8))-\(some(4))-7\(some(3))-\(random.pick(["8", "9", "a", "b"]))\(some(3))-\(some(12))"
    }

    /// The link with a parameter more at the beginning of its query, or at the end of a query that others follow.
    private func adding(_ pair: String, to url: String, using random: inout SeededRandom) -> String {
        let fragment = url.firstIndex(of: "#") ?? url.endIndex
        guard let mark = url[..<fragment].firstIndex(of: "?") else {
            return url[..<fragment] + "?" + pair + url[fragment...]
        }
        let start = url.index(after: mark)
        if !url.contains("{"), random.chance(50) {
            return url[..<fragment] + (start == fragment ? "" : "&") + pair + url[fragment...]
        }
        return url[..<start] + pair + (start == fragment ? "" : "&") + url[start...]
    }
}
