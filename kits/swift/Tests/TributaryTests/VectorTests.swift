import Foundation
import Testing

@testable import Tributary

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A line of kits/vectors.jsonl.
struct Story: Decodable, Sendable, CustomTestStringConvertible {
    var story: String
    var `for`: [String]?
    var steps: [String]

    var testDescription: String { story }

    static let all: [Story] = {
        let kits = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { path, _ in path.deletingLastPathComponent() }
        let text = (try? String(contentsOf: kits.appendingPathComponent("vectors.jsonl"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Story.self, from: Data($0.utf8)) }
    }()
    static let ours = all.filter { $0.for?.contains("ios") ?? true }
}

@Suite("Stories of kits/vectors.jsonl", .timeLimit(.minutes(3)))
struct VectorTests {
    @Test func areFound() { #expect(Story.ours.count >= 70) }

    @Test(arguments: Story.ours)
    func comesOutAsItSays(_ story: Story) async throws {
        let teller = Teller()
        for step in story.steps { try await teller.take(step) }
        await teller.end()
        print("told: \(story.story)")
    }
}

/// Takes the steps of a story, with the kit in the place of the app's.
final class Teller {
    private let phone = Phone()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kit-\(UUID().uuidString)")
    private lazy var file = folder.appendingPathComponent("tributary.json")
    private lazy var hidden = folder.appendingPathComponent("hidden")
    private var app: TributaryApp?
    private var finding: TributaryApp.Finding?
    private var number = 0
    private var lastHeld: Task<Void, Never>?
    private var naps = 0
    /// Each event that was sent, by its id.
    private var texts: [String: NSDictionary] = [:]
    private var latest: [String: [String: Any]] = [:]

    func end() async {
        await app?.held?.cancel()
        _ = phone.pass(1_000_000)
        try? FileManager.default.removeItem(at: folder)
    }

    func take(_ step: String) async throws {
        let words = step.split(separator: " ", maxSplits: 1).map(String.init)
        let (verb, rest) = (words[0], words.count > 1 ? words[1] : "")
        if verb == "launch" { return await launch(key: rest.isEmpty ? nil : String(rest.dropFirst("with key ".count))) }
        let app = try #require(app)
        if try await act(verb, rest, app) {
            await app.settle()
            // A held install must sleep before the time can pass.
            if let held = await app.held, held != lastHeld { (lastHeld, naps) = (held, naps + 1) }
            for _ in 0..<100_000 where phone.naps < naps { await Task.yield() }
            return
        }
        let found = try await look(verb, rest, app)
        #expect(found == rest, "\(step)")
    }

    private func launch(key: String?) async {
        // The process before ends.
        await app?.held?.cancel()
        let phone = phone
        let world = TributaryApp.World(
            now: { phone.now },
            sleep: { await phone.sleep($0) },
            makeID: { phone.makeID() },
            answer: { phone.answer(to: $0) }
        )
        let url = URL(fileURLWithPath: "/")
        app = TributaryApp(url, key, "3.1", folder, "ios", { phone.say($0) }, world)
    }

    /// - Returns: whether the verb is one of those that do something.
    private func act(_ verb: String, _ rest: String, _ app: TributaryApp) async throws -> Bool {
        let words = rest.split(separator: " ").map(String.init)
        switch verb {
        case "consent":
            await app.setConsent(rest.hasPrefix("given"), alreadyInstalled: rest.hasSuffix("already installed"))
        case "opened": await app.opened(by: rest.isEmpty ? nil : URL(string: rest))
        case "posted": await app.posted(callback: try #require(URL(string: rest)))
        case "send": await app.send()
        case "add":
            for _ in 0..<(Int(words[0]) ?? 0) {
                number += 1
                let text = words.count > 3 ? String(repeating: "x", count: Int(words[3]) ?? 0) : ""
                await app.add(words[1], ["ref": "\(number)", "text": text])
                await app.settle()
            }
        case "find":
            let text = words.dropFirst().joined(separator: " ")
            switch words[0] {
            case "code": finding = await app.findLink(code: text)
            case "copied": finding = await app.findLink(copied: text, host: "go.example")
            default: finding = await app.findLink(pasted: text)
            }
        case "events", "links": phone.prepare(answer(words), for: verb)
        case "wait":
            let held = await app.held
            if phone.pass(TimeInterval(rest) ?? 0), !phone.isAsleep { await held?.value }
        case "clock": phone.setClock(by: TimeInterval(rest) ?? 0)
        case "file":
            let manager = FileManager.default
            if rest == "damaged" { try Data("{\"device".utf8).write(to: file) }
            if rest == "locked" {
                try manager.moveItem(at: file, to: hidden)
                try manager.createDirectory(at: file, withIntermediateDirectories: true)
            }
            if rest == "readable" || rest == "removed" { try? manager.removeItem(at: file) }
            if rest == "readable" { try manager.moveItem(at: hidden, to: file) }
            if rest == "removed" { try? manager.removeItem(at: hidden) }
        default: return false
        }
        return true
    }

    /// - Parameter words: `answer 503 after 7`, `answer 200 {"click_id":"c"}` or `answer nothing`.
    private func answer(_ words: [String]) -> Answer? {
        guard let status = Int(words[1]) else { return nil }
        let isPaused = words.count > 3 && words[2] == "after"
        let body = words.dropFirst(isPaused ? 4 : 2).joined(separator: " ")
        return Answer(status: status, body: Data(body.utf8), retryAfter: isPaused ? words[3] : nil)
    }

    /// What is so, in the words of the step if it is as the step says.
    private func look(_ verb: String, _ rest: String, _ app: TributaryApp) async throws -> String? {
        let words = rest.split(separator: " ").map(String.init)
        switch verb {
        case "waiting": return Self.text(try waiting())
        case "oldest": return "\(words[0]) \(try waiting().first?[words[0]] ?? "none")"
        case "sent":
            let batches = phone.takeBatches().map { $0["events"] as? [[String: Any]] ?? [] }
            for event in batches.joined() {
                let id = event["event_id"] as? String ?? ""
                #expect(texts[id].map { $0.isEqual(to: event) } ?? true, "\(id) was sent in two ways")
                texts[id] = NSDictionary(dictionary: event)
                latest[event["type"] as? String ?? ""] = event
            }
            return batches.isEmpty ? "nothing" : batches.map(Self.text).joined(separator: " / ")
        case "sent_at": return phone.lastTime
        case "event":
            _ = try await look("sent", "", app)
            let event = try waiting().last { $0["type"] as? String == words[0] } ?? latest[words[0]] ?? [:]
            return "\(words[0]) \(words[1]) \(event[words[1]] ?? "none")"
        case "asked":
            let questions = phone.takeQuestions()
            return questions.isEmpty ? "nothing" : questions.joined(separator: " / ")
        case "first": return await app.isFirstLaunch ? "yes" : "no"
        case "device": return await app.deviceID ?? "none"
        case "status": return await app.lastStatus.map { "\($0)" } ?? "none"
        case "key": return phone.lastKey?.replacingOccurrences(of: "Bearer ", with: "")
        case "says": return phone.lines.contains(rest) ? rest : phone.lines
        case "stored":
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            let known = ["tributary.json": "queue", "tributary.installed": "mark"]
            return names.isEmpty ? "nothing" : names.sorted().reversed().map { known[$0] ?? $0 }.joined(separator: " ")
        case "finds":
            switch finding {
            case .found(let link): return "found \(link.clickID) \(link.appURL?.absoluteString ?? "none")"
            case .notFound: return "not found"
            case .tooManyTries(let seconds): return "too many tries, wait \(Int(seconds))"
            case .noAnswer: return "no answer"
            case nil: return nil
            }
        default: return "no such verb: \(verb)"
        }
    }

    private func waiting() throws -> [[String: Any]] {
        let data = try Data(contentsOf: file)
        return try JSONDecoder().decode(StoredState.self, from: data).events.compactMap {
            try JSONSerialization.jsonObject(with: Data($0.json.utf8)) as? [String: Any]
        }
    }

    /// `install 2 app_open`: types, with how many follow each other.
    private static func text(_ events: [[String: Any]]) -> String {
        var runs: [(type: String, count: Int)] = []
        for event in events {
            let type = event["type"] as? String ?? ""
            if runs.last?.type == type { runs[runs.count - 1].count += 1 } else { runs.append((type, 1)) }
        }
        return runs.isEmpty
            ? "nothing" : runs.map { $0.count > 1 ? "\($0.count) \($0.type)" : $0.type }.joined(separator: " ")
    }
}
