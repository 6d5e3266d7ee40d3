import Foundation
import Redirects
import Testing
import Time

@testable import Importing

/// Files of links (docs/redirects.md).
@Suite("Files of links")
struct LinkContentTests {
    private static let reading = LinkReading(
        app: LinkApp(id: "shop", name: "Shop"),
        hosts: ["go.example"],
        readCell: { $0 }
    )

    private static func records(_ bytes: [UInt8]) throws -> [LinkRecord] {
        var content = try #require(try LinkContent(start: (bytes, true), file: "file"))
        try content.append(bytes, file: "file")
        try content.finish(file: "file")
        var records: [LinkRecord] = []
        while let record = try content.next(reading) { records.append(record) }
        return records
    }

    @Test func refuseARowThatIsNotUTF8() throws {
        let latin1 =
            Array("slug,target_url\nm".utf8) + [0xFC] + Array("nchen,https://a.example/\nok,https://a.example/\n".utf8)
        let records = try Self.records(latin1)
        #expect(records.map(\.line) == [2, 3])
        #expect(throws: LinkFault(.invalidText, "line", "the text is not UTF-8; save the file as UTF-8")) {
            try records[0].links.get()
        }
        #expect(try records[1].links.get().links.map(\.slug) == ["ok"])
    }

    @Test(arguments: [("on", true), ("true", true), ("off", false), ("false", false)])
    func readTheWordsOfSwitches(word: String, isOn: Bool) throws {
        let records = try Self.records(Array("slug,target_url,append_click_id\nok,https://a.example/,\(word)\n".utf8))
        #expect(try records[0].links.get().links.map(\.appendClickID) == [isOn])
    }

    /// A file whose quote is not closed is not read whole before it is refused.
    @Test func refuseARowWithoutAnEnd() throws {
        let start = Array("slug,target_url\nok,https://a.example/\nbad,\"".utf8)
        var content = try #require(try LinkContent(start: (start, false), file: "links.csv"))
        try content.append(start, file: "links.csv")
        let lines = [try content.next(Self.reading)?.line, try content.next(Self.reading)?.line]
        #expect(lines == [2, nil])
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        var pieces = 0
        let refusal = #expect(throws: ImportError.self) {
            while pieces < 32 {
                try content.append(piece, file: "links.csv")
                pieces += 1
                let line = try content.next(Self.reading)?.line
                #expect(line == nil)
            }
        }
        #expect(pieces < 10)
        #expect("\(String(describing: refusal))".contains("links.csv: line 3 is longer than 8 MiB"))
    }

    /// A link of another service as it is read: `host/slug target`, and what else it has.
    private static func shown(_ text: String) throws -> [String] {
        try records(Array(text.utf8)).flatMap { record -> [String] in
            switch record.links {
            case .failure(let fault): ["\(record.line) \(fault.code.rawValue)"]
            case .success(let read):
                read.links.map { link in
                    var parts = ["\(link.host)/\(link.slug)", link.targetURL ?? "-"]
                    parts += [link.preview.title, link.createdAt?.rfc3339].compactMap { $0 } + link.refs
                    return parts.joined(separator: " ")
                }
            }
        }
    }

    @Test(arguments: [
        // Bitly
        (
            "Link,Custom Link,Title,Destination URL,Created,Tags\n"
                + "bit.ly/3abcDE1,go.example/spring,Spring,https://a.example/,2026-03-01T10:00:00+0000,\"x, y\"\n"
                + "bit.ly/3abcDE2,,Summer,https://a.example/2,2026-03-01,\n",
            [
                "/3abcDE1 https://a.example/ Spring 2026-03-01T10:00:00Z x y",
                "go.example/spring https://a.example/ Spring 2026-03-01T10:00:00Z x y",
                "/3abcDE2 https://a.example/2 Summer 2026-03-01T00:00:00Z",
            ]
        ),
        // Shlink
        (
            "Long URL,Tags,Domain,Short code,Title\nhttps://a.example/,a|b,go.example,Summer,Sun\n"
                + "https://a.example/2,,s.example,grün,\n",
            ["go.example/Summer https://a.example/ Sun a b", "/grün https://a.example/2"]
        ),
        // Rebrandly
        ("slashtag,destination,title\nr1,https://a.example/,T\n", ["/r1 https://a.example/ T"]),
        (
            #"[{"id":"0ab","slashtag":"r2","destination":"https://a.example/","shortUrl":"go.example/r2"}]"#,
            ["go.example/r2 https://a.example/"]
        ),
        // Short.io
        (
            "Original URL,Path,Title\nhttps://a.example/,s1,T\nhttps://a.example/2,a/b,\n",
            ["/s1 https://a.example/ T", "3 invalid_slug"]
        ),
        // TinyURL
        ("Alias,Domain,Long URL\nt1,tinyurl.com,https://a.example/\n", ["/t1 https://a.example/"]),
        // YOURLS
        (
            "keyword,url,title,timestamp,ip,clicks\ny1,https://a.example/,T,2026-03-01 10:00:00,127.0.0.1,5\n",
            ["/y1 https://a.example/ T 2026-03-01T10:00:00Z"]
        ),
        // Kutt
        ("address,target,description\nk1,https://a.example/,D\n", ["/k1 https://a.example/"]),
        // Firebase: with a path before the slug; with `link` alone, on a host of the app's own
        (
            "short_link,long_link\n"
                + "https://go.example/links/fdlA,https://go.example/links/?link=https%3A%2F%2Fa.example%2F&apn=a.b\n"
                + "https://go.example/fdlB,https://go.example/?link=https%3A%2F%2Fa.example%2Fb\n",
            ["2 invalid_slug", "go.example/fdlB https://a.example/b"]
        ),
        // No slugs at all
        ("long_url,title\nhttps://a.example/,T\n", ["/ https://a.example/ T"]),
        (#"{"key":"k","url":"https://a.example/"}"#, ["1 invalid_slug"]),
    ])
    func keepTheSlugsOfOtherServices(text: String, links: [String]) throws {
        #expect(try Self.shown(text) == links)
    }

    @Test func sayWhatIsNotRead() throws {
        func unread(_ header: String) throws -> [String] {
            var names: [String] = []
            _ = try LinkContent(start: (Array((header + "\n").utf8), true), file: "f.csv") { names = $0 }
            return names
        }
        #expect(try unread("keyword,url,title,timestamp,ip,clicks") == ["ip", "clicks"])
        #expect(try unread("Link,Custom Link,Title,Destination URL,Created,Tags").isEmpty)
        #expect(try unread("slug,target_url,clicks").isEmpty)
        let error = #expect(throws: ImportError.self) { try unread("key,url,clicks") }
        #expect("\(error.map { "\($0)" } ?? "")".contains("key, clicks"))
    }

    @Test func sayThatATimeIsNotRead() throws {
        let times = ["Mar 1, 2026", "2026-03-01T10:00Z", ""].map { time in
            "Long URL,Short code,Created\nhttps://a.example/,x,\"\(time)\"\n"
        }
        let unread = try times.map { try Self.records(Array($0.utf8))[0].links.get().hasUnreadTime }
        #expect(unread == [true, false, false])
    }

    @Test func refuseAHeaderThatIsNotUTF8() {
        #expect(throws: ImportError.self) {
            try Self.records(Array("slug,target_url,M".utf8) + [0xFC] + Array("ll\na,https://a.example/,x\n".utf8))
        }
    }

    @Test func refuseALongLinkThatIsNotUTF8() throws {
        let line = Array("https://x.page.link/?link=https://a.example/".utf8) + [0xFC, 0x0A]
        let fault = #expect(throws: LinkFault.self) { try Self.records(line)[0].links.get() }
        #expect(fault?.code == .invalidText)
    }

    @Test func refuseAJSONTextThatIsTooLong() throws {
        var content = try #require(try LinkContent(start: (Array("[".utf8), false), file: "file"))
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 16 << 20)
        for _ in 0..<4 { try content.append(piece, file: "file") }
        #expect(throws: ImportError.self) { try content.append([0x20], file: "file") }
    }

    /// A megabyte of gzip can be a gigabyte.
    @Test func inflateInPieces() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "bomb-\(UUID())")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(ImportTesting.gzip([UInt8](repeating: UInt8(ascii: " "), count: 128 << 20))).write(to: url)
        let input = try ImportInput(path: url.path)
        _ = try input.start(64 << 10)
        var (total, largest) = (0, 0)
        while let piece = try input.next() {
            total += piece.count
            largest = max(largest, piece.count)
        }
        #expect(total == 128 << 20)
        #expect(largest <= 20 << 20)
    }
}
