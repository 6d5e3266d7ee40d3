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
    private static let lingerTime = TimeAmount.seconds(2)

    private let limits: IngestLimits
    private let serverName: String
    private let codec: RequestCodec?
    /// The handler before the codec.
    private let escaper: TargetEscaper
    private let client: ClientPresence
    private let onRefusal: @Sendable (ProblemCode) -> Void
    private var state = ConnectionState()
    /// Nil while the handler is not in a pipeline.
    private var context: ChannelHandlerContext?
    /// The encoder's context. Whole answers are written there and bypass the encoder, which takes answers in parts.
    private var wire: ChannelHandlerContext?
    private var deadline: Scheduled<Void>?
    /// Runs from the first bytes of a head to its end.
    private var headDeadline: Scheduled<Void>?
    /// Whether the request that is being received offers to go on in another protocol. No offer is taken.
    private var offersUpgrade = false
    /// Whether a part of a request has arrived since the last `channelReadComplete`.
    private var hasReceivedPart = false
    /// Runs while the channel is not writable, because the sender does not read its answers.
    private var writeDeadline: Scheduled<Void>?
    /// Nil while a request is being answered.
    private var idleDeadline: Scheduled<Void>?
    private var lastActivity = NIODeadline.uptimeNanoseconds(0)
    /// Answers whose end the system has not taken yet. Closing before that would lose them.
    private var unwritten = 0
    /// Whether to linger, or to close, once the system has taken them.
    private var lingersWhenWritten = false
    private var closesWhenWritten = false

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

    private func write(
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

    // MARK: Closing

    private func perform(_ action: ConnectionState.FailureAction, context: ChannelHandlerContext) {
        switch action {
        case .none:
            break
        case .interrupt(let interruption):
            cancelDeadline()
            context.fireErrorCaught(interruption)
        case .refuse(let problem):
            refuse(problem, context: context)
        case .close:
            closeWhenWritten(context: context)
        }
    }

    /// A promise that completes when the system has taken the end of an answer.
    private func counted(
        _ promise: EventLoopPromise<Void>?,
        context: ChannelHandlerContext
    ) -> EventLoopPromise<Void> {
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        unwritten += 1
        promise.futureResult.whenComplete { _ in
            let (handler, context) = bound.value
            handler.unwritten -= 1
            guard handler.unwritten == 0 else { return }
            if handler.closesWhenWritten, handler.state.unanswered == 0 {
                context.close(promise: nil)
            } else if handler.lingersWhenWritten {
                handler.lingersWhenWritten = false
                handler.linger(context: context)
            }
        }
        return promise
    }

    /// Closes for another connection, also if a body is still to come, or if the sender does not read its answers.
    ///
    /// - Returns: false if an answer is due. The connection closes after it.
    func makeRoom() -> Bool {
        guard let context else { return true }
        guard state.isIdle || unwritten > 0 || !context.channel.isWritable else { return state.quiesce() }
        context.close(promise: nil)
        return true
    }

    private func closeWhenWritten(context: ChannelHandlerContext) {
        guard unwritten > 0 else { return context.close(promise: nil) }
        closesWhenWritten = true
        if deadline == nil { scheduleClosing(in: TimeAmount(limits.responseWriteTimeout), context: context) }
    }

    private func refuse(_ problem: Problem, context: ChannelHandlerContext) {
        onRefusal(problem.code)
        write(Reply(problem), adding: nil, isLast: true, context: context)
        linger(context: context)
    }

    /// Closes our side, and the whole connection later. To close it now, with unread bytes of the sender, would reset
    /// it, and the answer would be lost.
    private func linger(context: ChannelHandlerContext) {
        if unwritten > 0 {
            lingersWhenWritten = true
            scheduleClosing(in: TimeAmount(limits.responseWriteTimeout), context: context)
        } else {
            context.close(mode: .output, promise: nil)
            scheduleClosing(in: Self.lingerTime, context: context)
        }
        context.read()
    }

    private func scheduleClosing(in delay: TimeAmount, context: ChannelHandlerContext) {
        cancelDeadline()
        deadline = schedule(in: delay, context: context) { handler, context in
            handler.deadline = nil
            context.close(promise: nil)
        }
    }

    private func scheduleDeadline(context: ChannelHandlerContext) {
        deadline = schedule(in: TimeAmount(limits.requestReadTimeout), context: context) { handler, context in
            handler.deadline = nil
            let problem = RequestInterruption.timedOut.problem
            handler.perform(handler.state.failed(.timedOut, orRefuseWith: problem), context: context)
        }
    }

    private func scheduleHeadDeadline(context: ChannelHandlerContext) {
        // Else the connection could be closed as idle before the sender is told why.
        lastActivity = context.eventLoop.now
        headDeadline = schedule(in: TimeAmount(limits.requestReadTimeout), context: context) { handler, context in
            handler.headDeadline = nil
            let problem = Problem(.requestTimeout, "The head took too long to arrive; send the request again.")
            handler.perform(handler.state.failed(.timedOut, orRefuseWith: problem), context: context)
        }
    }

    private func scheduleIdleDeadline(context: ChannelHandlerContext) {
        let limit = TimeAmount(limits.idleTimeout)
        let idleTime = context.eventLoop.now - lastActivity
        idleDeadline = schedule(in: limit - idleTime, context: context) { handler, context in
            handler.idleDeadline = nil
            guard handler.state.isIdle else { return }
            if context.eventLoop.now - handler.lastActivity >= limit {
                handler.closeWhenWritten(context: context)
            } else {
                handler.scheduleIdleDeadline(context: context)
            }
        }
    }

    private func schedule(
        in delay: TimeAmount,
        context: ChannelHandlerContext,
        _ action: @escaping @Sendable (ConnectionHandler, ChannelHandlerContext) -> Void
    ) -> Scheduled<Void> {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        return context.eventLoop.scheduleTask(in: delay) {
            let (handler, context) = bound.value
            action(handler, context)
        }
    }

    private func cancelWriteDeadline() {
        writeDeadline?.cancel()
        writeDeadline = nil
    }

    private func cancelDeadlines() {
        cancelDeadline()
        cancelHeadDeadline()
        cancelWriteDeadline()
        idleDeadline?.cancel()
        idleDeadline = nil
    }

    private func cancelHeadDeadline() {
        headDeadline?.cancel()
        headDeadline = nil
    }

    private func cancelDeadline() {
        deadline?.cancel()
        deadline = nil
    }
}
