import Foundation
@testable import Reporting
import Testing

@Suite("The data dictionary")
struct DataDictionaryTests {
    private static let docs = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs")

    private static let pages = [
        "data-dictionary.md": DataDictionary.markdown, "event-reference.md": EventReference.markdown,
    ]

    @Test(arguments: pages.keys.sorted())
    func isTheFileInDocs(name: String) throws {
        let text = try #require(Self.pages[name])
        let written = try String(contentsOf: Self.docs.appending(path: name), encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let made = text.split(separator: "\n", omittingEmptySubsequences: false)
        let differing = zip(written, made).enumerated().first { $0.element.0 != $0.element.1 }
        let isSame = written == made
        #expect(
            isSame,
            """
            docs/\(name) is not what the code says; run `make dictionary`. \
            Line \(differing.map { $0.offset + 1 } ?? min(written.count, made.count) + 1): \
            the code says '\(differing.map { String($0.element.1) } ?? "")'
            """
        )
    }

    @Test func saysSomethingOfEveryColumn() {
        for entry in DataDictionary.reports + DataDictionary.exports {
            let columns = entry.columns + entry.previousColumns
            let names = Set(columns.map { "\($0.name) \($0.condition ?? "")" })
            #expect(names.count == columns.count, "\(entry.output): a name stands twice")
            for column in columns {
                #expect(column.meaning.hasSuffix("."), "\(entry.output) \(column.name): no sentence")
                #expect(!column.meaning.contains("\n"), "\(entry.output) \(column.name): a line break")
                let isNumber = [.integer, .decimal, .rate, .ratio, .probability].contains(column.kind)
                #expect((column.unit != nil) == isNumber, "\(entry.output) \(column.name): its unit")
            }
        }
    }
}
