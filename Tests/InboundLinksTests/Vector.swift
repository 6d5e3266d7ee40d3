import Foundation
import InboundLinks
import JSONReading
import Testing

/// One line of a vector file: an input, and the expected values of some outputs.
struct Vector: CustomTestStringConvertible, Sendable {
    var id: String
    var input: String
    var dialog: FeedPostReading.Dialog
    /// The expected JSON texts by key.
    var expected: [String: String]

    var testDescription: String { id }

    static let inboundLinks = read(["inbound-links.jsonl"])
    static let feedPosts = read(["feed-posts.jsonl"]) + read(caseFiles, kind: "inspect_post")
    /// Links that people met with other programs. The files have cases of other kinds too: `ReportingTests` tries those
    /// whose input is events, and `EndToEndTests` all others.
    static let cases = read(caseFiles, kind: "inspect")

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")
    private static let caseFiles = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasPrefix("cases-") }

    /// - Parameter kind: the only kind of lines that is read, in files that have several.
    private static func read(_ names: [String], kind: String? = nil) -> [Vector] {
        var vectors: [String: Vector] = [:]
        for name in names {
            guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else {
                Issue.record("unreadable file: \(name)")
                continue
            }
            for line in text.split(separator: "\n") {
                if let kind, (try? JSONDocument(reading: line.utf8).root["kind"]?.string) != kind { continue }
                guard let vector = Vector(line: String(line)) else {
                    Issue.record("unreadable vector: \(line)")
                    continue
                }
                vectors[vector.id] = vector
            }
        }
        return vectors.values.sorted { $0.id < $1.id }
    }

    private init?(line: String) {
        guard let root = try? JSONDocument(reading: line.utf8).root, let id = root["id"]?.string,
            let input = root["input"]?.string, let expect = root["expect"]
        else { return nil }
        self.id = id
        self.input = input
        dialog = root["dialog"]?.string.flatMap { FeedPostReading.Dialog(rawValue: $0) } ?? .feed
        let bytes = Array(line.utf8)
        expected = [:]
        for member in expect.members {
            expected[member.key] = String(decoding: bytes[member.value.sourceRange], as: UTF8.self)
        }
    }

    /// Which expectations an inspection does not meet.
    func failures(in inspection: [(String, InspectionValue)]) -> [String] {
        expected.compactMap { key, json in
            guard let value = inspection.first(where: { $0.0 == key })?.1 else { return "\(key) is missing" }
            let actual = InspectionValue.object([(key, value)])
            guard let expectedNode = try? JSONDocument(reading: "{\"\(key)\": \(json)}".utf8).root,
                let actualNode = try? JSONDocument(reading: actual.utf8).root
            else { return "\(key) is no JSON" }
            let (first, second) = (expectedNode[key], actualNode[key])
            return first.map(Self.plain) == second.map(Self.plain) ? nil : "\(key) is \(actual), not \(json)"
        }
    }

    private static func plain(_ node: JSONNode) -> String {
        switch node.kind {
        case .string, .invalidString: "s:\(node.string ?? "")"
        case .number: "n:\(node.number ?? "")"
        case .array: "a:\(node.elements.map(plain))"
        case .object: "o:\(node.members.map { "\($0.key):\(plain($0.value))" })"
        case .null, .true, .false: "\(node.kind)"
        }
    }
}
