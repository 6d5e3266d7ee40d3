import Hummingbird
import InboundLinks
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import Ingest

/// The handler alone, without a socket and without Hummingbird behind it.
@Suite("The handler of writes and visits")
struct DirectHandlerTests {
    private let daemon: Daemon
    private let channel = EmbeddedChannel()
    private let reads = ReadCounter()
    private let gate: AdmissionGate

    init() throws {
        daemon = Daemon(sink: RecordingSink(.hang))
        // Each look at the clock is three seconds later.
        let time = Mutex(ContinuousClock.now)
        gate = AdmissionGate(
            Admission(requestLimit: 10, byteLimit: 1 << 20),
            retryAfter: .seconds(1),
            now: {
                time.withLock { time in
                    time += .seconds(3)
                    return time
                }
            }
        )
        let limits = daemon.limits
        let endpoint = WriteEndpoint(
            keys: KeyGuard(authenticator: daemon.keys, limiter: nil),
            gate: gate,
            appKeyLimits: AppKeyLimits(limits),
            apps: [daemon.apps],
            deadline: Deadline(limits.storeDeadline),
            retention: .seconds(86_400),
            limits: limits,
            metrics: IngestMetrics(daemon.metrics),
            now: { [now = daemon.now] in now }
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let connection = ConnectionHandler(limits: limits, serverName: "test", onRefusal: { _ in })
        try channel.pipeline.syncOperations.addHandlers([
            reads, HTTPResponseEncoder(), connection,
            DirectHandler(
                endpoint: endpoint,
                redirects: RedirectEndpoint(daemon),
                connection: connection,
                logger: logger
            ),
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Counts how often the handler asks for more input.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    private func receive(
        _ method: HTTPMethod,
        _ path: String,
        body: String = "",
        key: String = KnownKeys.write
    ) throws {
        let headers: HTTPHeaders = [
            "Host": "h", "Authorization": "Bearer \(key)", "Content-Length": "\(body.utf8.count)",
        ]
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        if !body.isEmpty { try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: body))) }
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    private func receiveEvent() throws {
        try receive(.POST, "/v1/events", body: WriteEndpointTests.event)
    }

    /// Answers as Hummingbird would.
    private func answerWhatWasPassedOn() throws {
        let head = HTTPResponseHead(version: .http1_1, status: .noContent)
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    /// Lets the sink end the batches that it has.
    private func store() {
        daemon.sink.release()
        channel.embeddedEventLoop.run()
    }

    /// The statuses that have been written since the last call.
    private func statuses() throws -> [UInt] {
        var statuses: [UInt] = []
        while let bytes = try channel.readOutbound(as: IOData.self) {
            guard case .byteBuffer(let buffer) = bytes, buffer.readableBytes > 0 else { continue }
            let words = String(buffer: buffer).split(separator: " ", maxSplits: 2)
            if words.count == 3, words[0] == "HTTP/1.1", let status = UInt(words[1]) { statuses.append(status) }
        }
        return statuses
    }

    /// The targets that have been passed on since the last call.
    private func passedOn() throws -> [String] {
        var targets: [String] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { targets.append(head.uri) }
        }
        return targets
    }

    @Test func answersWhenTheEventsAreStored() throws {
        try receiveEvent()
        #expect(try statuses() == [])
        store()
        #expect(try statuses() == [200])
        #expect(try passedOn() == [])
        #expect(try channel.finish(acceptAlreadyClosed: true).isClean)
    }

    @Test(arguments: ["/v1/events?a=b", "http://h/v1/events", "/v1/inbound-links", "/v1/feed-posts"])
    func answersEveryPathThatWrites(path: String) throws {
        try receive(.POST, path, body: "{}")
        store()
        #expect(try statuses() == [422])
    }

    @Test(arguments: [(HTTPMethod.GET, "/v1/events"), (.POST, "/v1/events/"), (.POST, "/"), (.GET, "/healthz")])
    func passesOnEverythingElse(method: HTTPMethod, path: String) throws {
        try receive(method, path)
        #expect(try passedOn() == [path])
        #expect(try statuses() == [])
    }

    @Test func answersInTheOrderOfTheRequests() throws {
        try receiveEvent()
        try receive(.GET, "/healthz")
        try receiveEvent()
        try receive(.GET, "/metrics")
        #expect(try passedOn() == [])
        #expect(daemon.sink.batches.count == 1)

        store()
        #expect(try statuses() == [200])
        #expect(try passedOn() == ["/healthz"])
        #expect(daemon.sink.batches.count == 1)

        try answerWhatWasPassedOn()
        #expect(try statuses() == [204])
        #expect(try passedOn() == [])
        #expect(daemon.sink.batches.count == 2)

        store()
        #expect(try statuses() == [200])
        #expect(try passedOn() == ["/metrics"])
    }

    @Test func waitsForTheEndOfARequestThatIsAnsweredEarly() throws {
        try channel.writeInbound(
            HTTPServerRequestPart.head(
                HTTPRequestHead(
                    version: .http1_1,
                    method: .PUT,
                    uri: "/nowhere",
                    headers: ["Host": "h", "Content-Length": "4"]
                )
            )
        )
        try answerWhatWasPassedOn()
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "late")))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        try receiveEvent()
        store()
        #expect(try statuses() == [204, 200])
        #expect(try passedOn() == ["/nowhere"])
    }

    @Test func throwsAwayTheBodyOfARequestThatIsRefusedByItsHead() throws {
        try receive(.POST, "/v1/events", body: WriteEndpointTests.event, key: KnownKeys.read)
        #expect(try statuses() == [403])
        try receiveEvent()
        store()
        #expect(try statuses() == [200])
        #expect(daemon.sink.batches.count == 1)
    }

    @Test func stopsReadingOnlyWhileSomethingIsHeld() throws {
        let before = reads.count
        try receiveEvent()
        channel.read()
        #expect(reads.count == before + 1)
        try receive(.GET, "/healthz")
        channel.read()
        channel.read()
        #expect(reads.count == before + 1)
        store()
        #expect(reads.count == before + 2)
    }

    @Test func answersNoFasterThanTheSenderTakesIt() throws {
        try receiveEvent()
        channel.isWritable = false
        store()
        try receiveEvent()
        #expect(daemon.sink.batches.count == 1)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(daemon.sink.batches.count == 2)
        store()
        #expect(try statuses() == [200, 200])
    }

    @Test func tellsOfAClosedSideWhenItsAnswersAreWritten() throws {
        let events = EventRecorder()
        try channel.pipeline.syncOperations.addHandler(events)
        try receiveEvent()
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(events.inputClosed == 0)
        store()
        #expect(events.inputClosed == 1)
    }

    private final class EventRecorder: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        var inputClosed = 0

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed { inputClosed += 1 }
        }
    }

    @Test func answersABodyThatBreaksOff() throws {
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .POST,
            uri: "/v1/events",
            headers: ["Host": "h", "Authorization": "Bearer \(KnownKeys.write)", "Content-Length": "100"]
        )
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "{")))
        channel.pipeline.fireErrorCaught(RequestInterruption.timedOut)
        #expect(try statuses() == [408])
        #expect(daemon.sink.batches.isEmpty)
    }

    @Test func endsABodyThatArrivesSlowlyIfAnotherAppNeedsItsRoom() throws {
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .POST,
            uri: "/v1/events",
            headers: ["Host": "h", "Authorization": "Bearer \(KnownKeys.write)", "Content-Length": "200000"]
        )
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 0x20, count: 100_000)))
        let others = try [8, 9].map { app throws(Problem) in
            try gate.admit(Principal(appNumber: app, appID: "\(app)", scope: .write, keyPrefix: "trib_write"))
        }
        try others[0].cover(900_000)
        try others[1].cover(90_000)
        channel.embeddedEventLoop.run()
        #expect(try statuses() == [503])
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 0x20, count: 100_000)))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        #expect(daemon.sink.batches.isEmpty)
        withExtendedLifetime(others) {}
    }

    @Test func storesForASenderThatHasGone() throws {
        try receiveEvent()
        _ = try channel.finish(acceptAlreadyClosed: true)
        store()
        #expect(daemon.sink.batches.count == 1)
        let answered = "tributary_http_requests_total{route=\"/v1/events\",status=\"200\"} 1\n"
        #expect(daemon.metrics.exposition().contains(answered))
    }
}
