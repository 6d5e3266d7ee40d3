import HTTPTypes
import HummingbirdTesting
import JSONReading
import NIOCore
import Testing

@testable import Ingest

@Suite("Routes for operators")
struct ServiceRoutesTests {
    /// What a query says twice, or cannot say, is refused wherever it is sent.
    @Test func refuseBadQueries() async throws {
        try await Daemon().test { client in
            for path in ["/v1/reports/channels", "/healthz", "/readyz", "/metrics", "/openapi.yaml", "/v1/events"] {
                for (query, code) in [
                    ("app=%00", "malformed_request"), ("app=a&app=b", "invalid_parameter"),
                    ("app=a&%61pp=b", "invalid_parameter"),
                ] {
                    let response =
                        path == "/v1/events"
                        ? try await client.post("\(path)?\(query)", #"{"type":"install","device_id":"d"}"#)
                        : try await client.get("\(path)?\(query)")
                    #expect(response.status == .badRequest, "\(path)?\(query)")
                    #expect(response.text.contains("\"code\":\"\(code)\""), "\(path)?\(query): \(response.text)")
                }
            }
        }
    }

    @Test func isAlive() async throws {
        try await Daemon().test { client in
            let response = try await client.get("/healthz", key: nil)
            #expect(response.status == .ok)
            #expect(response.text == #"{"status":"ok","version":"1.2.3","now":"2026-11-21T12:00:00Z"}"#)
            #expect(response.headers[.cacheControl] == "no-store")
        }
    }

    @Test func isReady() async throws {
        try await Daemon().test { client in
            let response = try await client.get("/readyz", key: nil)
            #expect(response.text == #"{"status":"ready","details":{"database":true,"spool_bytes":0}}"#)
        }
    }

    @Test func tellsWhyItIsNotReady() async throws {
        let readiness = FixedReadiness(
            value: Readiness(reasons: ["the database is away"], details: [("since", .text("2026-11-21T12:00:00Z"))])
        )
        try await Daemon(readiness: readiness).test { client in
            let response = try await client.get("/readyz", key: nil)
            let answer = try expectProblem(response, "not_ready", 503)
            #expect(response.headers[.retryAfter] == "1")
            #expect(answer["reasons"]?.count == 1)
            #expect(answer["details"]?["since"]?.string == "2026-11-21T12:00:00Z")
        }
    }

    @Test(arguments: [
        ("/v1/event", "POST /v1/events"), ("/v1/events/", "POST /v1/events"), ("/v1/Events", "POST /v1/events"),
        ("/v1/inbound-link", "POST /v1/inbound-links"), ("/v1/feedposts", "POST /v1/feed-posts"),
        ("/v1/report/refs", "GET /v1/reports/{name}"), ("//metrics", "GET /metrics"), ("/health", "GET /healthz"),
    ])
    func namesTheRouteThatWasMeant(path: String, route: String) async throws {
        try await Daemon().test { client in
            let answer = try expectProblem(try await client.get(path, key: nil), "not_found", 404)
            #expect(answer["detail"]?.string == "Nothing is served under this path. Did you mean \(route)?")
        }
    }

    @Test(arguments: ["/nothing", "/v9", "/a/b/c/d", "/" + String(repeating: "x", count: 900)])
    func guessesNoRoute(path: String) async throws {
        try await Daemon().test { client in
            let answer = try expectProblem(try await client.get(path, key: nil), "not_found", 404)
            #expect(answer["detail"]?.string == "Nothing is served under this path.")
        }
    }

    @Test func describesItself() async throws {
        try await Daemon().test { client in
            let response = try await client.get("/openapi.yaml", key: nil)
            #expect(response.headers[.contentType] == "application/yaml")
            #expect(response.text.hasPrefix("openapi: 3.1.0\n"))
        }
    }

    @Test(arguments: ["/", "/v1/event", "/v1/reports/", "/favicon.ico", "/../etc/passwd", "/%00"])
    func knowsNoOtherPath(path: String) async throws {
        try await Daemon().test { client in
            let response = try await client.get(path)
            try expectProblem(response, "not_found", 404)
        }
    }

    @Test(arguments: [
        ("/v1/events", "POST", [HTTPRequest.Method.get, .head, .put, .delete, .options, .patch, .trace]),
        ("/v1/inbound-links", "POST", [.get]),
        ("/v1/feed-posts", "POST", [.get]),
        ("/v1/reports/channels", "GET, HEAD", [.post, .delete]),
        ("/healthz", "GET, HEAD", [.post]),
        ("/readyz", "GET, HEAD", [.post]),
        ("/metrics", "GET, HEAD", [.post]),
        ("/openapi.yaml", "GET, HEAD", [.put]),
    ])
    func tellsWhichMethodsAPathKnows(path: String, allow: String, methods: [HTTPRequest.Method]) async throws {
        try await Daemon().test { client in
            for method in methods {
                let response = try await client.execute(uri: path, method: method)
                #expect(response.status == .methodNotAllowed)
                #expect(response.headers[.allow] == allow)
                if method != .head { try expectProblem(response, "method_not_allowed", 405) }
            }
        }
    }

    @Test(arguments: ["/healthz", "/readyz", "/metrics", "/openapi.yaml"])
    func answersHEAD(path: String) async throws {
        try await Daemon().test { client in
            let response = try await client.get(path, method: .head)
            #expect(response.status == .ok)
            #expect(response.body.readableBytes == 0)
            #expect(response.headers[.contentLength].flatMap { Int($0) } ?? 0 > 0)
        }
    }

    @Test func namesEachRequest() async throws {
        try await Daemon().test { client in
            let name = try #require(HTTPField.Name("X-Request-Id"))
            let first = try await client.get("/healthz")
            let second = try await client.get("/nowhere")
            #expect(first.headers[name] != nil)
            #expect(second.headers[name] != nil)
            #expect(first.headers[name] != second.headers[name])
        }
    }
}
