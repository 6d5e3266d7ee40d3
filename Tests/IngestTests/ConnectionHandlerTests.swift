import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Ingest

/// The handler alone, with its own clock.
@Suite("The handler of connections")
struct ConnectionHandlerTests {
    private let channel = EmbeddedChannel()
    private let idleTimeout = TimeAmount.seconds(75)

    init() throws {
        try Self.addHandler(to: channel, requestReadTimeout: .seconds(1_000))
    }

    private static func addHandler(to channel: EmbeddedChannel, requestReadTimeout: Duration) throws {
        var limits = IngestLimits()
        limits.idleTimeout = .seconds(75)
        limits.requestReadTimeout = requestReadTimeout
        try channel.pipeline.syncOperations.addHandler(
            ConnectionHandler(limits: limits, serverName: "test", onRefusal: { _ in })
        )
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func wait(_ time: TimeAmount) {
        channel.embeddedEventLoop.advanceTime(by: time)
    }

    private func receiveHeadOfAPost(on channel: EmbeddedChannel? = nil) throws {
        let channel = channel ?? self.channel
        let headers: HTTPHeaders = ["Host": "h", "Content-Length": "9"]
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/", headers: headers)
        try channel.writeInbound(HTTPServerRequestPart.head(head))
    }

    private func receiveRequest(on channel: EmbeddedChannel? = nil) throws {
        let channel = channel ?? self.channel
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "h"])
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    private func answer(on channel: EmbeddedChannel? = nil) throws {
        let channel = channel ?? self.channel
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
        try receiveHeadOfAPost()
        wait(idleTimeout - .nanoseconds(1))
        #expect(channel.isActive)
        wait(.nanoseconds(1))
        #expect(!channel.isActive)
    }

    /// Nothing is read until the earlier request is answered, so the sender is not late until then.
    @Test func givesABodyTheWholeTimeFromTheAnswerBefore() throws {
        let channel = EmbeddedChannel()
        try Self.addHandler(to: channel, requestReadTimeout: .seconds(30))
        try receiveRequest(on: channel)
        try receiveHeadOfAPost(on: channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2_000))
        try answer(on: channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(30) - .nanoseconds(1))
        try channel.throwIfErrorCaught()
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(throws: RequestInterruption.timedOut) { try channel.throwIfErrorCaught() }
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

    /// Behind the real codec, because it holds back a head until it is complete.
    @Suite("The handler of connections, whose heads come slowly")
    struct SlowHeads {
        private let channel = EmbeddedChannel()
        private let limits = IngestLimits()

        init() throws {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
            try pipeline.addHandler(ConnectionHandler(limits: limits, serverName: "test", onRefusal: { _ in }))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        private func receive(_ text: String) throws {
            try channel.writeInbound(ByteBuffer(string: text))
        }

        private func wait(_ time: TimeAmount) {
            channel.embeddedEventLoop.advanceTime(by: time)
        }

        private func expect408() throws {
            let answer = try #require(try channel.readOutbound(as: ByteBuffer.self))
            #expect(String(buffer: answer).hasPrefix("HTTP/1.1 408 "))
            #expect(String(buffer: answer).contains("The head took too long to arrive"))
            // Closes after a moment in which the sender can read the answer.
            wait(.seconds(2))
            #expect(!channel.isActive)
        }

        @Test func areRefusedLikeSlowBodies() throws {
            wait(.seconds(70))
            try receive("GET / HTTP/1.1\r\nHo")
            // A byte now and then does not help.
            for _ in 0..<29 {
                wait(.seconds(1))
                try receive("s")
            }
            wait(.seconds(1) - .nanoseconds(1))
            #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
            wait(.nanoseconds(1))
            try expect408()
        }

        @Test func areRefusedAfterARequestTooAndThenFromTheirFirstByte() throws {
            try receive("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
            while try channel.readOutbound(as: ByteBuffer.self) != nil {}
            wait(.seconds(70))
            #expect(channel.isActive)
            try receive("GET")
            wait(.seconds(29))
            #expect(channel.isActive)
            wait(.seconds(1))
            try expect408()
        }

        @Test func areTakenInTime() throws {
            try receive("GET / HTTP/1.1\r\n")
            wait(.seconds(29))
            try receive("Host: h\r\n\r\n")
            wait(.seconds(1_000))
            #expect(channel.isActive)
            #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        }
    }

    /// A sender that reads its answers slowly gets all of them: closing does not lose bytes that the system has not
    /// taken.
    @Suite("The handler of connections, whose answers are taken slowly")
    struct SlowlyTakenAnswers {
        /// Takes the place of the socket.
        private final class Socket: ChannelOutboundHandler {
            typealias OutboundIn = HTTPServerResponsePart

            private(set) var closings: [CloseMode] = []
            private var untaken: [EventLoopPromise<Void>?] = []

            func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
                untaken.append(promise)
            }

            func flush(context: ChannelHandlerContext) {}

            func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
                closings.append(mode)
                promise?.succeed()
            }

            func takeAll() {
                let taken = untaken
                untaken = []
                for promise in taken { promise?.succeed() }
            }
        }

        private let channel = EmbeddedChannel()
        private let socket = Socket()
        private let limits = IngestLimits()

        init() throws {
            try channel.pipeline.syncOperations.addHandlers([
                socket, ConnectionHandler(limits: limits, serverName: "test", onRefusal: { _ in }),
            ])
            channel.pipeline.fireChannelActive()
        }

        private func request(_ headers: HTTPHeaders = ["Host": "h"]) throws {
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers)
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }

        private func answer() {
            channel.write(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)), promise: nil)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }

        @Test func areTakenBeforeTheConnectionCloses() throws {
            try request(["Host": "h", "Connection": "close"])
            answer()
            channel.embeddedEventLoop.advanceTime(by: .seconds(60))
            #expect(socket.closings.isEmpty)
            socket.takeAll()
            #expect(socket.closings == [.output])
            channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(socket.closings == [.output, .all])
        }

        @Test func areTakenBeforeTheSendersOwnClosingIsFollowed() throws {
            try request(["Host": "h", "Connection": "close"])
            answer()
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(socket.closings.isEmpty)
            socket.takeAll()
            #expect(socket.closings == [.all])
        }

        @Test func areTakenBeforeTheDaemonStops() throws {
            try request()
            answer()
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            #expect(socket.closings.isEmpty)
            socket.takeAll()
            #expect(socket.closings == [.all])
        }

        @Test func areWaitedForSoLongAndNoLonger() throws {
            try request(["Host": "h", "Connection": "close"])
            answer()
            channel.embeddedEventLoop.advanceTime(by: TimeAmount(limits.responseWriteTimeout))
            #expect(socket.closings == [.all])
        }
    }
}
