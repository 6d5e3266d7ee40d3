import Foundation
import JSONReading
import Time

/// What people met with other programs: a line of `Tests/InboundLinksTests/Vectors/cases-*.jsonl`. Its kind says what
/// the input is.
struct ReportedCase: Sendable {
    var id: String
    var kind: String
    private var line: String

    /// The cases of the checkout, and those beside it if there are any. Of two with one id, that of the checkout.
    static let all: [ReportedCase] = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let root = tests.deletingLastPathComponent()
        let folders = [
            tests.appending(path: "InboundLinksTests/Vectors"),
            root.deletingLastPathComponent().appending(path: "shared/vectors"),
        ]
        var cases: [String: ReportedCase] = [:]
        for folder in folders {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for file in files where file.hasPrefix("cases-") {
                let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
                for line in text.split(separator: "\n") {
                    let root = try? JSONDocument(reading: line.utf8).root
                    let id = root?["id"]?.string ?? String(line)
                    guard cases[id] == nil else { continue }
                    cases[id] = ReportedCase(id: id, kind: root?["kind"]?.string ?? "none", line: String(line))
                }
            }
        }
        return cases.values.sorted { $0.id < $1.id }
    }()

    /// A member of the line; `now-2h` and the like are times.
    subscript(name: String) -> JSONNode? { try? JSONDocument(reading: timed.utf8).root[name] }

    var expected: JSONNode? { self["expect"] }

    /// The input as JSON.
    var input: String { Self.text(self["input"], in: timed) }

    /// The elements of the input, each as JSON.
    var inputs: [String] { self["input"]?.elements.map { Self.text($0, in: timed) } ?? [] }

    private var timed: String {
        line.replacing(/now-(\d+)([hm])/) { match -> String in
            let seconds = (Int(match.1) ?? 0) * (match.2 == "h" ? 3_600 : 60)
            return Timestamp.now.advanced(by: .seconds(-seconds)).rfc3339
        }
    }

    private static func text(_ node: JSONNode?, in line: String) -> String {
        guard let node else { return "" }
        return String(decoding: Array(line.utf8)[node.sourceRange], as: UTF8.self)
    }
}
