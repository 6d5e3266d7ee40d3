import InboundLinks
import RandomTesting
import Testing

/// docs/links.md, *The story join*.
@Suite("Story link")
struct StoryLinkTests {
    private static let click = "0199f0a4-5b7c-7d3e-8f01-23456789abcd"

    @Test(arguments: [
        (
            "HTTP://Www.Example.COM:80/Path?B=1&a=%2f&fb_source=feed&fb_ref=r#frag",
            "http://www.example.com/Path?B=1&a=%2F"
        ),
        ("http://e.example/?action_object_map=x&action_type_map=%5B%5D&action_ref_map=&z=1", "http://e.example/?z=1"),
        ("http://e.example/?request_ids=1&ref=r&fbclid=c&fb_action_ids=1", "http://e.example/"),
        ("http://e.example/?", "http://e.example/"), ("http://e.example?&&", "http://e.example/"),
        ("http://e.example/?reference=1&xfb_=2&action_map=3", "http://e.example/?reference=1&xfb_=2&action_map=3"),
        ("http://e.example/?fb%5Fsource=1&a", "http://e.example/?a"),
        ("http://User@E.example/#x?y=1", "http://User@e.example/"),
        ("MyApp://Open/Item?id=1", "myapp://open/Item?id=1"), ("/Relative?fb_ref=a", "/Relative"), ("", ""),
        ("x://a #f", "x://a/"), ("x://a ?fbclid=1#f", "x://a/"), ("x://a?b=1 &ref=2", "x://a/?b=1"),
        ("x://a:80 #f", "x://a:80/"), ("x://a?b=1& &ref=2", "x://a/?b=1"),
        ("http://e.example/?a=%ZZ&%ZZ=1", "http://e.example/?a=%25ZZ&%25ZZ=1"),
        ("http://e.example/?fb_%ZZ=1", "http://e.example/"),
        ("https://e.example/?a=1&click_id=\(click)", "https://e.example/?a=1"),
        ("https://e.example/?click_id=tap-1", "https://e.example/?click_id=tap-1"),
        ("https://e.example:443/a", "https://e.example/a"), ("https://e.example:/a", "https://e.example/a"),
        ("https://e.example:8443/a", "https://e.example:8443/a"), ("http://e.example:443/a", "http://e.example:443/a"),
        ("https://E.example./a", "https://e.example/a"), ("https://e.example../a", "https://e.example/a"),
        ("https://e.example", "https://e.example/"),
        ("https://bücher.example/a", "https://xn--bcher-kva.example/a"),
        ("https://Bu\u{308}cher.Example/a", "https://xn--bcher-kva.example/a"),
        ("https://XN--BCHER-KVA.example/a", "https://xn--bcher-kva.example/a"),
        ("https://b%C3%BCcher.example/a", "https://xn--bcher-kva.example/a"),
        ("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("https://почта.рф:443", "https://xn--80a1acny.xn--p1ai/"),
        ("shop://P%3fa%54/b", "shop://p%3Fat/b"), ("https://a%5B%FF%5A/", "https://a%5B%FFz/"),
        ("shop://a(b%2e/", "shop://a(b/"),
        ("https://[2001:DB8::1]:443/a", "https://[2001:db8::1]/a"),
        ("https://e.example/a/./b/../c", "https://e.example/a/c"), ("https://e.example/../a/..", "https://e.example/"),
        ("https://e.example/a/%2E%2e/b/.", "https://e.example/b/"),
        ("https://e.example/.a/..b", "https://e.example/.a/..b"),
        ("https://e.example/a//b", "https://e.example/a//b"), ("x:/..//b", "x:/.//b"), ("x:a/../b", "x:a/../b"),
        ("https://e.example/s%c3%bcppe/süppe", "https://e.example/s%C3%BCppe/s%C3%BCppe"),
        ("https://e.example/%7Ea%41?b=%7e%2D", "https://e.example/~aA?b=~-"),
        ("https://e.example/a b?c=d e", "https://e.example/a%20b?c=d%20e"),
        ("https://e.example/a+b?c=d+e", "https://e.example/a+b?c=d+e"),
        ("https://e.example/100%", "https://e.example/100%25"),
        ("https://e.example/%%41", "https://e.example/%25A"),
        ("https://e.example/{a}|\"", "https://e.example/%7Ba%7D%7C%22"),
        ("https://www.facebook.com/%6C.php?u=https%3A%2F%2Fe.example", "https://e.example/"),
    ])
    func isComparedInItsNormalForm(_ url: String, _ expected: String) {
        #expect(StoryLink.normalised(url) == expected)
        #expect(StoryLink.normalised(expected) == expected)
    }

    /// The same URL in another spelling is the same story; another URL is another one.
    @Test(arguments: TestSeeds.seeds(200))
    func isTheSameInEverySpelling(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let story = RandomStory(using: &random)
        let plain = story.spelled(using: nil)
        for _ in 0..<10 {
            let spelled = story.spelled(using: random)
            #expect(StoryLink.normalised(spelled) == StoryLink.normalised(plain), "\(spelled)")
            _ = random.next()
        }
        for changed in story.changes {
            #expect(StoryLink.normalised(changed) != StoryLink.normalised(plain), "\(changed)")
        }
    }
}

/// A URL of a story, and the ways to spell it.
private struct RandomStory {
    private let scheme: String
    private let host: (ascii: String, unicode: String)
    private let path: [String]
    private let pairs: [String]

    init(using random: inout SeededRandom) {
        scheme = random.pick(["https", "http"])
        host = random.pick([
            ("shop.example", "shop.example"), ("xn--bcher-kva.example", "bücher.example"),
            ("xn--80a1acny.xn--p1ai", "почта.рф"), ("a-1.b2.example", "a-1.b2.example"),
        ])
        let texts = ["soup", "süppe", "a b", "A~b", "x+y", "1:2", "it's", "a/b", "a%b", "é&è", "q=1", "日本"]
        path = (0..<Int.random(in: 0...3, using: &random)).map { _ in random.pick(texts) }
        pairs = (0..<Int.random(in: 0...3, using: &random)).map { "k\($0)=" + random.pick(texts) }
    }

    /// - Parameter random: nil for the plainest spelling.
    func spelled(using random: SeededRandom?) -> String {
        var random = random
        func chance(_ percent: Int) -> Bool { random?.chance(percent) ?? false }
        func cased(_ text: String) -> String { chance(30) ? text.uppercased() : text }
        func escaped(_ text: String, keeping kept: String) -> String {
            var result = ""
            for scalar in text.unicodeScalars {
                let isUnreserved =
                    scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
                let mustEscape =
                    scalar == "%"
                    || !isUnreserved && scalar.isASCII && scalar != " " && !kept.unicodeScalars.contains(scalar)
                let isKept = kept.unicodeScalars.contains(scalar)
                if isKept || !mustEscape && !chance(30) {
                    result.unicodeScalars.append(scalar)
                } else {
                    for byte in String(scalar).utf8 {
                        let digits = String(byte, radix: 16, uppercase: chance(50))
                        result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
                    }
                }
            }
            return result
        }
        var url = cased(scheme) + "://" + cased(chance(50) ? host.unicode : host.ascii)
        if chance(20) { url += "." }
        if chance(30) { url += scheme == "https" ? ":443" : ":80" }
        if !path.isEmpty || !chance(50) { url += "/" }
        url += path.map { (chance(10) ? "x/../" : "") + (chance(10) ? "./" : "") + escaped($0, keeping: "+:'") }
            .joined(separator: "/")
        var all = pairs.map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return escaped(String(parts[0]), keeping: "") + "=" + escaped(String(parts[1]), keeping: "+:'")
        }
        for added in ["fbclid=IwAR0", "fb_source=feed", "ref=nf", "click_id=0199f0a4-5b7c-7d3e-8f01-23456789abcd", ""]
        where chance(20) {
            all.insert(added, at: all.isEmpty || chance(50) ? 0 : all.count)
        }
        if !all.isEmpty { url += "?" + all.joined(separator: "&") }
        if chance(20) { url += "#top" }
        return url
    }

    /// Other URLs.
    var changes: [String] {
        let plain = spelled(using: nil)
        var changes = [
            plain.replacing("://", with: "://www."), plain.replacing("http", with: "xhttp"),
            plain + (pairs.isEmpty ? "?z=1" : "&z=1"),
            plain.replacing("example", with: "example:8443"),
        ]
        if let first = path.first(where: { $0.contains("o") }) {
            changes.append(plain.replacing(first, with: first.uppercased()))
        }
        if plain.contains("%2F") { changes.append(plain.replacing("%2F", with: "/")) }
        if plain.contains("%26") { changes.append(plain.replacing("%26", with: "&")) }
        if plain.contains("%25") { changes.append(plain.replacing("%25", with: "%2525")) }
        if plain.contains("+") { changes.append(plain.replacing("+", with: "%20")) }
        return changes.filter { $0 != plain }
    }
}
