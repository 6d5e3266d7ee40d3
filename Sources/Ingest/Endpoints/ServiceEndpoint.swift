import HummingbirdCore
import HTTPTypes
import JSONReading
import Time

/// The paths for operators: `/healthz`, `/readyz`, `/metrics` and `/openapi.yaml`.
struct ServiceEndpoint: Sendable {
    let probe: any ReadinessProbe
    let exposition: @Sendable () -> String
    let version: String
    let now: @Sendable () -> Timestamp
    /// `openapi.yaml`.
    let apiDescription: String

    func health() -> Response {
        var json = JSONWriter()
        json.object {
            $0.member("status", "ok")
            $0.member("version", version)
            $0.member("now", now().rfc3339)
        }
        return Response(status: .ok, contentType: "application/json", text: json.text)
    }

    func readiness() async throws(Problem) -> Response {
        let readiness = await probe.readiness()
        guard readiness.isReady else {
            var problem = Problem(.notReady, "Events cannot be stored now.", retryAfter: .seconds(1))
            problem.readiness = readiness
            throw problem
        }
        var json = JSONWriter()
        json.object {
            $0.member("status", "ready")
            $0.member("details", readiness.details)
        }
        return Response(status: .ok, contentType: "application/json", text: json.text)
    }

    func metrics() -> Response {
        Response(status: .ok, contentType: "text/plain; version=0.0.4; charset=utf-8", text: exposition())
    }

    func description() -> Response {
        Response(status: .ok, contentType: "application/yaml", text: apiDescription)
    }
}
