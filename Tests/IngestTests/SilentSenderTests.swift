import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

@testable import Ingest

/// Senders announce bodies and then are silent.
@Suite("Silent senders")
struct SilentSenderTests {
    struct Heads: CustomTestStringConvertible, Sendable {
        var path: String
        var count: Int
        var announced: Int

        var testDescription: String { "\(count) heads of \(announced) bytes for \(path)" }
    }

    @Test(arguments: [
        Heads(path: "/v1/events", count: 8, announced: 8 << 20),
        Heads(path: "/v1/events", count: 1_024, announced: 64),
        Heads(path: "/v1/links", count: 8, announced: 8 << 20),
        Heads(path: "/v1/links", count: 1_024, announced: 64),
    ])
    func doNotKeepOutOtherApps(heads: Heads) async throws {
        let daemon = Daemon()
        let body = heads.path == "/v1/links" ? #"{"target_url":"https://a.example/"}"# : WriteEndpointTests.event
        try await daemon.application.test(.live) { client in
            let head =
                "POST \(heads.path) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(KnownKeys.otherWrite)\r\n"
                + "Content-Type: application/json\r\nExpect: 100-continue\r\n"
                + "Content-Length: \(heads.announced)\r\n\r\n"
            let silent = try await Self.open(heads.count, sending: head, port: try #require(client.port))
            for _ in 0..<20 {
                let response = try await client.post(heads.path, body)
                #expect(response.status.code / 100 == 2, "\(response.text)")
            }
            for channel in silent { try await channel.close() }
        }
    }

    /// A few kilobytes of gzip become as many bytes as each app may have. The last hundred bytes never come.
    @Test func ofManyAppsDoNotKeepOutOthersByWhatTheirBodiesInflateTo() async throws {
        let apps = 8
        let daemon = Daemon()
        try await daemon.application.test(.live) { client in
            var silent: [any Channel] = []
            for app in 0..<apps {
                let body = gzip(Array(#"{"events":["#.utf8) + Array(repeating: 0x20, count: (30 << 20) >> app))
                let head =
                    "POST /v1/events HTTP/1.1\r\nHost: h\r\n"
                    + "Authorization: Bearer \(KnownKeys.write(ofApp: Int32(100 + app)))\r\n"
                    + "Content-Type: application/json\r\nContent-Encoding: gzip\r\nExpect: 100-continue\r\n"
                    + "Content-Length: \(body.count + 100)\r\n\r\n"
                silent += try await Self.open(1, sending: head, port: try #require(client.port))
                try await silent[app].writeAndFlush(ByteBuffer(bytes: body))
            }
            var held = 0.0
            while held < Double(45 << 20) {
                let metrics = try await client.get("/metrics", key: nil).text
                let line = try #require(
                    metrics.split(separator: "\n").first { $0.hasPrefix("tributary_ingest_in_flight_bytes ") }
                )
                held = try #require(line.split(separator: " ").last.flatMap { Double($0) })
            }
            for _ in 0..<20 {
                let response = try await client.post("/v1/events", WriteEndpointTests.event)
                #expect(response.status == .ok, "\(response.text)")
            }
            for channel in silent { try await channel.close() }
        }
    }

    /// Opens connections, sends a head on each, and waits until each is answered, be it only by 100.
    private static func open(_ count: Int, sending head: String, port: Int) async throws -> [any Channel] {
        let group = MultiThreadedEventLoopGroup.singleton
        let opened = (0..<count).map { _ in
            let answered = group.next().makePromise(of: Void.self)
            return ClientBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(FirstAnswer(answered))
                    }
                }
                .connect(host: "127.0.0.1", port: port)
                .flatMap { channel in
                    channel.writeAndFlush(ByteBuffer(string: head)).flatMap { answered.futureResult }.map { channel }
                }
        }
        return try await EventLoopFuture.whenAllSucceed(opened, on: group.next()).get()
    }
}

/// Fulfills a promise when the first bytes arrive or the connection ends.
private final class FirstAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var answered: EventLoopPromise<Void>?

    init(_ answered: EventLoopPromise<Void>) {
        self.answered = answered
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        answered.take()?.succeed()
    }

    func channelInactive(context: ChannelHandlerContext) {
        answered.take()?.succeed()
    }
}
