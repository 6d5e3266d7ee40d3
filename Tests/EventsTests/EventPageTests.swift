import Events
import Foundation
import Testing

/// The events that pages show as NDJSON, against the decoder.
@Suite("Events in the documents")
struct EventPageTests {
    private static let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")

    @Test(arguments: [("in-your-app.md", 5), ("feed-posts.md", 2), ("event-reference.md", 6)])
    func areValid(page: String, count: Int) throws {
        let text = try String(contentsOf: Self.docs.appending(path: page), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix(#"{"type": "#) }
        #expect(lines.count >= count)
        for line in lines {
            let rejections = try decode(String(line), as: .ndjson).rejections
            #expect(rejections == [], "\(page): \(line)")
        }
    }
}
