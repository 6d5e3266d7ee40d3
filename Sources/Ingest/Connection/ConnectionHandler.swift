import InboundLinks
import NIOCore
import NIOHTTP1

/// Performs the decisions of ``ConnectionState``, between the HTTP/1 codec and the other handlers.
///
/// - It answers with a problem document where Hummingbird would answer with an empty 400 or close the connection.
/// - It limits how long a request may take to arrive, and how long a connection may be idle.
/// - It sends `100 Continue` if the sender asks for it.
/// - It closes in a way that lets the sender read the answer.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Outbound event: the body of the current request is wanted.
    struct BodyWanted: Sendable {}

    /// How long a closed connection still reads, so that the sender is not cut off before it has read the answer.
    static let lingerTime = TimeAmount.seconds(2)

    let limits: IngestLimits
    private let serverName: String
    private let codec: RequestCodec?
    /// The handler before the codec.
    private let escaper: TargetEscaper
    private let client: ClientPresence
    let onRefusal: @Sendable (ProblemCode) -> Void
    var state = ConnectionState()
    /// Nil while the handler is not in a pipeline.
    var context: ChannelHandlerContext?
    /// The encoder's context. Whole answers are written there and bypass the encoder, which takes answers in parts.
    private var wire: ChannelHandlerContext?
    var deadline: Scheduled<Void>?
    /// Runs from the first bytes of a head to its end.
    var headDeadline: Scheduled<Void>?
    /// Whether the request that is being received offers to go on in another protocol. No offer is taken.
    private var offersUpgrade = false
    /// Whether a part of a request has arrived since the last `channelReadComplete`.
    private var hasReceivedPart = false
    /// Runs while the channel is not writable, because the sender does not read its answers.
    var writeDeadline: Scheduled<Void>?
    /// Nil while a request is being answered.
    var idleDeadline: Scheduled<Void>?
    var lastActivity = NIODeadline.uptimeNanoseconds(0)
    /// Answers whose end the system has not taken yet. Closing before that would lose them.
    var unwritten = 0
    /// Whether to linger, or to close, once the system has taken them.
    var lingersWhenWritten = false
    var closesWhenWritten = false

    /// - Parameter codec: nil if the parts of requests come from elsewhere, as in tests.
    init(
        limits: IngestLimits,
        serverName: String,
        codec: RequestCodec? = nil,
        escaper: TargetEscaper = TargetEscaper(),
        client: ClientPresence = ClientPresence(),
        onRefusal: @escaping @Sendable (ProblemCode) -> Void
    ) {
        self.limits = limits
        self.serverName = serverName
        self.codec = codec
        self.escaper = escaper
        self.client = client
        self.onRefusal = onRefusal
    }

    func channelActive(context: ChannelHandlerContext) {
        lastActivity = context.eventLoop.now
        scheduleIdleDeadline(context: context)
        context.fireChannelActive()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        wire = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cancelDeadlines()
        self.context = nil
        wire = nil
    }

    // MARK: From the sender

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastActivity = context.eventLoop.now
        hasReceivedPart = true
        switch unwrapInboundIn(data) {
        case .head(var head):
            cancelHeadDeadline()
            offersUpgrade = head.headers.contains(name: "upgrade") && head.method != .CONNECT
            let facts = ConnectionState.Head(head, limits: limits)
            escaper.headEnded(body: facts.body)
            if escaper.isFirstLineText { head.useOriginForm() } else { head.uri = "" }
            switch state.receivedHead(facts) {
            case .forward:
                if facts.isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
                context.fireChannelRead(wrapInboundOut(.head(head)))
            case .drop:
                break
            case .refuse(let problem):
                refuse(problem, context: context)
            }
        case .body(let buffer):
            if case .forward = state.receivedBody(bytes: buffer.readableBytes) { context.fireChannelRead(data) }
        case .end:
            escaper.requestEnded()
            if offersUpgrade { declineUpgrade(context: context) }
            if case .forward = state.receivedEnd() {
                cancelDeadline()
                // Trailer fields are not used, so they are not passed on.
                context.fireChannelRead(wrapInboundOut(.end(nil)))
            }
        }
    }

    private func declineUpgrade(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        codec?.renew(in: context.pipeline).whenSuccess {
            let (handler, context) = bound.value
            // The next request may have come with this one.
            if handler.hasReceivedPart { handler.channelReadComplete(context: context) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The codec holds back a head until it is complete, so bytes without a part are the beginning of one.
        if !hasReceivedPart, state.awaitsHead, headDeadline == nil { scheduleHeadDeadline(context: context) }
        hasReceivedPart = false
        if state.awaitsBody, deadline == nil { scheduleDeadline(context: context) }
        if state.isLingering { context.read() }
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isOverflow = (error as? HTTPParserError) == .headerOverflow
        let isTruncated = (error as? HTTPParserError) == .invalidEOFState
        guard error is HTTPParserError else {
            context.fireErrorCaught(error)
            return
        }
        let problem =
            isOverflow
            ? Problem(.headersTooLarge, "The header fields are too large; send fewer or shorter ones.")
            : Problem(.malformedRequest, "The request is not valid HTTP/1.1 (RFC 9112).")
        let interruption: RequestInterruption =
            isOverflow ? .headersTooLarge : (isTruncated ? .truncated : .malformed)
        perform(state.failed(interruption, orRefuseWith: problem), context: context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            // A lingering connection closes soon anyway.
            if state.quiesce(), !state.isLingering { closeWhenWritten(context: context) }
        } else if let event = event as? ChannelEvent, event == .inputClosed {
            client.leave()
            perform(state.inputClosed(), context: context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            cancelWriteDeadline()
        } else if writeDeadline == nil {
            writeDeadline = schedule(in: TimeAmount(limits.responseWriteTimeout), context: context) {
                handler,
                context in
                handler.writeDeadline = nil
                context.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancelDeadlines()
        if case .interrupt(let interruption) = state.inputClosed() { context.fireErrorCaught(interruption) }
        context.fireChannelInactive()
    }

    // MARK: To the sender

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            switch state.writesHead() {
            case .write:
                context.write(data, promise: promise)
            case .writeLast:
                head.headers.replaceOrAdd(name: "connection", value: "close")
                context.write(wrapOutboundOut(.head(head)), promise: promise)
            case .drop:
                promise?.fail(ChannelError.outputClosed)
            }
        case .body:
            guard state.unanswered > 0, !state.isLingering else {
                promise?.fail(ChannelError.outputClosed)
                return
            }
            context.write(data, promise: promise)
        case .end:
            let end = state.writesEnd()
            switch end {
            case .write, .writeThenRefuse:
                context.write(data, promise: counted(promise, context: context))
            case .writeThenLinger:
                context.writeAndFlush(data, promise: counted(promise, context: context))
            case .drop:
                promise?.fail(ChannelError.outputClosed)
            }
            follow(end, context: context)
        }
    }

    /// Writes the whole answer to the current request.
    func answer(_ reply: Reply, adding field: HeaderField) {
        guard let context else { return }
        let isLast: Bool
        switch state.writesHead() {
        case .write: isLast = false
        case .writeLast: isLast = true
        case .drop: return
        }
        let end = state.writesEnd()
        if case .drop = end { return }
        write(reply, adding: field, isLast: isLast, context: context)
        follow(end, context: context)
    }

    /// Does what follows the end of an answer.
    private func follow(_ end: ConnectionState.EndWriteAction, context: ChannelHandlerContext) {
        switch end {
        case .write:
            lastActivity = context.eventLoop.now
            if idleDeadline == nil { scheduleIdleDeadline(context: context) }
            if state.awaitsBody, deadline == nil { scheduleDeadline(context: context) }
        case .writeThenLinger: linger(context: context)
        case .writeThenRefuse(let problem): refuse(problem, context: context)
        case .drop: break
        }
    }

    func write(
        _ reply: Reply,
        adding field: HeaderField?,
        isLast: Bool,
        context: ChannelHandlerContext
    ) {
        let bytes = reply.encoded(
            serverName: serverName,
            adding: field,
            isLast: isLast,
            allocator: context.channel.allocator
        )
        (wire ?? context).writeAndFlush(NIOAny(IOData.byteBuffer(bytes)), promise: counted(nil, context: context))
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyWanted else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        if state.mayContinue() {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
                promise: nil
            )
        }
        promise?.succeed()
    }
}
