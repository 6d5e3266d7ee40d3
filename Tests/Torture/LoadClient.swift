import AsyncHTTPClient
import Foundation
import JSONReading
import NIOCore
import NIOHTTP1
import Synchronization
import RandomTesting

/// Senders that do not know about the faults. They send, record the answers, and send unanswered batches again.
struct LoadClient: Sendable {
    let seed: UInt64
    let baseTime: Int64
    /// Each request goes to one of these at random.
    let daemons: [Daemon]
    let keys: [String]
    let ledger: Ledger
    let client: HTTPClient
    /// The longest pause of a sender after an answer, in milliseconds.
    let longestPause: Int

    /// Within this time each request is answered, or its connection closes: the daemons' store deadline is 4 s.
    private static let patience: Duration = .seconds(20)

    /// Sends until the task is cancelled.
    func run(senders: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask { await send(sender: sender) }
            }
        }
    }

    private func send(sender: Int) async {
        var random = SeededRandom(seed, 1_000 + UInt64(sender))
        var again: [Batch] = []
        while !Task.isCancelled {
            let batch: Batch
            if !again.isEmpty, again.count > 40 || random.chance(50) {
                batch = again.removeFirst()
            } else if random.chance(8) {
                batch = makeOldBatch(&random)
            } else {
                batch = makeBatch(&random)
            }
            if await send(batch, &random) {
                // Send some answered batches again, as a client does that missed the answer or is faulty.
                if random.chance(4) {
                    ledger.resends(otherwise: false)
                    again.append(batch)
                } else if !batch.isOld, random.chance(3) {
                    ledger.resends(otherwise: true)
                    again.append(batch.otherwise)
                }
            } else {
                // Give up some batches. They may be stored or not, but not twice.
                let dice = Int.random(in: 0..<100, using: &random)
                if dice < 85 {
                    ledger.resends(otherwise: false)
                    again.append(batch)
                } else if !batch.isOld, dice < 95 {
                    ledger.resends(otherwise: true)
                    again.append(batch.otherwise)
                }
            }
            try? await Task.sleep(for: random.duration(0...longestPause))
        }
    }

    /// Sends the old events for the first time, before there are faults.
    func sendOldEvents() async throws {
        var random = SeededRandom(seed, 999)
        _ = ledger.makeNumbers(TortureEvent.oldNumbers.count)
        for app in 0..<TortureEvent.apps {
            let numbers = TortureEvent.oldNumbers.filter { TortureEvent.app(ofNumber: $0) == app }
            guard await send(batch(of: numbers, app: app, .lines), &random) else {
                throw TortureFailure("old events could not be stored")
            }
        }
    }

    /// Some of the old events again, and a new one.
    private func makeOldBatch(_ random: inout SeededRandom) -> Batch {
        let app = Int.random(in: 0..<TortureEvent.apps, using: &random)
        let first = Int.random(in: TortureEvent.oldNumbers, using: &random)
        let old = (first..<first + Int.random(in: 1...60, using: &random)).filter {
            TortureEvent.oldNumbers.contains($0) && TortureEvent.app(ofNumber: $0) == app
        }
        let new = ledger.makeNumbers(TortureEvent.apps).filter { TortureEvent.app(ofNumber: $0) == app }
        return batch(of: old + new, app: app, .lines)
    }

    private func batch(of numbers: [Int], app: Int, _ form: Batch.Form) -> Batch {
        Batch(
            app: app,
            events: numbers.map { TortureEvent(seed: seed, baseTime: baseTime, number: $0, version: 0) },
            spoiledNumber: nil,
            form: form,
            isGzipped: false
        )
    }

    private func makeBatch(_ random: inout SeededRandom) -> Batch {
        let app = Int.random(in: 0..<TortureEvent.apps, using: &random)
        let count = random.chance(35) ? 1 : Int.random(in: 2...80, using: &random)
        var numbers: [Int] = []
        while numbers.count < count {
            // Consecutive numbers belong to different apps. Numbers of other apps are never sent, so they must never be
            // stored.
            numbers += ledger.makeNumbers(TortureEvent.apps).filter { TortureEvent.app(ofNumber: $0) == app }
        }
        let isSingle = count == 1 && random.chance(70)
        return Batch(
            app: app,
            events: numbers.map { TortureEvent(seed: seed, baseTime: baseTime, number: $0, version: 0) },
            spoiledNumber: !isSingle && random.chance(5) ? ledger.makeNumbers(1).lowerBound : nil,
            form: isSingle ? .single : random.chance(50) ? .object : .lines,
            isGzipped: random.chance(30)
        )
    }

    /// - Returns: whether the batch was answered with 200 or 202.
    private func send(_ batch: Batch, _ random: inout SeededRandom) async -> Bool {
        guard let daemon = daemons.randomElement(using: &random) else { return false }
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(daemon.proxy.port)/v1/events")
        request.method = .POST
        request.headers.add(name: "authorization", value: "Bearer \(keys[batch.app])")
        request.headers.add(name: "content-type", value: batch.contentType)
        if batch.isGzipped { request.headers.add(name: "content-encoding", value: "gzip") }
        request.body = .bytes(ByteBuffer(bytes: batch.body))
        ledger.willSend(batch)
        let start = ContinuousClock.now
        let status: Int
        let body: String
        do {
            let response = try await client.execute(request, timeout: TimeAmount(Self.patience))
            body = String(buffer: try await response.body.collect(upTo: 1 << 20))
            status = Int(response.status.code)
            if status == 503, response.headers["retry-after"].isEmpty {
                ledger.wrong("503 without Retry-After: \(body.prefix(200))")
            }
        } catch {
            ledger.isUnanswered()
            if error as? HTTPClientError == .deadlineExceeded, !daemon.wasSilent(since: start) {
                ledger.wrong("neither an answer nor a close of the connection within \(Self.patience)")
            }
            return false
        }
        ledger.answered(status)
        switch status {
        case 200, 202:
            do {
                try note(body, status, of: batch)
            } catch {
                ledger.wrong("\(status): \(error): \(body.prefix(200))")
            }
            return true
        case 503:
            return false
        default:
            ledger.wrong("\(status): \(body.prefix(200))")
            return false
        }
    }

    private func note(_ body: String, _ status: Int, of batch: Batch) throws {
        let root = try JSONDocument(reading: body.utf8).root
        func count(_ name: String) -> Int { root[name]?.number.flatMap { Int($0) } ?? -1 }
        let rejected = root["rejected"]?.elements.compactMap { $0["event_id"]?.string } ?? []
        let spoiled = batch.spoiledNumber.map { [TortureEvent.id(ofNumber: $0, seed: seed)] } ?? []
        guard rejected == spoiled else { throw TortureFailure("rejected \(rejected), expected \(spoiled)") }
        guard count("accepted") + count("duplicates") == batch.events.count else {
            throw TortureFailure("accepted and duplicates do not add up to \(batch.events.count)")
        }
        guard root["stored"]?.string == (status == 200 ? "database" : "spool") else {
            throw TortureFailure("the status and `stored` differ")
        }
        try ledger.kept(batch.events, status: status)
    }
}
