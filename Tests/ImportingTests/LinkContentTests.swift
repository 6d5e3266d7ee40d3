import Foundation
import Redirects
import Testing

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
