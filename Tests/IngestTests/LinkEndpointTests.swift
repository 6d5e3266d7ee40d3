import HTTPTypes
import HummingbirdCore
import HummingbirdTesting
import JSONReading
import NIOCore
import RandomTesting
import Redirects
import Synchronization
import Testing

@testable import Ingest

@Suite("Links over HTTP")
struct LinkEndpointTests {
    private static let target = "https://www.example.com/"

    private static func send(
        _ client: any TestClientProtocol,
        _ method: HTTPRequest.Method,
        _ uri: String,
        _ body: String? = nil
    ) async throws -> TestResponse {
        try await client.execute(
            uri: uri,
            method: method,
            headers: [.authorization: "Bearer \(KnownKeys.write)", .contentType: "application/json"],
            body: body.map { ByteBuffer(string: $0) }
        )
    }

    /// Half of the room is held by a body that never ends. Another app needs a half.
    @Test func givesTheRoomOfASlowBodyToAnotherApp() async throws {
        // Each look at the clock is three seconds later.
        let time = Mutex(ContinuousClock.now)
        let held = AsyncStream<Int>.makeStream()
        let gate = AdmissionGate(
            Admission(requestLimit: 10, byteLimit: 1_000),
            retryAfter: .seconds(1),
            onChange: { held.continuation.yield($0.bytes) },
            now: {
                time.withLock { time in
                    time += .seconds(3)
                    return time
                }
            }
        )
        let endpoint = LinkEndpoint(
            room: AnswerAdmission(gate: gate, deadline: Deadline(.seconds(60)), isAway: { _ in false }),
            source: MemoryLinks(),
            limits: IngestLimits()
        )
        let body = AsyncStream<ByteBuffer>.makeStream()
        let head = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "h",
            path: "/v1/links",
            headerFields: [.contentType: "application/json"]
        )
        let request = Request(head: head, body: RequestBody(asyncSequence: body.stream))
        let call = RoutedRequest(request: request, parameter: "", query: try QueryString(""), address: nil)
        let slow = Principal(appNumber: 1, appID: "1", scope: .write, keyPrefix: "slow")
        let other = Principal(appNumber: 2, appID: "2", scope: .write, keyPrefix: "other")
        let answer = Task { () -> Problem? in
            do throws(Problem) {
                _ = try await endpoint.links(call, for: KeyGuard.Caller(principal: slow, fields: []))
                return nil
            } catch {
                return error
            }
        }
        body.continuation.yield(ByteBuffer(repeating: 0x20, count: 900))
        for await bytes in held.stream where bytes == 900 { break }
        // Its end is registered by now or soon.
        while (try? gate.admit(other).cover(500)) == nil { await Task.yield() }
        #expect(await answer.value?.code == .overloaded)
    }

    @Test func createsReadsChangesAndDeletesOne() async throws {
        try await Daemon().test { client in
            let created = try await client.post(
                "/v1/links",
                #"{"slug":"abc","host":null,"target_url":"\#(Self.target)","ref":"a, b","note":"mine"}"#
            )
            #expect(created.status == .created)
            let link = try Answer(created)
            #expect(link["slug"]?.string == "abc")
            #expect(link["url"]?.string == "https://go.example/abc")
            #expect(link["ref"].map { $0.elements.map(\.string) } == ["a", "b"])
            #expect(created.text.contains(#""ref":["a","b"],"#))

            #expect(try await client.get("/v1/links/abc").text == created.text)
            let changed = try await Self.send(client, .patch, "/v1/links/abc", #"{"note":null,"title":"New"}"#)
            #expect(changed.status == .ok)
            #expect(try Answer(changed)["note"]?.kind == .null)
            #expect(try Answer(changed)["title"]?.string == "New")
            #expect(try Answer(changed)["target_url"]?.string == Self.target)

            let deleted = try await Self.send(client, .delete, "/v1/links/abc")
            #expect(deleted.status == .noContent)
            #expect(deleted.body.readableBytes == 0)
            for method in [HTTPRequest.Method.patch, .delete] {
                try expectProblem(
                    try await Self.send(client, method, "/v1/links/abc", method == .patch ? "{}" : nil),
                    "unknown_link",
                    404
                )
            }
            try expectProblem(try await client.get("/v1/links/abc"), "unknown_link", 404)
        }
    }

    @Test func createsTheValidOnesOfAList() async throws {
        try await Daemon().test { client in
            let body = #"""
                [{"slug":"a"}, {"slug":"a"}, {"slug":"v1"}, 7, {"slug":"b","taget_url":"x"}, {"slug":"c","ref":7}, {"slug":"d"}]
                """#
            for body in [
                body, #"{"links":\#(body.replacing("\"d\"", with: "\"e\"").replacing("\"a\"", with: "\"f\""))}"#,
            ] {
                let response = try await client.post("/v1/links", body)
                #expect(response.status == .created)
                let answer = try Answer(response)
                #expect(answer.number("created") == 2)
                #expect(answer.number("reused") == 0)
                #expect(
                    answer["links"].map { $0.elements.map { $0.kind == .null } } == [
                        false, true, true, true, true, true, false,
                    ]
                )
                #expect(answer.texts("rejected", "index") == ["1", "2", "3", "4", "5"])
                #expect(
                    answer.texts("rejected", "code")
                        == ["slug_taken", "reserved_slug", "invalid_type", "unknown_field", "invalid_type"]
                )
                #expect(answer.texts("rejected", "field") == ["slug", "slug", "links", "taget_url", "ref"])
            }
        }
    }

    @Test func answers200IfAllAreThere() async throws {
        try await Daemon().test { client in
            #expect(try await client.post("/v1/links", #"[{"slug":"a"}]"#).status == .created)
            let again = try await client.post("/v1/links?reuse=true", #"[{"slug":"a"}]"#)
            #expect(again.status == .ok)
            #expect(try Answer(again).number("reused") == 1)
            let single = try await client.post("/v1/links?reuse=true", #"{"slug":"a"}"#)
            #expect(single.status == .ok)
            #expect(try Answer(single)["slug"]?.string == "a")
        }
    }

    @Test func refusesASingleOneWithItsField() async throws {
        try await Daemon().test { client in
            _ = try await client.post("/v1/links", #"{"slug":"a"}"#)
            let taken = try expectProblem(try await client.post("/v1/links", #"{"slug":"a"}"#), "slug_taken", 409)
            #expect(taken["field"]?.string == "slug")
            let wrong = try expectProblem(
                try await client.post("/v1/links", #"{"slug":"a","slug":"b"}"#),
                "invalid_link",
                422
            )
            #expect(wrong["field"]?.string == "slug")
            #expect(wrong.texts("rejected", "code") == ["duplicate_field"])
            let none = try expectProblem(try await client.post("/v1/links", #"[{"slug":"a"}]"#), "invalid_link", 422)
            #expect(none.texts("rejected", "code") == ["slug_taken"])
            let change = try await Self.send(client, .patch, "/v1/links/a", #"{"fallback":"moon"}"#)
            #expect(try expectProblem(change, "invalid_link", 422)["field"]?.string == "fallback")
        }
    }

    @Test(arguments: [
        ("", "malformed_body", 400), ("7", "malformed_body", 400), ("{", "malformed_body", 400),
        ("[]", "empty_batch", 400), (#"{"links":[]}"#, "empty_batch", 400),
        (#"{"links":{}}"#, "invalid_field", 400), (#"{"links":[{}],"reuse":true}"#, "unknown_field", 400),
        ("[" + String(repeating: "{},", count: 1_000) + "{}]", "too_many_links", 413),
    ])
    func refusesOtherBodies(body: String, code: String, status: Int) async throws {
        try await Daemon().test { client in
            try expectProblem(try await client.post("/v1/links", body), code, status)
        }
    }

    @Test func boundsTheBody() async throws {
        var daemon = Daemon()
        daemon.limits.bodyBytes = 100
        daemon.limits.inflatedBodyBytes = 1_000
        try await daemon.test { client in
            let large = #"{"note":"\#(String(repeating: "x", count: 100))"}"#
            try expectProblem(try await client.post("/v1/links", large), "body_too_large", 413)
            let bomb = gzip(Array(String(repeating: " ", count: 5_000).utf8))
            try expectProblem(
                try await client.post(
                    "/v1/links",
                    ByteBuffer(bytes: bomb),
                    headers: [.contentEncoding: "gzip"]
                ),
                "inflated_body_too_large",
                413
            )
            try expectProblem(
                try await client.post("/v1/links", "{}", type: "text/plain"),
                "unsupported_media_type",
                415
            )
            try expectProblem(
                try await client.post("/v1/links", "{}", type: "application/x-ndjson"),
                "unsupported_media_type",
                415
            )
            // The connection goes on.
            #expect(try await client.post("/v1/links", "{}").status == .created)
        }
    }

    @Test func listsPageByPage() async throws {
        try await Daemon().test { client in
            _ = try await client.post("/v1/links", #"[{"slug":"a"},{"slug":"b"},{"slug":"c"}]"#)
            let first = try Answer(try await client.get("/v1/links?limit=2"))
            #expect(first.texts("links", "slug") == ["a", "b"])
            #expect(first["next"]?.string == "go.example/b")
            let second = try Answer(try await client.get("/v1/links?limit=2&after=go.example/b"))
            #expect(second.texts("links", "slug") == ["c"])
            #expect(second["next"]?.kind == .null)
        }
    }

    @Test func drawsQRCodes() async throws {
        try await Daemon().test { client in
            _ = try await client.post("/v1/links", #"{"slug":"a"}"#)
            let svg = try await client.get("/v1/links/a/qr")
            #expect(svg.headers[.contentType] == "image/svg+xml")
            #expect(svg.text.contains("<svg"))
            let png = try await client.get("/v1/links/a/qr?format=png")
            #expect(png.headers[.contentType] == "image/png")
            #expect(png.body.readableBytesView.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            try expectProblem(try await client.get("/v1/links/a/qr?format=gif"), "invalid_parameter", 400)
            try expectProblem(try await client.get("/v1/links/b/qr"), "unknown_link", 404)
        }
    }

    @Test(arguments: [
        "/v1/links?limit=0", "/v1/links?limit=1001", "/v1/links?limit=x", "/v1/links?after=x", "/v1/links?order=x",
        "/v1/links?host=a%2Fb", "/v1/links/abc?host=%20", "/v1/links/abc?reuse=true",
    ])
    func refusesOtherParameters(uri: String) async throws {
        try await Daemon().test { client in
            try expectProblem(try await client.get(uri), "invalid_parameter", 400)
        }
    }

    @Test func findsTheRouteOfALink() {
        #expect(Route.find("/v1/links")?.route.pattern == "/v1/links")
        #expect(Route.find("/v1/links/a%20b")?.parameter == "a b")
        #expect(Route.find("/v1/links/qr")?.parameter == "qr")
        #expect(Route.find("/v1/links/a/qr")?.route.pattern == "/v1/links/{slug}/qr")
        #expect(Route.find("/v1/links/a/qr")?.parameter == "a")
        #expect(Route.find("/v1/links//qr") == nil)
        #expect(Route.find("/v1/links/a%2Fb/qr") == nil)
        #expect(Route.near("/v1/link/a/qr")?.pattern == "/v1/links/{slug}/qr")
    }

    /// Pieces of requests in any order: the answer is never a 5xx.
    @Test func answersRubbishWithoutA5xx() async throws {
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"", "\"slug\"", "\"links\"", "null", "1e999", "\"\\ud800\"",
            "\"target_url\"",
            "\"javascript:x\"", "\"https://go.example/a\"", "\u{FEFF}", "\u{0}", "true", "\"ref\"", "[[", "\"\\u0000\"",
        ]
        try await Daemon().test { client in
            var random = SeededRandom(seed: 27)
            for _ in 0..<300 {
                let body = (0..<Int.random(in: 0...9, using: &random)).map { _ in random.pick(pieces) }.joined()
                let slug = (0..<Int.random(in: 0...4, using: &random))
                    .map { _ in random.pick(["a", "%", "%2F", "%00", "/", "qr", "?", "&", "host=", "%F0", "%C3%A9"]) }
                    .joined()
                let method = random.pick([HTTPRequest.Method.get, .post, .patch, .delete, .put])
                let response = try await Self.send(client, method, "/v1/links" + random.pick(["", "/" + slug]), body)
                #expect(response.status.code < 500, "\(method) \(slug) \(body)")
            }
        }
    }
}
