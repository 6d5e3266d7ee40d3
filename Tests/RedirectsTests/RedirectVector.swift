import Foundation
import InboundLinks
import JSONReading
import Redirects
import Testing
import Time

/// One line of the vectors: a request, and the expected answer.
struct RedirectVector: CustomTestStringConvertible, Sendable {
    var id: String
    var line: String

    var testDescription: String { id }

    static let all: [RedirectVector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/redirects.jsonl")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init).compactMap { line in
            guard let id = try? JSONDocument(reading: line.utf8).root["id"]?.string else {
                Issue.record("unreadable vector: \(line)")
                return nil
            }
            return RedirectVector(id: id, line: line)
        }
    }()

    /// Which expectations are not met.
    func failures() throws -> [String] {
        let json = try JSONDocument(reading: line.utf8).root
        let redirect = try LinkTrial(json).redirect(now: .now)
        let actual = Dictionary(uniqueKeysWithValues: redirect.record)
        let expected = try #require(json["expect"])
        return expected.members.compactMap { name, node in
            let matches =
                switch actual[name] {
                case .string(let text)?: node.string == text
                case .number(let number)?: node.number == String(number)
                case .bool(let value)?: node.bool == value
                case .null?: node.kind == .null
                case .list?, nil: false
                }
            return matches ? nil : "\(name) is \(actual[name] as Any), not \(node.string ?? node.number ?? "other")"
        }
    }
}

@Suite("Vectors of redirects")
struct RedirectVectorTests {
    @Test("visitors go where they should", arguments: RedirectVector.all)
    func visitor(_ vector: RedirectVector) throws {
        #expect(try vector.failures() == [])
    }

    @Test func areFound() {
        #expect(RedirectVector.all.count >= 98)
    }
}
