import Hummingbird
import ServiceLifecycle
import Testing

@testable import Ingest
import RandomTesting

@Suite("Connections")
struct LiveConnectionTests {
    static let event = WriteEndpointTests.event

    static func post(_ body: String, extra: String = "", close: Bool = false) -> String {
        "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.write)\r\n"
            + "Content-Type: application/json\r\n\(close ? "Connection: close\r\n" : "")"
            + "\(extra)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static let lastGet = "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

    @Test func answersPipelinedRequestsInOrder() async throws {
        let daemon = Daemon()
        let received = try await daemon.testLive { port in
            try await RawConnection.run(
                [.send(Self.post(Self.event) + Self.post("{oops") + Self.post(Self.event) + Self.lastGet)],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [200, 400, 200, 200])
        #expect(received.contains("\"duplicates\":1"))
        #expect(daemon.sink.batches.count == 2)
    }

    @Test func keepsTheConnectionAcrossRefusals() async throws {
        let received = try await Daemon().testLive { port in
            try await RawConnection.run(
                [
                    .send("POST /v1/events HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"),
                    .expect("missing_key"),
                    .send("GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n"),
                    .expect("not_found"),
                    .send(Self.lastGet),
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [401, 404, 200])
    }

    @Test func readsAChunkedBody() async throws {
        let daemon = Daemon()
        let half = Self.event.utf8.count / 2
        let first = String(Self.event.prefix(half))
        let second = String(Self.event.dropFirst(half))
        let received = try await daemon.testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                            + "Authorization: Bearer \(KnownKeys.write)\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "\(String(first.utf8.count, radix: 16))\r\n\(first)\r\n"
                            + "\(String(second.utf8.count, radix: 16))\r\n\(second)\r\n0\r\nX-Trailer: 1\r\n\r\n"
                    )
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [200])
        #expect(daemon.sink.events.count == 1)
    }

    @Test func stopsReadingAChunkedBodyAtTheLimit() async throws {
        var daemon = Daemon()
        daemon.limits.bodyBytes = 1_000
        let received = try await daemon.testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\n"
                            + "Authorization: Bearer \(KnownKeys.write)\r\nTransfer-Encoding: chunked\r\n\r\n"
                    ),
                    .send("800\r\n" + String(repeating: " ", count: 0x800) + "\r\n"),
                    .send("800\r\n" + String(repeating: " ", count: 0x800) + "\r\n"),
                    .expect("body_too_large"),
                    .closeOutput,
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [413])
        #expect(received.lowercased().contains("connection: close"))
    }

    @Test func refusesALongBodyBeforeItIsSent() async throws {
        let received = try await Daemon().testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.write)\r\n"
                            + "Content-Length: 99999999999\r\n\r\n"
                    ),
                    .expect("body_too_large"),
                    .closeOutput,
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [413])
        #expect(received.lowercased().contains("connection: close"))
    }

    @Test func letsASenderContinue() async throws {
        let body = Self.event
        let received = try await Daemon().testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.write)\r\n"
                            + "Expect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    ),
                    .expect("HTTP/1.1 100 Continue\r\n\r\n"),
                    .send(body),
                    .expect("accepted"),
                    .send(Self.lastGet),
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [100, 200, 200])
    }

    @Test func refusesASenderThatAsksBeforeItSends() async throws {
        let received = try await Daemon().testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer nobody\r\n"
                            + "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"
                    ),
                    .expect("unknown_key"),
                    .closeOutput,
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [401])
        #expect(received.lowercased().contains("connection: close"))
    }

    @Test func cutsOffASlowBody() async throws {
        var daemon = Daemon()
        daemon.limits.requestReadTimeout = .milliseconds(50)
        let sink = daemon.sink
        let received = try await daemon.testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.write)\r\n"
                            + "Content-Length: 100\r\n\r\n{"
                    ),
                    .expect("request_timeout"),
                    .closeOutput,
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [408])
        #expect(sink.batches.isEmpty)
    }

    @Test func closesAnIdleConnection() async throws {
        var daemon = Daemon()
        daemon.limits.idleTimeout = .milliseconds(50)
        let received = try await daemon.testLive { port in
            try await RawConnection.run([.send("GET /healthz HT")], port: port)
        }
        #expect(received.isEmpty)
    }

    @Test func asksForAKeyThatIsNotKnownAtOnce() async throws {
        let daemon = Daemon(keys: KnownKeys(hasToBeAsked: true))
        let stranger = Self.post(Self.event).replacing(KnownKeys.write, with: "nobody")
        let requests = Self.post(Self.event) + stranger + Self.lastGet
        let received = try await daemon.testLive { port in
            try await RawConnection.run([.send(requests)], port: port)
        }
        #expect(RawConnection.statuses(received) == [200, 401, 200])
        #expect(daemon.sink.batches.count == 1)
    }

    @Test func storesNothingOfABodyThatBreaksOff() async throws {
        let daemon = Daemon()
        let lines = Self.event + "\n" + Self.event
        let received = try await daemon.testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.write)\r\n"
                            + "Content-Type: application/x-ndjson\r\nContent-Length: 10000\r\n\r\n\(lines)\n"
                    ),
                    .closeOutput,
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [400])
        #expect(received.contains("incomplete_body"))
        let chunked = try await daemon.testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.write)\r\n"
                            + "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "\(String(Self.event.utf8.count + 1, radix: 16))\r\n\(Self.event)\n\r\n"
                    ),
                    .closeOutput,
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(chunked) == [400])
        #expect(daemon.sink.batches.isEmpty)
    }

    @Test func answersASenderThatHasClosedItsSide() async throws {
        let received = try await Daemon().testLive { port in
            try await RawConnection.run([.send(Self.post(Self.event)), .closeOutput], port: port)
        }
        #expect(RawConnection.statuses(received) == [200])
    }

    @Test func closesAfterHTTP10() async throws {
        let received = try await Daemon().testLive { port in
            try await RawConnection.run([.send("GET /healthz HTTP/1.0\r\n\r\n")], port: port)
        }
        #expect(RawConnection.statuses(received) == [200])
        #expect(received.lowercased().contains("connection: close"))
    }

    @Test(arguments: [
        ("Content-Length: abc\r\n", [400]),
        ("Content-Length: -1\r\n", [400]),
        ("Content-Length: 5\r\nContent-Length: 6\r\n", [400]),
        ("Content-Length: 99999999999999999999999\r\n", [400]),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", [400]),
        ("Transfer-Encoding: rubbish\r\n", [400]),
        ("Transfer-Encoding: gzip, chunked\r\n", [400]),
        ("Transfer-Encoding: rubbish\r\nTransfer-Encoding: chunked\r\n", [400]),
        ("Host: other\r\n", [400]),
        ("X-Bad Name: 1\r\n", [400]),
        (": empty\r\n", [400]),
        ("X-Long: " + String(repeating: "x", count: 20_000) + "\r\n", [431]),
        (String(repeating: "X-Many: 1\r\n", count: 200), [431]),
        ((0..<9).map { "X-\($0): " + String(repeating: "x", count: 4_000) + "\r\n" }.joined(), [431]),
    ])
    func refusesBadHeaderFields(fields: String, statuses: [Int]) async throws {
        let received = try await Daemon().testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.write)\r\n\(fields)\r\n"
                    ),
                    .expect("\"code\""),
                    .closeOutput,
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == statuses)
        #expect(received.contains("application/problem+json"))
    }

    @Test(arguments: [
        ("GET /" + String(repeating: "x", count: 10_000) + " HTTP/1.1\r\nHost: h\r\n\r\n", 414),
        ("GET /" + String(repeating: "x", count: 40_000) + " HTTP/1.1\r\nHost: h\r\n\r\n", 431),
        ("GET /healthz HTTP/1.1\r\n\r\n", 400),
        ("GET /healthz HTTP/2.0\r\nHost: h\r\n\r\n", 400),
        ("GET /healthz HTTP/9.9\r\nHost: h\r\n\r\n", 400),
        ("GET /healthz\r\n\r\n", 400),
        ("BREW /healthz HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}", 400),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        ("CONNECT example.org:443 HTTP/1.1\r\nHost: h\r\n\r\n", 404),
        ("OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", 404),
        ("GET http://h/healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", 200),
    ])
    func answersOddRequests(text: String, status: Int) async throws {
        let received = try await Daemon().testLive { port in
            try await RawConnection.run([.send(text), .expect("\"status\""), .closeOutput], port: port)
        }
        #expect(RawConnection.statuses(received) == [status])
        if status >= 400 { #expect(received.contains("application/problem+json")) }
    }

    /// Java's client offers HTTP/2 with each request until one is answered by it. No offer is taken, and the requests
    /// after it are answered on the same connection, whether they come with it or later.
    @Test(arguments: [
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
        "Connection: upgrade\r\nUpgrade: websocket\r\n",
    ])
    func keepsTheConnectionAfterAnOfferOfAnotherProtocol(offer: String) async throws {
        let daemon = Daemon()
        let get = "GET /healthz HTTP/1.1\r\nHost: h\r\n\(offer)\r\n"
        let post = Self.post(Self.event, extra: offer)
        let received = try await daemon.testLive { port in
            try await RawConnection.run(
                [
                    .send(post), .expect("\"accepted\":1"), .send(get), .expect("\"status\":\"ok\""),
                    .send(post + get + post + "GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n"), .expect("not_found"),
                    .send(Self.lastGet),
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [200, 200, 200, 200, 200, 404, 200])
        #expect(received.lowercased().ranges(of: "connection: close").count == 1)
        #expect(daemon.sink.batches.count == 3)
    }

    @Test func answersWhatCameBeforeRubbish() async throws {
        let received = try await Daemon().testLive { port in
            try await RawConnection.run([.send(Self.post(Self.event) + "\u{1}rubbish\r\n\r\n")], port: port)
        }
        #expect(RawConnection.statuses(received) == [200, 400])
    }

    @Test func survivesABadChunk() async throws {
        let daemon = Daemon()
        let received = try await daemon.testLive { port in
            try await RawConnection.run(
                [
                    .send(
                        "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.write)\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"
                    )
                ],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [400])
        #expect(daemon.sink.batches.isEmpty)
    }

    @Test(arguments: 0..<40)
    func neverFailsOnRubbish(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let valid = Array((Self.post(Self.event) + Self.lastGet).utf8)
        var bytes = valid
        // Half of the inputs are a request with a few changed bytes; the others are random bytes.
        if seed.isMultiple(of: 2) {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        } else {
            bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let sent = bytes
        let received = try await Daemon().testLive { port in
            try await RawConnection.run([.sendBytes(sent), .closeOutput], port: port)
        }
        #expect(RawConnection.statuses(received).allSatisfy { $0 < 500 })
    }

    @Test func finishesWhatIsInFlightOnShutdown() async throws {
        var daemon = Daemon(sink: RecordingSink(.hang))
        daemon.limits.storeDeadline = .seconds(3600)
        let sink = daemon.sink
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let application = try daemon.makeApplication { _, port in
            continuation.yield(port)
            continuation.finish()
        }
        let group = ServiceGroup(services: [application], logger: application.logger)
        try await withThrowingTaskGroup(of: String?.self) { tasks in
            tasks.addTask {
                try await group.run()
                return nil
            }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            tasks.addTask { try await RawConnection.run([.send(Self.post(Self.event))], port: port) }
            while sink.batches.isEmpty { await Task.yield() }
            await group.triggerGracefulShutdown()
            sink.release()
            for try await received in tasks {
                if let received { #expect(RawConnection.statuses(received) == [200]) }
            }
        }
    }
}
