import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Ingest

/// The handler alone, under a clock of its own.
@Suite("The handler of connections")
struct ConnectionHandlerTests {
    private let channel = EmbeddedChannel()
    private let idleTimeout = TimeAmount.seconds(75)

    init() throws {
        var limits = IngestLimits()
        limits.idleTimeout = .seconds(75)
        limits.requestReadTimeout = .seconds(1_000)
        try channel.pipeline.syncOperations.addHandler(
            ConnectionHandler(limits: limits, serverName: "test", onRefusal: { _ in })
        )
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func wait(_ time: TimeAmount) {
        channel.embeddedEventLoop.advanceTime(by: time)
    }

    private func receiveRequest() throws {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "h"])
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    private func answer() throws {
        let head = HTTPResponseHead(version: .http1_1, status: .ok)
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    @Test func closesAConnectionOnWhichNothingComes() {
        wait(idleTimeout - .nanoseconds(1))
        #expect(channel.isActive)
        wait(.nanoseconds(1))
        #expect(!channel.isActive)
    }

    @Test func countsFromTheLastAnswer() throws {
        wait(.seconds(70))
        try receiveRequest()
        wait(.seconds(1_000))
        #expect(channel.isActive)
        try answer()
        wait(idleTimeout - .nanoseconds(1))
        #expect(channel.isActive)
        wait(.nanoseconds(1))
        #expect(!channel.isActive)
    }

    @Test func countsFromTheLastPartOfARequest() throws {
        wait(.seconds(70))
        try channel.writeInbound(
            HTTPServerRequestPart.head(
                HTTPRequestHead(
                    version: .http1_1,
                    method: .POST,
                    uri: "/",
                    headers: ["Host": "h", "Content-Length": "9"]
                )
            )
        )
        wait(idleTimeout - .nanoseconds(1))
        #expect(channel.isActive)
        wait(.nanoseconds(1))
        #expect(!channel.isActive)
    }

    @Test func closesAtOnceWhenTheDaemonStops() {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!channel.isActive)
    }

    @Test func answersFirstWhenTheDaemonStops() throws {
        try receiveRequest()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(channel.isActive)
        try answer()
        guard case .head(let head) = try channel.readOutbound(as: HTTPServerResponsePart.self) else {
            Issue.record("no answer")
            return
        }
        #expect(head.headers["connection"] == ["close"])
    }
}
