import Foundation
import Synchronization

/// Records what was sent and what was answered, in memory and in a journal file that helps to explain a failure.
final class Ledger: Sendable {
    struct Counts {
        var requests = 0
        /// Events in requests, repeats included.
        var sent = 0
        /// Distinct events, by the status of their first answer.
        var answered200 = 0
        var answered202 = 0
        var answers: [Int: Int] = [:]
        var unanswered = 0
        var resent = 0
        var resentOtherwise = 0
        /// Answers that docs/reliability.md does not allow. The first few are kept as texts.
        var wrong = 0
        /// Events that were stored when a standby without them was promoted.
        var lostWithPrimary = 0
        var wrongExamples: [String] = []
    }

    private struct State {
        /// By number of the event: bit v says that version v was sent, bit 7 that the event was answered with 200 or
        /// 202.
        var marks: [UInt8] = []
        /// By number of the event: the number of the first request with it that was answered with 200 or 202.
        var requests: [Int: Int] = [:]
        var answeredRequests = 0
        var lostWithPrimary: Set<Int> = []
        var counts = Counts()
    }

    private static let answeredBit: UInt8 = 0x80
    private let state = Mutex(State())
    private let journal: FileHandle

    init(journal path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let handle = FileHandle(forWritingAtPath: path) else { throw TortureFailure("\(path) cannot be written") }
        journal = handle
    }

    var counts: Counts { state.withLock { $0.counts } }
    var numbers: Int { state.withLock { $0.marks.count } }

    /// New numbers for events.
    func makeNumbers(_ count: Int) -> Range<Int> {
        state.withLock { state in
            let first = state.marks.count
            state.marks.append(contentsOf: repeatElement(0, count: count))
            return first..<state.marks.count
        }
    }

    /// Call it before the request is sent.
    func willSend(_ batch: Batch) {
        state.withLock { state in
            state.counts.requests += 1
            state.counts.sent += batch.events.count
            for event in batch.events { state.marks[event.number] |= 1 << UInt8(event.version) }
        }
    }

    func isUnanswered() { state.withLock { $0.counts.unanswered += 1 } }

    func resends(otherwise: Bool) {
        state.withLock { state in
            if otherwise { state.counts.resentOtherwise += 1 } else { state.counts.resent += 1 }
        }
    }

    func answered(_ status: Int) { state.withLock { $0.counts.answers[status, default: 0] += 1 } }

    /// Records events that were answered with 200 or 202.
    func kept(_ events: [TortureEvent], status: Int) throws {
        state.withLock { state in
            state.answeredRequests += 1
            for event in events where state.marks[event.number] & Self.answeredBit == 0 {
                state.marks[event.number] |= Self.answeredBit
                state.requests[event.number] = state.answeredRequests
                if status == 200 { state.counts.answered200 += 1 } else { state.counts.answered202 += 1 }
            }
        }
        let line = "\(status) " + events.map { "\($0.number)v\($0.version)" }.joined(separator: ",") + "\n"
        try journal.write(contentsOf: Data(line.utf8))
    }

    /// Records events that a promoted standby had not received. They may be missing at the end: docs/reliability.md,
    /// *What it depends on*.
    func lostWithPrimary(_ numbers: Set<Int>) {
        state.withLock { state in
            state.lostWithPrimary.formUnion(numbers)
            state.counts.lostWithPrimary = state.lostWithPrimary.count
        }
    }

    func wasLostWithPrimary(_ number: Int) -> Bool { state.withLock { $0.lostWithPrimary.contains(number) } }

    /// The number of requests that these answered events came with.
    func requests(of numbers: [Int]) -> Int {
        state.withLock { state in Set(numbers.compactMap { state.requests[$0] }).count }
    }

    func wrong(_ text: String) {
        state.withLock { state in
            state.counts.wrong += 1
            if state.counts.wrongExamples.count < 10 { state.counts.wrongExamples.append(text) }
        }
    }

    func wasSent(_ number: Int, version: Int) -> Bool {
        state.withLock { $0.marks.indices.contains(number) && $0.marks[number] & (1 << UInt8(version)) != 0 }
    }

    func wasSent(_ number: Int) -> Bool {
        state.withLock { $0.marks.indices.contains(number) && $0.marks[number] & ~Self.answeredBit != 0 }
    }

    var answeredNumbers: [Int] {
        state.withLock { state in state.marks.indices.filter { state.marks[$0] & Self.answeredBit != 0 } }
    }
}
