import Testing

@testable import Ingest

@Suite("Clients that go away")
struct ClientPresenceTests {
    /// An operation that ends only if it is cancelled.
    @Sendable private static func endlessly() async throws {
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    @Test func endWhatRunsForThem() async throws {
        let client = ClientPresence()
        let (beginnings, beginning) = AsyncStream<Void>.makeStream()
        let asking = Task {
            try await client.reading {
                beginning.yield()
                try await Self.endlessly()
            }
        }
        for await _ in beginnings { break }
        client.leave()
        await #expect(throws: CancellationError.self) { try await asking.value }
        client.leave()
        #expect(client.cancelledCount == 1)
    }

    @Test func beginNothing() async throws {
        let client = ClientPresence(isGone: true)
        await #expect(throws: CancellationError.self) { try await client.reading(Self.endlessly) }
        #expect(client.cancelledCount == 1)
    }

    @Test func leaveWhatHasEndedAsItIs() async throws {
        let client = ClientPresence()
        let value = try await client.reading { 7 }
        #expect(value == 7)
        client.leave()
        #expect(client.cancelledCount == 0)
    }

    /// As before: whoever asks may be cancelled, too.
    @Test func areNotTheOnlyOnesWhoCancel() async throws {
        let client = ClientPresence()
        let asking = Task { try await client.reading(Self.endlessly) }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(client.cancelledCount == 0)
    }

    /// A connection that is closed is not known any more.
    @Test func areGoneWithTheirConnection() {
        final class Connection: Sendable {}
        let connection = Connection()
        let id = ObjectIdentifier(connection)
        let open = OpenConnections(limit: 4)
        let client = ClientPresence()
        open.add(id, of: client) {}
        open.keep(id)
        #expect(open.client(of: id) === client)
        open.remove(id)
        #expect(open.client(of: id).isGone)
        #expect(client.isGone)
    }

    /// On a connection that the client half closes, it can see the answer.
    @Test func freeThePlaceOfTheirReport() async throws {
        let daemon = Daemon()
        let metrics = daemon.metrics
        try await daemon.testLive { port in
            let request =
                "GET /v1/reports/endless HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.read)\r\n\r\n"
            let received = try await RawConnection.run(
                [
                    .send(request),
                    .wait {
                        while !metrics.exposition().contains("tributary_reports_in_flight 1\n") { await Task.yield() }
                    },
                    .closeOutput,
                ],
                port: port
            )
            #expect(RawConnection.statuses(received) == [499])
            // It has gone before its report begins.
            let late = try await RawConnection.run([.send(request), .closeOutput], port: port)
            #expect(RawConnection.statuses(late) == [499])
        }
        let text = metrics.exposition()
        #expect(text.contains("tributary_reports_in_flight 0\n"))
        #expect(text.contains(#"tributary_http_requests_total{route="/v1/reports/{name}",status="499"} 2"#))
        #expect(text.contains(#"tributary_http_problems_total{code="unavailable"} 0"#))
    }

    /// They get what needs no report, and what they have asked to change is changed.
    @Test func loseNothingElse() async throws {
        let daemon = Daemon()
        let body = #"{"slug":"kept"}"#
        let post =
            "POST /v1/links HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.write)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let event = LiveConnectionTests.post(LiveConnectionTests.event)
        let received = try await daemon.testLive { port in
            try await RawConnection.run(
                [.send(post + event + LiveConnectionTests.lastGet), .closeOutput],
                port: port
            )
        }
        #expect(RawConnection.statuses(received) == [201, 200, 200])
        #expect(daemon.sink.batches.count == 1)
    }
}
