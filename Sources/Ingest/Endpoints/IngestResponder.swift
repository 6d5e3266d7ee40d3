package import Hummingbird
import Events
import HTTPTypes
import Logging
import NIOCore

/// Answers every request that does not write (``WriteHandler``): finds the route, lets its endpoint answer, turns refusals
/// into problem documents, counts.
///
/// Nothing is thrown to Hummingbird, which would make it a 500.
package struct IngestResponder: HTTPResponder {
    let report: ReportEndpoint
    let readiness: any ReadinessProbe
    /// Nil where there are no pages.
    let pages: (any PageResponder)?
    let exposition: @Sendable () -> String
    let metrics: IngestMetrics

    package func respond(to request: Request, context: IngestContext) async -> Response {
        let start = ContinuousClock.now
        let route = Route(path: request.uri.path)
        var response: Response
        var refusal: ProblemCode?
        do throws(Problem) {
            response = try await answer(request, route: route, context: context)
        } catch {
            refusal = error.code
            response = Response(problem: error)
        }
        if request.method == .head { response = response.createHeadResponse() }
        if let requestID = HTTPField.Name("X-Request-Id") { response.headers[requestID] = context.requestID }
        let duration = start.duration(to: .now)
        metrics.answered(
            route,
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
        route: Route?,
        context: IngestContext
    ) async throws(Problem) -> Response {
        guard let route else {
            if let page = await pages?.respond(to: request) { return page }
            throw Problem(.notFound, "Nothing is served under this path.")
        }
        guard route.methods.contains(request.method.rawValue) else { throw .methodNotAllowed(on: route) }
        switch route {
        // Their one method does not come here.
        case .events, .inboundLinks, .feedPosts: throw .methodNotAllowed(on: route)
        case .report(let name): return try await report.respond(to: request, name: name)
        case .health: return Response(status: .ok, contentType: "application/json", text: #"{"status":"ok"}"#)
        case .readiness: return try await respondReadiness()
        case .metrics:
            return Response(
                status: .ok,
                contentType: "text/plain; version=0.0.4; charset=utf-8",
                text: exposition()
            )
        case .description:
            return Response(status: .ok, contentType: "application/yaml", text: OpenAPIDescription.text)
        }
    }

    private func respondReadiness() async throws(Problem) -> Response {
        let readiness = await readiness.readiness()
        guard readiness.isReady else {
            var problem = Problem(.notReady, "Events cannot be stored now.", retryAfter: .seconds(1))
            problem.readiness = readiness
            throw problem
        }
        var json = JSONText()
        json.object {
            $0.member("status", "ready")
            $0.member("details", readiness.details)
        }
        return Response(status: .ok, contentType: "application/json", text: json.text)
    }
}

extension Problem {
    fileprivate static func methodNotAllowed(on route: Route) -> Problem {
        var problem = Problem(.methodNotAllowed, "This path is for \(route.methods.joined(separator: " and ")).")
        problem.allowedMethods = route.methods
        return problem
    }
}
