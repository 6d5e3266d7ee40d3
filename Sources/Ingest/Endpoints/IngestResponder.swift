import Addresses
package import Hummingbird
import HTTPTypes
import Logging

/// Answers every request that ``DirectHandler`` passes on: finds the route, checks the key, lets the endpoint answer,
/// turns refusals into problem documents, counts.
///
/// It throws nothing to Hummingbird, which would answer 500.
package struct IngestResponder: HTTPResponder {
    let keys: KeyGuard
    /// By the positions of their databases.
    let endpoints: [AppEndpoints]
    let directories: [LinkDirectory]
    let proxies: TrustedProxies
    let service: ServiceEndpoint
    /// Nil when there are no pages.
    let pages: (any PageResponder)?
    let connections: OpenConnections
    let metrics: IngestMetrics

    package func respond(to request: Request, context: IngestContext) async -> Response {
        let client = connections.client(of: context.connection)
        let changesNothing = request.method == .get || request.method == .head
        return await CurrentRequest.$id.withValue(context.requestID) {
            await CurrentRequest.$client.withValue(changesNothing ? client : nil) {
                await answer(request, context, for: client)
            }
        }
    }

    private var areLinksLoaded: Bool { directories.allSatisfy(\.contents.isLoaded) }

    private func answer(_ request: Request, _ context: IngestContext, for client: ClientPresence) async -> Response {
        let start = ContinuousClock.now
        let cancelledCount = client.cancelledCount
        let request = pages?.programPath(of: request).map(request.moved) ?? request
        let found = Route.find(request.uri.path)
        var response: Response
        var refusal: ProblemCode?
        do throws(Problem) {
            if let found {
                response = try await answer(request, context, to: found.route, with: found.parameter)
            } else if let page = await self.page(for: request, context),
                // Before the links are known, a page that is missing may be one of them.
                page.status != .notFound || areLinksLoaded
            {
                response = page
            } else if !areLinksLoaded {
                throw Problem(
                    .unavailable,
                    "The short links are not known yet, because the database is unavailable; try again later.",
                    retryAfter: .seconds(1)
                )
            } else {
                let advice = Route.near(request.uri.path).map { " Did you mean \($0.methods[0]) \($0.pattern)?" }
                throw Problem(.notFound, "Nothing is served under this path." + (advice ?? ""))
            }
        } catch {
            refusal = error.code
            response = Response(problem: error)
        }
        if client.cancelledCount > cancelledCount {
            // Nobody reads it. The metrics and the log must not blame the database.
            response = Response(status: HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"))
            refusal = nil
        }
        if request.method == .head { response = response.createHeadResponse() }
        if let requestID = HTTPField.Name("X-Request-Id") { response.headers[requestID] = context.requestID }
        let duration = start.duration(to: .now)
        metrics.answered(
            route: found?.route.pattern,
            status: response.status.code,
            problem: refusal,
            after: duration,
            requestID: context.requestID,
            logger: context.logger
        )
        return response
    }

    private func answer(
        _ request: Request,
        _ context: IngestContext,
        to route: Route,
        with parameter: String
    ) async throws(Problem) -> Response {
        if route.takesAppKeys, let origin = CrossOrigin.origin(ofPreflight: request.head, to: route.methods) {
            do throws(SinkError) {
                if try await keys.authenticator.isKnown(origin: origin) {
                    var response = Response(status: .noContent)
                    response.add(CrossOrigin.preflightFields(for: origin, asking: request.head, to: route.methods))
                    return response
                }
            } catch {
                throw Problem(error)
            }
        }
        guard route.methods.contains(request.method.rawValue) else { throw .methodNotAllowed(on: route) }
        let call = RoutedRequest(
            request: request,
            parameter: parameter,
            query: try QueryString(request.uri.query ?? ""),
            address: proxies.visitor(of: request.headers, from: context.peer)
        )
        switch route.endpoint {
        // Their own methods do not come here.
        case .write, .visit: throw .methodNotAllowed(on: route)
        case .read(let answer):
            let caller = try await admit(request, context, for: .reading)
            return try await acting(as: caller) { () async throws(Problem) in
                try await answer(endpoints[caller.principal.database], call, caller)
            }
        case .keyed(let need, let answer):
            let caller = try await admit(request, context, for: need(request.method))
            do throws(Problem) {
                return try await acting(as: caller) { () async throws(Problem) in
                    try await answer(endpoints[caller.principal.database], call, caller)
                }
            } catch {
                var problem = error
                problem.callerFields = caller.fields
                throw problem
            }
        case .open(let answer): return try await answer(self, call)
        }
    }

    /// Whatever an endpoint changes, the holder of the key has changed.
    private func acting(
        as caller: KeyGuard.Caller,
        _ operation: () async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        let result: Result<Response, Problem> = await keys.authenticator.acting(as: caller.principal) {
            do throws(Problem) {
                return .success(try await operation())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func page(for request: Request, _ context: IngestContext) async -> Response? {
        await pages?.respond(to: request, from: proxies.sender(of: request, from: context.peer))
    }

    private func admit(
        _ request: Request,
        _ context: IngestContext,
        for need: KeyNeed
    ) async throws(Problem) -> KeyGuard.Caller {
        let credentials = KeyGuard.Credentials(
            authorization: request.headers[values: .authorization],
            origins: request.headers[values: .origin]
        )
        let caller = try await keys.admit(credentials, for: need)
        if caller.principal.scope != .app { connections.keep(context.connection) }
        return caller
    }
}

extension Request {
    /// The same request for another path, without a query.
    fileprivate func moved(to path: String) -> Request {
        var head = head
        head.path = path
        return Request(head: head, body: body)
    }
}

extension Problem {
    fileprivate static func methodNotAllowed(on route: Route) -> Problem {
        var problem = Problem(.methodNotAllowed, "This path is for \(route.methods.joined(separator: " and ")).")
        problem.allowedMethods = route.methods
        return problem
    }
}
