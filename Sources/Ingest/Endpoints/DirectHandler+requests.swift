import Addresses
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// The requests that write, and the visits.
extension DirectHandler {
    func begin(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
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

    func store(_ request: Request, context: ChannelHandlerContext) throws(Problem) {
        guard let admitted = admitted.take() else { return }
        if isWaiting { admitted.body.ticket.bodyIsWhole() }
        state = .storing
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        try endpoint.store(admitted, to: request.route) { reply in
            // The event loop wakes up once for all requests that one commit answers.
            handler.eventLoop.execute { handler.value.stored(reply, request) }
        }
    }

    func answer(_ visit: RedirectEndpoint.Visit, _ request: Request, context: ChannelHandlerContext) {
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

    func answer(_ request: Request, _ result: Result<Reply, Problem>) {
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
