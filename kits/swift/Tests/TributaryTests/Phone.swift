import Foundation
@testable import Tributary

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What surrounds the kit: a clock, ids, and a server that answers as it is told. `@unchecked`: `lock` guards all.
final class Phone: @unchecked Sendable {
    private let lock = NSLock()
    private var date = Date(timeIntervalSince1970: 1_767_225_600)
    private var elapsed: TimeInterval = 0
    private var sleepers: [(until: TimeInterval, continuation: CheckedContinuation<Void, Never>)] = []
    private(set) var idCount = 0
    private var answers: [String: [Answer?]] = [:]
    private var napCount = 0
    /// What was said by the kit since the story began.
    private var said: [String] = []
    private var batches: [[String: Any]] = []
    private var questions: [String] = []
    private var key: String?
    private var time: String?

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    var now: Date { locked { date } }
    /// How often somebody has begun to sleep.
    var naps: Int { locked { napCount } }
    var isAsleep: Bool { locked { !sleepers.isEmpty } }
    var lines: String { locked { said.joined(separator: "\n") } }
    var lastKey: String? { locked { key } }
    /// When the phone says it has sent the last batch.
    var lastTime: String? { locked { time } }

    func makeID() -> String {
        locked {
            idCount += 1
            return "id-\(idCount)"
        }
    }

    func say(_ line: String) { locked { said.append(line) } }

    func sleep(_ seconds: TimeInterval) async {
        await withCheckedContinuation { continuation in
            locked {
                napCount += 1
                sleepers.append((elapsed + seconds, continuation))
            }
        }
    }

    /// - Returns: whether somebody woke up.
    func pass(_ seconds: TimeInterval) -> Bool {
        let due = locked {
            elapsed += seconds
            date += seconds
            defer { sleepers.removeAll { $0.until <= elapsed } }
            return sleepers.filter { $0.until <= elapsed }
        }
        for sleeper in due { sleeper.continuation.resume() }
        return !due.isEmpty
    }

    func setClock(by seconds: TimeInterval) { locked { date += seconds } }

    func prepare(_ answer: Answer?, for whom: String) { locked { answers[whom, default: []].append(answer) } }

    func answer(to request: URLRequest) -> Answer? {
        locked {
            key = request.value(forHTTPHeaderField: "Authorization")
            let whom = request.httpMethod == "POST" ? "events" : "links"
            if let body = request.httpBody {
                batches.append((try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:])
                time = batches.last?["sent_at"] as? String
            } else if let query = request.url?.query {
                questions.append(query.removingPercentEncoding ?? query)
            }
            guard answers[whom]?.isEmpty == false else {
                return Answer(status: 200, body: Data("{}".utf8), retryAfter: nil)
            }
            return answers[whom]?.removeFirst()
        }
    }

    func takeBatches() -> [[String: Any]] {
        locked {
            defer { batches = [] }
            return batches
        }
    }

    func takeQuestions() -> [String] {
        locked {
            defer { questions = [] }
            return questions
        }
    }
}
