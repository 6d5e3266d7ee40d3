import Foundation
import InboundLinks
import Testing

/// The table of docs/channels.md against the reader.
@Suite("docs/channels.md")
struct ChannelPageTests {
    @Test func showsALinkOfEachChannel() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/channels.md")
        var channels: [Channel] = []
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces) }
            let channel = try #require(Channel(rawValue: cells[0]), "\(line)")
            #expect(try link(cells[2]).channel == channel, "\(cells[2])")
            channels.append(channel)
        }
        #expect(channels == Channel.allCases)
    }
}
