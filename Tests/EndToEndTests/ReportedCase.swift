import Foundation
import JSONReading
import Time

/// What people met with other programs: a line of `Tests/InboundLinksTests/Vectors/cases-*.jsonl`. Its kind says what
/// the input is.
struct ReportedCase: Sendable {
    var id: String
    var kind: String
    private var line: String

    static let all: [ReportedCase] = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appending(path: "InboundLinksTests/Vectors")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasPrefix("cases-") }.flatMap { file in
            let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map { line in
                let root = try? JSONDocument(reading: line.utf8).root
                return ReportedCase(
                    id: root?["id"]?.string ?? String(line),
                    kind: root?["kind"]?.string ?? "none",
                    line: String(line)
                )
            }
        }.sorted { $0.id < $1.id }
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
