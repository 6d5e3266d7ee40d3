import InboundLinks
import Testing

/// docs/reports.md, *Pages*.
@Suite("Pages of targets")
struct PageReaderTests {
    @Test(
        arguments: [
            ("https://shop.example/soup", "shop.example/soup"),
            ("http://www.Shop.example:8080/soup//?utm_source=x#top", "shop.example/soup"),
            ("https://m.shop.example./soup#a?b=c", "shop.example/soup"),
            ("https://shop.example/", "shop.example"),
            ("https://shop.example?x=/", "shop.example"),
            ("https://shop.example/Soup/hot", "shop.example/Soup/hot"),
            ("https://user:word@shop.example/soup", "shop.example/soup"),
            ("https://www.example", "www.example"),
            ("https://[2001:DB8::1]:80/a", "[2001:db8::1]/a"),
            ("shop://spring?x=1&click_id=c", "spring"),
            ("shop:///spring/", "/spring"),
            ("/soup?id=7", "/soup"),
            ("shop://?x=1", nil),
            // The rows of these names say something else.
            ("shop://Total", "\"total\""),
            ("shop://direct?a", "\"direct\""),
        ] as [(String, String?)]
    )
    func leaveOutWhatVaries(target: String, page: String?) {
        #expect(PageReader().page(of: target.utf8) == page)
    }

    @Test(
        arguments: [
            ("https://shop.example/item/?b=2&a=1&id=7#x", "shop.example/item?id=7&b=2"),
            ("https://shop.example/item?id=7&x=y&id=8", "shop.example/item?id=7&id=8"),
            ("https://shop.example/item?id=&ident=3&ID=4", "shop.example/item"),
            ("https://shop.example/item#?id=7", "shop.example/item"),
            ("shop://?id=7", "?id=7"),
        ]
    )
    func keepTheParametersThatTheAppNames(target: String, page: String) {
        #expect(PageReader(keeping: ["id", "b"]).page(of: target.utf8) == page)
    }
}
