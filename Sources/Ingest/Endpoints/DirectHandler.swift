import Addresses
import Hummingbird
import HummingbirdCore
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
    private struct Request: Sendable {
        let route: Route
        let start = ContinuousClock.now
        let id = RequestID()
        /// What every answer to the holder of the key has.
        var callerFields: [HeaderField] = []
    }

    /// Which component handles the current request, and how far it is.
    private enum State {
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

    private let endpoint: WriteEndpoint
    private let redirects: RedirectEndpoint
    private let connection: ConnectionHandler
    private let onKey: @Sendable () -> Void
    private let logger: Logger
    private var state = State.idle
    /// The request that is being read. Not part of `state`, because there each piece would copy the body.
    private var admitted: WriteEndpoint.Admitted?
    /// Whether the request that is being read may lose its room, because its body did not come with its head.
    private var isWaiting = false
    private var held = CircularBuffer<Input>()
    private var isReadWanted = false
    /// Whether something was passed on since the last `channelReadComplete`.
    private var hasPassedOn = false
    /// Nil once the connection is gone.
    private var context: ChannelHandlerContext?
    /// Asked for once: SwiftNIO ends the program if it asks for the address of a socket that is gone.
    private var peer: SocketAddress?

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
    private func resume(context: ChannelHandlerContext) {
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

    private func passOn(_ part: HTTPServerRequestPart, context: ChannelHandlerContext) {
        hasPassedOn = true
        context.fireChannelRead(wrapInboundOut(part))
    }

    // MARK: Requests that write

    private func begin(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
        guard head.method == .POST, let route = Route.find(URI(head.uri).path)?.route, route.isWrite else {
            if let visit = redirects.visit(head, from: peer) {
                state = .visiting(Request(route: .link), visit)
                return
            }
            if head.hasUnreadableTarget {
                state = .discarding
                answer(Request(route: .none), .failure(.unreadableTarget))
                return
            }
            if let (route, problem) = refusal(of: head) {
                state = .discarding
                answer(Request(route: route), .failure(problem))
                return
            }
            state = .delegated(isReceived: false, isAnswered: false)
            passOn(.head(head), context: context)
            if head.method == .POST || head.method == .PATCH, head.headers.contains(name: "expect") {
                context.triggerUserOutboundEvent(ConnectionHandler.BodyWanted(), promise: nil)
            }
            return
        }
        let request = Request(route: route)
        do throws(Problem) {
            // Nothing in the query counts here, but a query that reads in two ways is refused on every path.
            if let query = URI(head.uri).query { _ = try QueryString(query) }
            // Before the key: by a wrong clock, a key may be expired, and senders give up after a 401.
            _ = try endpoint.time()
            let credentials = KeyGuard.Credentials(head.headers)
            if let caller = try endpoint.keys.admitAtOnce(credentials, for: .event) {
                try read(request, head, of: caller, context: context)
            } else {
                state = .lookingUpKey
                let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
                Task { [keys = endpoint.keys] in
                    let id = request.id.description
                    let caller: Result<KeyGuard.Caller, Problem> = await CurrentRequest.$id.withValue(id) {
                        do throws(Problem) {
                            return .success(try await keys.admit(credentials, for: .event))
                        } catch {
                            return .failure(error)
                        }
                    }
                    handler.eventLoop.execute { handler.value.asked(caller, request, head) }
                }
            }
        } catch {
            state = .discarding
            answer(request, .failure(error))
        }
    }

    private func asked(
        _ caller: Result<KeyGuard.Caller, Problem>,
        _ request: Request,
        _ head: HTTPRequestHead
    ) {
        guard let context else { return }
        do throws(Problem) {
            try read(request, head, of: try caller.get(), context: context)
        } catch {
            state = .discarding
            answer(request, .failure(error))
        }
        resume(context: context)
    }

    private func read(
        _ request: Request,
        _ head: HTTPRequestHead,
        of caller: KeyGuard.Caller,
        context: ChannelHandlerContext
    ) throws(Problem) {
        do throws(Problem) {
            // Only keys for apps are limited by it.
            let address = caller.principal.scope == .app ? address(of: head) : nil
            if caller.principal.scope != .app { onKey() }
            try endpoint.appKeyLimits.admit(caller.principal, from: address)
            admitted = try endpoint.admit(caller, from: address, head.headers, to: request.route)
        } catch {
            var problem = error
            problem.callerFields = caller.fields
            throw problem
        }
        var request = request
        request.callerFields = caller.fields
        isWaiting = false
        state = .reading(request)
        if head.headers.contains(name: "expect") {
            context.triggerUserOutboundEvent(ConnectionHandler.BodyWanted(), promise: nil)
        }
    }

    /// Nil if it is unknown.
    private func address(of head: HTTPRequestHead) -> IPAddress? {
        redirects.proxies.origin(of: head, from: peer.flatMap(IPAddress.init)).visitor
    }

    /// Why a question with a key for apps gets no answer now. Hummingbird does not know where it comes from.
    private func refusal(of head: HTTPRequestHead) -> (route: Route, problem: Problem)? {
        guard let route = Route.find(URI(head.uri).path)?.route, route.takesAppKeys,
            let key = try? PresentedKey(head.headers["authorization"], for: KeyNeed(scopes: [.app])),
            let principal = endpoint.keys.authenticator.principalAtOnce(forKey: key.text), principal.scope == .app
        else { return nil }
        do throws(Problem) {
            try endpoint.appKeyLimits.admit(principal, from: address(of: head))
            return nil
        } catch {
            return (route, error)
        }
    }

    private func store(_ request: Request, context: ChannelHandlerContext) throws(Problem) {
        guard let admitted = admitted.take() else { return }
        if isWaiting { admitted.body.ticket.bodyIsWhole() }
        state = .storing
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        try endpoint.store(admitted, to: request.route) { reply in
            // The event loop wakes up once for all requests that one commit answers.
            handler.eventLoop.execute { handler.value.stored(reply, request) }
        }
    }

    private func answer(_ visit: RedirectEndpoint.Visit, _ request: Request, context: ChannelHandlerContext) {
        state = .storing
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        redirects.answer(visit) { reply in
            handler.eventLoop.execute { handler.value.stored(.success(reply), request) }
        }
    }

    private func stored(_ reply: Result<Reply, Problem>, _ request: Request) {
        state = .idle
        answer(request, reply)
        if let context { resume(context: context) }
    }

    private func answer(_ request: Request, _ result: Result<Reply, Problem>) {
        let reply: Reply
        var refusal: ProblemCode?
        switch result {
        case .success(let success):
            reply = success
        case .failure(var problem):
            if problem.callerFields.isEmpty { problem.callerFields = request.callerFields }
            reply = Reply(problem)
            refusal = problem.code
        }
        let id = request.id.description
        if context != nil { connection.answer(reply, adding: HeaderField("X-Request-Id", id)) }
        endpoint.metrics.answered(
            route: request.route.pattern,
            status: Int(reply.status.code),
            problem: refusal,
            after: request.start.duration(to: .now),
            requestID: id,
            logger: logger
        )
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

extension Problem {
    fileprivate static let unreadableTarget = Problem(
        .malformedRequest,
        "The target of the request is no URL; percent-encode its bytes, as UTF-8."
    )
}

extension KeyGuard.Credentials {
    fileprivate init(_ headers: HTTPHeaders) {
        self.init(authorization: headers["authorization"], origins: headers["origin"])
    }
}
