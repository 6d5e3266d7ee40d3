import Foundation
import Testing

@testable import Settings

@Suite("Settings")
struct SettingTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/configuration.md")

    @Test func areTheTableOfTheirPage() throws {
        let written = try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("|")
        }
        let made = Setting.markdown.split(separator: "\n")
        let differing = zip(written, made).first { $0 != $1 }
        #expect(
            written == made,
            "docs/configuration.md is not what the code says; run `make dictionary`: \(String(describing: differing))"
        )
    }

    @Test func haveOneKeyEach() {
        #expect(Set(Setting.all.map(\.key)).count == Setting.all.count)
    }

    /// A default outside its range could be set by nobody.
    @Test func haveDefaultsWithinTheirRanges() {
        for setting in Setting.all {
            if case .number(let usual?, let range) = setting.shape { #expect(range.contains(usual), "\(setting.key)") }
        }
    }
}
