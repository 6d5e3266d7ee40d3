import Gzip
import Foundation
import InboundLinks
import Time
import NIOCore
import NIOHTTP1

/// Sends requests to the daemon, several at the same time, and adds up the answers.
struct DemoSender: Sendable {
    private static let requestsInFlight = 8
    private static let attempts = 8

    let daemon: URL
    let writeKey: String
    private var client: DaemonClient { DaemonClient(daemon: daemon) }

    init(daemon: URL, writeKey: String) {
        self.daemon = daemon
        self.writeKey = writeKey
    }

    func send(_ requests: [DemoRequest]) async throws -> DemoTally {
        let total = requests.reduce(0) { $0 + $1.eventCount }
        var progress = Progress()
        defer { progress.finish() }
        return try await withThrowingTaskGroup(of: DemoTally.self) { group in
            var tally = DemoTally()
            var waiting = requests[...]
            for request in waiting.prefix(Self.requestsInFlight) { group.addTask { try await send(request) } }
            waiting = waiting.dropFirst(Self.requestsInFlight)
            while let answered = try await group.next() {
                tally.add(answered)
                progress.show("events", done: tally.events, fraction: Double(tally.events) / Double(max(1, total)))
                if let request = waiting.popFirst() { group.addTask { try await send(request) } }
            }
            return tally
        }
    }

    /// Returns when the daemon can store events.
    func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            let answer = try? await client.ask("readyz", within: .seconds(5))
            if answer?.status == .ok { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandFailure(.databaseUnavailable, "the daemon at \(daemon.absoluteString) did not become ready")
    }

    /// Sends a request until it is answered. Sending it again is safe, because its events have ids.
    private func send(_ request: DemoRequest) async throws -> DemoTally {
        var tally = DemoTally()
        tally.requests = 1
        tally.events = request.eventCount
        for attempt in 1...Self.attempts {
            let body = try body(of: request)
            tally.bytes = body.count
            do {
                let answer = try await client.ask(
                    request.path.rawValue,
                    method: .POST,
                    headers: headers(of: request),
                    body: body,
                    within: .seconds(60)
                )
                switch answer.status {
                case .ok, .accepted, .unprocessableEntity:
                    tally.add(try decode(answer.body))
                    return tally
                case .tooManyRequests, .serviceUnavailable:
                    let seconds = answer.headers.first(name: "Retry-After").flatMap(Int.init) ?? 1
                    try await Task.sleep(for: .seconds(min(max(seconds, 0), 10)))
                default:
                    let problem = try? decode(answer.body)
                    let code = problem?.code ?? "no code"
                    throw CommandFailure(
                        .internalError,
                        "the daemon answered \(answer.status.code) (\(code)) to \(request.path.rawValue)"
                    )
                }
            } catch let error as CommandFailure {
                throw error
            } catch {
                try Task.checkCancellation()
                guard attempt < Self.attempts else {
                    throw CommandFailure(
                        .internalError,
                        "the daemon at \(daemon.absoluteString) does not answer: \(error)"
                    )
                }
                try await Task.sleep(for: .milliseconds(100 << attempt))
            }
            tally.retries += 1
        }
        throw CommandFailure(
            .databaseUnavailable,
            "the daemon asked to wait \(Self.attempts) times for \(request.path.rawValue); is its database unavailable?"
        )
    }

    private func headers(of request: DemoRequest) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Authorization": "Bearer \(writeKey)", "Content-Type": request.format.rawValue,
        ]
        if request.isCompressed { headers.add(name: "Content-Encoding", value: "gzip") }
        return headers
    }

    private func body(of request: DemoRequest) throws -> [UInt8] {
        switch request.body {
        case .fixed(let bytes):
            guard request.isCompressed else { return bytes }
            guard let packed = GzipDeflation.deflating(bytes) else {
                throw CommandFailure(.internalError, "zlib cannot compress a request body")
            }
            return packed
        case .clocked(let events, let skew):
            let sentAt = Timestamp.now.advanced(by: .milliseconds(skew))
            return Array(#"{"sent_at":"\#(sentAt.rfc3339)","events":[\#(events)]}"#.utf8)
        }
    }

    private func decode(_ bytes: ByteBuffer) throws -> DemoAnswer {
        do {
            return try JSONDecoder().decode(DemoAnswer.self, from: Data(bytes.readableBytesView))
        } catch {
            throw CommandFailure(.internalError, "the daemon's answer cannot be read: \(error)")
        }
    }
}
