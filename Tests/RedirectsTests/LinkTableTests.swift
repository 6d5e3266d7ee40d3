import InboundLinks
import RandomTesting
import Testing
import Time

@testable import Redirects

@Suite("The table of links")
struct LinkTableTests {
    private func table(_ slugs: String..., host: String = "a.example") -> LinkTable {
        var table = LinkTable()
        table.set(LinkApp(id: "shop", name: "Shop"), hosts: ["a.example", "b.example"])
        for slug in slugs { table.set(Link(host: host, slug: slug)) }
        return table
    }

    /// The slug itself goes before what is left without a sign at its end.
    @Test func findALinkToWhichTextSticks() {
        var table = LinkTable()
        for slug in ["Sale", "sale.", "a", "a\u{FE0F}", "❤", "Ab", "aB"] {
            table.set(Link(host: "go.example", slug: slug))
        }
        func found(_ slug: String) -> String? { table.link(host: "go.example", askedAs: slug)?.slug }
        #expect(found("sale.") == "sale.")
        #expect(found("SALE.") == "sale.")
        #expect(found("sale.)") == "Sale")
        #expect(found("sale,") == "Sale")
        #expect(found("a\u{FE0F}")?.utf8.count == 4)
        #expect(found("❤\u{FE0F}")?.utf8.count == 3)
        #expect(found("ab.") == nil)
        #expect(found(".") == nil)
        #expect(table.link(host: "go.example", slug: "sale,") == nil)
        for sign in [
            "。", "、", "，", "！", "？", "；", "：", "．", "・", "）", "」", "』", "】", "》", "〉", "》。", "”", "’", "“",
            "»", "«", "›", "…", "؟", "،", "؛", "۔", "।", "॥", "։", "።",
            "**", "_", "~", "|", "`", "｜", "}", " ", "\n", "\r\n", "\t",
            "\u{3000}", "\u{200E}", "\u{AD}", "\u{2060}", "\u{202F}", "。」** \n\u{200B}",
        ] {
            #expect(found("sale" + sign) == "Sale", "\(sign)")
        }
        for letters in ["2", "ü", "の", "-", "=", "&", "@", "。次", "（説明"] {
            #expect(found("sale" + letters) == nil, "\(letters)")
        }
    }

    @Test func findsTheExactSlugFirst() {
        let table = table("abc", "ABC", "über")
        #expect(table.link(host: "a.example", slug: "ABC")?.slug == "ABC")
        #expect(table.link(host: "a.example", slug: "abc")?.slug == "abc")
        #expect(table.link(host: "a.example", slug: "ÜBER")?.slug == "über")
        #expect(table.link(host: "b.example", slug: "abc") == nil)
    }

    @Test func choosesNoneOfSeveral() {
        #expect(table("abc", "ABC").link(host: "a.example", slug: "Abc") == nil)
        #expect(table("abc").link(host: "a.example", slug: "Abc")?.slug == "abc")
    }

    @Test func keepsEveryField() {
        var link = Link(host: "a.example", slug: "abc")
        link.targetURL = "https://www.example.com/ü"
        link.mobileURL = "https://m.example.com/"
        link.appURL = "myapp://item"
        link.fallback = .web
        link.refs = ["a", "b"]
        link.channel = .storyLinks
        link.preview.title = "T"
        link.preview.description = "D"
        link.preview.imageURL = "https://i.example/"
        link.preview.siteName = "S"
        link.preview.ogType = "article"
        link.forwardQuery = false
        link.appendClickID = true
        link.campaign = "c"
        link.expiresAt = Timestamp(microseconds: -5)
        link.expiredURL = "https://x.example/"
        link.disabled = true
        link.note = String(repeating: "n", count: 1_000)
        link.createdAt = Timestamp(microseconds: 1)
        link.updatedAt = Timestamp(microseconds: .max)
        #expect(link.givenFields.map(\.0) == LinkField.names)
        var table = table()
        table.set(link)
        #expect(table.link(host: "a.example", slug: "abc") == link)
    }

    @Test func leavesTheTableOfAReaderAlone() {
        let before = table("abc")
        var after = before
        after.remove(host: "a.example", slug: "abc")
        after.set(Link(host: "a.example", slug: "def"))
        #expect(before.link(host: "a.example", slug: "abc") != nil)
        #expect(before.link(host: "a.example", slug: "def") == nil)
        #expect(after.link(host: "a.example", slug: "abc") == nil)
        #expect(after.count == 1)
    }

    @Test func givesAHostToOneApp() {
        var table = table("abc")
        table.set(LinkApp(id: "shop", name: "Shop 2"), hosts: ["a.example"])
        #expect(table.app(of: "a.example")?.name == "Shop 2")
        #expect(table.app(of: "b.example") == nil)
        table.set(LinkApp(id: "news", name: "News"), hosts: ["b.example"])
        #expect(table.linkHosts == ["a.example", "b.example"])
        #expect(table.app(of: "b.example")?.id == "news")
    }

    /// Random changes against a dictionary.
    @Test func agreesWithADictionary() {
        var random = SeededRandom(seed: 11)
        var table = LinkTable()
        var expected: [String: Link] = [:]
        let slugs = ["abc", "ABC", "aBc", "ü", "Ü", "x", "y"] + (0..<40).map { "s\($0)" }
        for step in 0..<4_000 {
            let slug = random.pick(slugs)
            if random.chance(30) {
                table.remove(host: "a.example", slug: slug)
                expected[slug] = nil
            } else {
                var link = Link(host: "a.example", slug: slug)
                link.note = "\(step)"
                table.set(link)
                expected[slug] = link
            }
            #expect(table.count == expected.count)
            let asked = random.pick(slugs)
            let same = expected.values.filter { Slug.folded($0.slug) == Slug.folded(asked) }
            #expect(table.link(host: "a.example", slug: asked) == expected[asked] ?? (same.count == 1 ? same[0] : nil))
        }
    }

    @Test func takesLittleMemory() {
        var table = LinkTable()
        for number in 0..<20_000 {
            var link = Link(host: "links.example.com", slug: "slug\(number)")
            link.targetURL = "https://www.example.com/items/category/\(number)?utm_source=newsletter"
            link.mobileURL = "https://m.example.com/items/category/\(number)"
            link.appURL = "myapp://item/\(number)"
            link.preview.title = "A title that says what the item is"
            link.preview.description = "Two lines that say why somebody should open the link and what is behind it."
            link.refs = ["spring_sale"]
            table.set(link)
        }
        #expect(table.byteCount / table.count < 400)
    }

    @Test(arguments: [
        ("/abc", "abc"), ("/abc/", "abc"), ("/abc//?x=y", "abc"), ("/%C3%BCber", "über"), ("/u%CC%88ber", "über"),
        ("/a%2520b", "a%20b"), ("/a%2Fb", nil), ("/abc/def", nil), ("//abc", nil), ("/", nil), ("", nil), ("/%", nil),
        ("/%00", nil), ("/%FF", nil), ("abc", nil), ("/abc#x", "abc"),
    ])
    func readsTheSlugOfAPath(path: String, slug: String?) {
        #expect(RequestTarget(path).slug == slug)
    }

    @Test(arguments: [
        ("Links.Example.com", "links.example.com"), ("links.example.com:8080", "links.example.com"),
        ("links.example.com.", "links.example.com"), ("[::1]:80", "[::1]"), ("a b", nil), ("", nil), ("a..b", nil),
        ("a.example/x", nil), ("Bücher.example", "xn--bcher-kva.example"), ("日本。example:80", "xn--wgv71a.example"),
        ("a b.exämple", nil),
    ])
    func readsTheHost(header: String, host: String?) {
        #expect(LinkHost.named(by: header) == host)
    }
}
