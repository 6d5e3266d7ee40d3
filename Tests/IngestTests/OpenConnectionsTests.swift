import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Ingest

@Suite("Open connections")
final class OpenConnectionsTests: Sendable {
    private final class Connection: Sendable {}

    private let connections = (0..<4).map { _ in Connection() }
    private let open = OpenConnections(limit: 4)
    private let closed = Mutex<[Int]>([])

    private func add(_ number: Int, isBusy: Bool = false) {
        open.add(ObjectIdentifier(connections[number])) { [self] in
            closed.withLock { $0.append(number) }
            if isBusy { open.makeRoom() }
        }
    }

    @Test func makeRoomWhenTheLastPlaceIsTakenAndTheOldestFirst() {
        for number in 0..<3 {
            open.connectionOpened()
            add(number)
        }
        #expect(closed.withLock { $0 } == [])
        open.connectionOpened()
        #expect(!open.isAcceptingNewConnections())
        #expect(closed.withLock { $0 } == [0])
        open.connectionClosed()
        #expect(open.isAcceptingNewConnections())
    }

    @Test func keepThoseThatHaveShownAKey() {
        for number in 0..<3 {
            open.connectionOpened()
            add(number)
        }
        open.keep(ObjectIdentifier(connections[0]))
        open.connectionOpened()
        #expect(closed.withLock { $0 } == [1])
    }

    @Test func closeAnotherOneWhileTheOldestIsAnswered() {
        for number in 0..<3 {
            open.connectionOpened()
            add(number, isBusy: number == 0)
        }
        open.connectionOpened()
        #expect(closed.withLock { $0 } == [0, 1])
    }

    /// All that somebody without a key can hold. What is answered is not read.
    @Test(arguments: [
        "",
        "POST /v1/events HTT",
        "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n",
        "POST /v1/events HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.app)\r\n\r\n",
        String(repeating: "GET /openapi.yaml HTTP/1.1\r\nHost: h\r\n\r\n", count: 50),
    ])
    func letInWhoeverHasAKey(text: String) async throws {
        var daemon = Daemon()
        daemon.limits.connections = 8
        try await daemon.testLive { port in
            let silent = try await Self.open(12, sending: text, port: port)
            for _ in 0..<12 {
                let request = LiveConnectionTests.post(LiveConnectionTests.event, close: true)
                let received = try await RawConnection.run([.send(request)], port: port)
                #expect(RawConnection.statuses(received) == [200])
            }
            for channel in silent { try? await channel.close() }
        }
    }

    @Test(arguments: [
        LiveConnectionTests.post(LiveConnectionTests.event),
        "GET /v1/links HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.read)\r\n\r\n",
    ])
    func keepOneOfAKeyHowManyOthersCome(request: String) async throws {
        var daemon = Daemon()
        daemon.limits.connections = 4
        try await daemon.testLive { port in
            let received = try await RawConnection.run(
                [
                    .send(request), .expect("\r\n\r\n{"),
                    .wait {
                        // Each is answered, so it was accepted.
                        for _ in 0..<8 {
                            let text = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"
                            _ = try await Self.open(1, sending: text, port: port)
                            _ = try await RawConnection.run([.send(LiveConnectionTests.lastGet)], port: port)
                        }
                    },
                    .send(LiveConnectionTests.lastGet),
                ],
                port: port
            )
            #expect(RawConnection.statuses(received) == [200, 200])
        }
    }

    private static func open(_ count: Int, sending text: String, port: Int) async throws -> [any Channel] {
        var channels: [any Channel] = []
        for _ in 0..<count {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.autoRead, value: false)
                .connect(host: "127.0.0.1", port: port).get()
            if !text.isEmpty { try? await channel.writeAndFlush(ByteBuffer(string: text)) }
            channels.append(channel)
        }
        return channels
    }
}
