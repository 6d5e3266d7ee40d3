import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Answers the requests that write and the visitors of short links, on the event loop of their connection and without a
/// task. All others go to Hummingbird.
///
/// On one connection, one request is answered at a time, here or by Hummingbird, so that answers are sent in the order
/// of the requests. Input that arrives meanwhile is held, and then nothing more is read.
final class DirectHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The facts of a request that its answer, the log and the metrics need.
    struct Request: Sendable {
        let route: Route
        let start = ContinuousClock.now
        let id = RequestID()
        /// What every answer to the holder of the key has.
        var callerFields: [HeaderField] = []
    }

    /// Which component handles the current request, and how far it is.
    enum State {
        case idle
        /// Hummingbird handles it. It ends when it has been received and answered, in either order.
        case delegated(isReceived: Bool, isAnswered: Bool)
        /// The key is being looked up; the body is not wanted yet.
        case lookingUpKey
        case reading(Request)
        /// A visit of a link, whose end has not come yet.
        case visiting(Request, RedirectEndpoint.Visit)
        /// The sink stores the events, or the click.
        case storing
        /// The request was answered before its end; the rest is discarded.
        case discarding
    }

    /// Input, in the order of arrival.
    private enum Input {
        case part(HTTPServerRequestPart)
        case interruption(RequestInterruption)
        /// The sender has closed its side.
        case inputClosed
    }

    let endpoint: WriteEndpoint
    let redirects: RedirectEndpoint
    let connection: ConnectionHandler
    let onKey: @Sendable () -> Void
    let logger: Logger
    var state = State.idle
    /// The request that is being read. Not part of `state`, because there each piece would copy the body.
    var admitted: WriteEndpoint.Admitted?
    /// Whether the request that is being read may lose its room, because its body did not come with its head.
    var isWaiting = false
    private var held = CircularBuffer<Input>()
    private var isReadWanted = false
    /// Whether something was passed on since the last `channelReadComplete`.
    private var hasPassedOn = false
    /// Nil once the connection is gone.
    var context: ChannelHandlerContext?
    /// Asked for once: SwiftNIO ends the program if it asks for the address of a socket that is gone.
    var peer: SocketAddress?

    /// - Parameters:
    ///   - connection: the handler before this one.
    ///   - onKey: called for a request with a valid key that not everyone can read.
    init(
        endpoint: WriteEndpoint,
        redirects: RedirectEndpoint,
        connection: ConnectionHandler,
        onKey: @escaping @Sendable () -> Void = {},
        logger: Logger
    ) {
        self.endpoint = endpoint
        self.redirects = redirects
        self.connection = connection
        self.onKey = onKey
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { peer = context.remoteAddress }
    }

    func channelActive(context: ChannelHandlerContext) {
        peer = context.remoteAddress
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        held.removeAll()
        admitted = nil
        state = .idle
    }

    // MARK: From the sender

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receive(.part(unwrapInboundIn(data)), context: context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let interruption = error as? RequestInterruption {
            receive(.interruption(interruption), context: context)
        } else {
            context.fireErrorCaught(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            // Hummingbird closes the connection when it gets this event, so answers that are due come first.
            receive(.inputClosed, context: context)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !isWaiting, let ticket = admitted?.body.ticket { wait(with: ticket, context: context) }
        passOnReadComplete(context: context)
    }

    private func wait(with ticket: AdmissionTicket, context: ChannelHandlerContext) {
        isWaiting = true
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        ticket.waitForBody { [number = ticket.number] problem in
            handler.eventLoop.execute { handler.value.lostRoom(number, problem) }
        }
    }

    private func lostRoom(_ number: UInt64, _ problem: Problem) {
        guard case .reading(let request) = state, admitted?.body.ticket.number == number else { return }
        admitted = nil
        state = .discarding
        answer(request, .failure(problem))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        resume(context: context)
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        // Also reads while events are stored: the next request seldom comes before the answer, and to stop reading and
        // to start again cost a system call each.
        if held.isEmpty { context.read() } else { isReadWanted = true }
    }

    private func receive(_ input: Input, context: ChannelHandlerContext) {
        if held.isEmpty, mayTake(input, context: context) {
            take(input, context: context)
        } else {
            held.append(input)
        }
    }

    /// Continues with the held input.
    func resume(context: ChannelHandlerContext) {
        while let input = held.first, mayTake(input, context: context) {
            held.removeFirst()
            take(input, context: context)
        }
        passOnReadComplete(context: context)
        if held.isEmpty, isReadWanted {
            isReadWanted = false
            context.read()
        }
    }

    private func passOnReadComplete(context: ChannelHandlerContext) {
        guard hasPassedOn else { return }
        hasPassedOn = false
        context.fireChannelReadComplete()
    }

    /// Whether this input can be handled now.
    private func mayTake(_ input: Input, context: ChannelHandlerContext) -> Bool {
        switch (state, input) {
        // A sender that does not read its answers gets no more.
        case (.idle, .part): context.channel.isWritable
        case (.delegated(let isReceived, _), .part): !isReceived
        case (.idle, _), (.delegated, _), (.reading, _), (.visiting, _), (.discarding, _): true
        case (.lookingUpKey, _), (.storing, _): false
        }
    }

    private func take(_ input: Input, context: ChannelHandlerContext) {
        switch (state, input) {
        case (.idle, .part(.head(let head))):
            begin(head, context: context)
        case (.delegated(_, let isAnswered), .part(let part)):
            if case .end = part { state = isAnswered ? .idle : .delegated(isReceived: true, isAnswered: false) }
            passOn(part, context: context)
        case (.delegated(_, _), .interruption(let interruption)):
            context.fireErrorCaught(interruption)
        case (.reading(let request), .part(let part)):
            do throws(Problem) {
                switch part {
                case .head: break
                case .body(let piece): try admitted?.body.append(piece)
                case .end: try store(request, context: context)
                }
            } catch {
                admitted = nil
                if case .end = part { state = .idle } else { state = .discarding }
                answer(request, .failure(error))
            }
        case (.reading(let request), .interruption(let interruption)):
            admitted = nil
            state = .idle
            answer(request, .failure(interruption.problem))
        case (.visiting(let request, let visit), .part(.end)):
            answer(visit, request, context: context)
        case (.visiting(let request, _), .interruption(let interruption)):
            state = .idle
            answer(request, .failure(interruption.problem))
        case (.discarding, .part(.end)), (.discarding, .interruption):
            state = .idle
        case (_, .inputClosed):
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        // A visit needs no body.
        case (.idle, _), (.visiting, _), (.discarding, _), (.lookingUpKey, _), (.storing, _):
            break
        }
    }

    func passOn(_ part: HTTPServerRequestPart, context: ChannelHandlerContext) {
        hasPassedOn = true
        context.fireChannelRead(wrapInboundOut(part))
    }

    // MARK: What Hummingbird answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
        context.write(data, promise: promise)
        guard isEnd, case .delegated(let isReceived, _) = state else { return }
        state = isReceived ? .idle : .delegated(isReceived: false, isAnswered: true)
        // This answer is flushed before the next request is answered.
        context.flush()
        resume(context: context)
    }
}
