import Events
import HTTPTypes
import HummingbirdTesting
import JSONReading
import NIOCore
import Testing

@testable import Ingest

/// Keys that stand in apps and pages (docs/sending-events.md, *From the app itself*).
@Suite("Keys for apps")
struct AppKeyRequestTests {
    private static let open = #"{"type":"app_open","device_id":"phone-1"}"#

    private static func origin(_ origin: String) -> HTTPFields { [.origin: origin] }

    private static let allowedOrigin = HTTPField.Name.accessControlAllowOrigin

    @Test func sendEventsThatSayWhereTheyComeFrom() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            for path in ["/v1/events", "/v1/inbound-links", "/v1/feed-posts"] {
                let body =
                    switch path {
                    case "/v1/events": Self.open
                    case "/v1/inbound-links": #"{"device_id":"phone-1","url":"https://shop.example/soup"}"#
                    default: #"{"device_id":"phone-1","callback_url":"fbconnect://success?post_id=1_2"}"#
                    }
                let response = try await client.post(path, body, key: KnownKeys.app)
                #expect(response.status == .ok, "\(response.text)")
                #expect(response.headers[Self.allowedOrigin] == nil)
            }
            _ = try await client.post("/v1/events", Self.open)
        }
        #expect(daemon.sink.events.map(\.sentBy) == [.app, .app, .app, .server])
        #expect(daemon.sink.batches.map(\.appNumber) == [7, 7, 7, 7])
    }

    @Test(
        arguments: [
            (512 << 10, nil, nil), (512 << 10, "gzip", nil), ((512 << 10) + 1, nil, "body_too_large"),
            ((512 << 10) + 1, "gzip", "inflated_body_too_large"),
        ] as [(Int, String?, String?)]
    ) func sendSmallBodies(count: Int, encoding: String?, code: String?) async throws {
        let blanks = Array(repeating: UInt8(ascii: " "), count: count - Self.open.utf8.count)
        let plain = Array(Self.open.utf8) + blanks
        try await Daemon().test { client in
            let response = try await client.execute(
                uri: "/v1/events",
                method: .post,
                headers: [
                    .authorization: "Bearer \(KnownKeys.app)", .contentType: "application/json",
                    .contentEncoding: encoding ?? "identity",
                ],
                body: ByteBuffer(bytes: encoding == nil ? plain : gzip(plain))
            )
            if let code { try expectProblem(response, code, 413) } else { #expect(response.status == .ok) }
        }
    }

    /// Every route but those that send events and ask for a deferred link.
    @Test(arguments: Route.all.indices) func openNoOtherDoor(index: Int) async throws {
        let route = Route.all[index]
        let taking = ["/v1/events", "/v1/inbound-links", "/v1/feed-posts", "/v1/deferred-links"]
        #expect(route.takesAppKeys == taking.contains(route.pattern))
        let path = route.pattern.replacing("{name}", with: "channels").replacing("{file}", with: "a.csv").replacing(
            "{number}",
            with: "7"
        )
        .replacing("{slug}", with: "abc")
        try await Daemon().test { client in
            for method in route.methods.compactMap({ HTTPRequest.Method($0) }) where method != .head {
                guard let need = route.keyNeed(for: method), !need.isMet(by: .app) else { continue }
                let answer = try await client.execute(
                    uri: path,
                    method: method,
                    headers: [.authorization: "Bearer \(KnownKeys.app)", .origin: KnownKeys.page]
                )
                try expectProblem(answer, "wrong_key_kind", 403)
                #expect(answer.headers[Self.allowedOrigin] == nil)
            }
        }
    }

    @Test func askForDeferredLinks() async throws {
        try await Daemon().test { client in
            let answer = try await client.get(
                "/v1/deferred-links?click_id=c-1",
                key: KnownKeys.app,
                headers: Self.origin(KnownKeys.page)
            )
            #expect(answer.status == .ok)
            #expect(answer.headers[Self.allowedOrigin] == KnownKeys.page)
            let unknown = try await client.get(
                "/v1/deferred-links?click_id=c-2",
                key: KnownKeys.app,
                headers: Self.origin(KnownKeys.page)
            )
            try expectProblem(unknown, "unknown_click", 404)
            #expect(unknown.headers[Self.allowedOrigin] == KnownKeys.page)
        }
    }

    // MARK: Pages

    @Test(arguments: ["/v1/events", "/v1/inbound-links", "/v1/feed-posts", "/v1/deferred-links"])
    func letPagesAskWhetherTheyMay(path: String) async throws {
        let method = path == "/v1/deferred-links" ? "GET" : "POST"
        @Sendable func ask(_ client: any TestClientProtocol, _ headers: HTTPFields) async throws -> TestResponse {
            try await client.execute(uri: path, method: .options, headers: headers)
        }
        try await Daemon().test { client in
            let answer = try await ask(client, [.origin: KnownKeys.page, .accessControlRequestMethod: method])
            #expect(answer.status == .noContent)
            #expect(answer.headers[Self.allowedOrigin] == KnownKeys.page)
            #expect(answer.headers[.accessControlAllowMethods]?.contains(method) == true)
            #expect(
                answer.headers[.accessControlAllowHeaders] == "authorization, content-type, content-encoding"
            )
            #expect(answer.headers[.accessControlAllowCredentials] == nil)
            #expect(answer.headers[.vary] == "Origin, Access-Control-Request-Headers")
            for headers: HTTPFields in [
                [.origin: "https://evil.example", .accessControlRequestMethod: method],
                [.origin: "null", .accessControlRequestMethod: method],
                [.origin: KnownKeys.page, .accessControlRequestMethod: "DELETE"],
                [.origin: KnownKeys.page], [.accessControlRequestMethod: method],
            ] {
                let refusal = try await ask(client, headers)
                #expect(refusal.status == .methodNotAllowed)
                #expect(refusal.headers[Self.allowedOrigin] == nil)
            }
        }
    }

    /// Programs for monitoring add fields to every request of a page.
    @Test(arguments: [
        ("authorization,baggage,content-type,sentry-trace", ["baggage", "sentry-trace"]),
        ("traceparent, X-Datadog-Origin ,newrelic", ["traceparent", "x-datadog-origin", "newrelic"]),
        ("good,b ad,b:ad,b\u{e4}d,,", ["good"]),
        ((0..<99).map { "x-\($0)" }.joined(separator: ","), (0..<64).map { "x-\($0)" }),
    ])
    func letPagesSendFurtherFields(asked: String, allowed: [String]) async throws {
        try await Daemon().test { client in
            let answer = try await client.execute(
                uri: "/v1/events",
                method: .options,
                headers: [
                    .origin: KnownKeys.page, .accessControlRequestMethod: "POST", .accessControlRequestHeaders: asked,
                ]
            )
            #expect(answer.status == .noContent)
            let names = ["authorization", "content-type", "content-encoding"] + allowed
            #expect(answer.headers[.accessControlAllowHeaders] == names.joined(separator: ", "))
        }
    }

    /// A preflight has no key, so no other path answers it.
    @Test func letPagesAskNothingElse() async throws {
        try await Daemon().test { client in
            for route in Route.all where !route.takesAppKeys {
                for method in route.methods {
                    let answer = try await client.execute(
                        uri: route.pattern.replacing("{name}", with: "channels").replacing("{file}", with: "a.csv")
                            .replacing("{number}", with: "7")
                            .replacing("{slug}", with: "abc"),
                        method: .options,
                        headers: [.origin: KnownKeys.page, .accessControlRequestMethod: method]
                    )
                    #expect(answer.status == .methodNotAllowed)
                    #expect(answer.headers[Self.allowedOrigin] == nil)
                }
            }
        }
    }

    @Test func servePagesOfTheirOriginsAlone() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            let answer = try await client.post(
                "/v1/events",
                Self.open,
                key: KnownKeys.app,
                headers: Self.origin(KnownKeys.page)
            )
            #expect(answer.status == .ok)
            #expect(answer.headers[Self.allowedOrigin] == KnownKeys.page)
            // The origin of another app's key, of nobody, and two at once.
            for origin in [KnownKeys.otherPage, "https://evil.example", "null", "https://shop.example:8443"] {
                let refusal = try await client.post(
                    "/v1/events",
                    Self.open,
                    key: KnownKeys.app,
                    headers: Self.origin(origin)
                )
                try expectProblem(refusal, "origin_not_allowed", 403)
                #expect(refusal.headers[Self.allowedOrigin] == nil)
            }
            // Other keys cannot be used in pages, whatever a page says.
            let written = try await client.post("/v1/events", Self.open, headers: Self.origin(KnownKeys.page))
            #expect(written.headers[Self.allowedOrigin] == nil)
        }
        #expect(daemon.sink.events.map(\.sentBy) == [.app, .server])
    }

    /// A page can read why it was refused.
    @Test func letPagesReadProblems() async throws {
        try await Daemon().test { client in
            for (body, code, status) in [
                ("[", "malformed_body", 400),
                (#"{"type":"conversion","device_id":"d","name":"a"}"#, "no_valid_event", 422),
            ] {
                let answer = try await client.post(
                    "/v1/events",
                    body,
                    key: KnownKeys.app,
                    headers: Self.origin(KnownKeys.page)
                )
                try expectProblem(answer, code, status)
                #expect(answer.headers[Self.allowedOrigin] == KnownKeys.page)
            }
        }
    }

    // MARK: Limits

    @Test func areLimitedByAddress() async throws {
        var daemon = Daemon()
        daemon.limits.appKeyRateLimit = RateLimit(requestsPerSecond: 0.001, burst: 2)
        @Sendable func post(_ client: any TestClientProtocol, _ key: String, from address: String) async throws
            -> TestResponse
        {
            let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
            return try await client.post("/v1/events", Self.open, key: key, headers: [forwarded: address])
        }
        try await daemon.test { client in
            for _ in 0..<2 { #expect(try await post(client, KnownKeys.app, from: "192.0.2.1").status == .ok) }
            let refused = try await post(client, KnownKeys.app, from: "192.0.2.1")
            try expectProblem(refused, "rate_limited", 429)
            #expect(refused.headers[.retryAfter] != nil)
            let asked = try await client.get(
                "/v1/deferred-links?click_id=c-1",
                key: KnownKeys.app,
                headers: [try #require(HTTPField.Name("X-Forwarded-For")): "192.0.2.1"]
            )
            try expectProblem(asked, "rate_limited", 429)
            // Another address, another app, and another kind of key.
            #expect(try await post(client, KnownKeys.app, from: "192.0.2.2").status == .ok)
            #expect(try await post(client, KnownKeys.otherApp, from: "192.0.2.1").status == .ok)
            for _ in 0..<4 { #expect(try await post(client, KnownKeys.write, from: "192.0.2.1").status == .ok) }
        }
    }

    private static func opens(_ count: Int, of device: String) -> [String] {
        [String](repeating: #"{"type":"app_open","device_id":"\#(device)"}"#, count: count)
    }

    private static func post(
        _ client: any TestClientProtocol,
        _ events: [String],
        key: String = KnownKeys.app,
        from address: String = "192.0.2.1"
    ) async throws -> TestResponse {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        let body = "[" + events.joined(separator: ",") + "]"
        return try await client.post("/v1/events", body, key: key, headers: [forwarded: address])
    }

    @Test func areLimitedByDevice() async throws {
        var daemon = Daemon()
        daemon.limits.deviceRateLimit = RateLimit(requestsPerSecond: 0.001, burst: 3)
        try await daemon.test { client in
            #expect(try await Self.post(client, Self.opens(2, of: "a")).status == .ok)
            for _ in 0..<9 {
                let both = Self.opens(1, of: "b") + Self.opens(2, of: "a")
                let refused = try expectProblem(try await Self.post(client, both), "rate_limited", 429)
                // Named by a place in the batch: problems repeat nothing that was sent.
                #expect(refused["detail"]?.string?.contains("at index 1;") == true)
                #expect(refused["field"]?.string == "device_id")
            }
            // The other device has lost nothing by it, and neither has the address.
            #expect(try await Self.post(client, Self.opens(3, of: "b") + Self.opens(1, of: "a")).status == .ok)
            #expect(try await Self.post(client, Self.opens(1, of: "b")).status == .tooManyRequests)
            #expect(try await Self.post(client, Self.opens(9, of: "a"), key: KnownKeys.write).status == .ok)
        }
    }

    /// Rejected ones count too: they are kept as dead letters.
    @Test func areLimitedByEventsOfAnAddress() async throws {
        var daemon = Daemon()
        daemon.limits.appKeyEventLimit = RateLimit(requestsPerSecond: 0.001, burst: 100)
        let wrong = #"{"type":"conversion","device_id":"a","name":"buy"}"#
        try await daemon.test { client in
            #expect(try await Self.post(client, Self.opens(60, of: "a") + [wrong]).status == .ok)
            let refused = try await Self.post(client, Self.opens(40, of: "b"))
            try expectProblem(refused, "rate_limited", 429)
            #expect(refused.headers[.retryAfter] != nil)
            #expect(try await Self.post(client, Self.opens(39, of: "b")).status == .ok)
            // Another address, another app, another kind of key.
            #expect(try await Self.post(client, Self.opens(100, of: "c"), from: "192.0.2.2").status == .ok)
            #expect(try await Self.post(client, Self.opens(100, of: "c"), key: KnownKeys.otherApp).status == .ok)
            #expect(try await Self.post(client, Self.opens(100, of: "c"), key: KnownKeys.write).status == .ok)
        }
    }

    @Test(arguments: [KnownKeys.app, KnownKeys.write]) func haveShortBatches(key: String) async throws {
        let daemon = Daemon()
        let events = (0..<101).map { Self.opens(1, of: "phone-\($0)")[0] }
        try await daemon.test { client in
            let bodies = [
                ("{\"events\":[\(events.joined(separator: ","))]}", "application/json"),
                (events.joined(separator: "\n"), "application/x-ndjson"),
            ]
            for (body, type) in bodies {
                let answer = try await client.post("/v1/events", body, type: type, key: key)
                if key == KnownKeys.write {
                    #expect(answer.status == .ok)
                } else {
                    let problem = try expectProblem(answer, "too_many_events", 413)
                    #expect(problem["detail"]?.string?.contains("more than 100 events") == true)
                }
            }
        }
        if key == KnownKeys.app { #expect(daemon.sink.events.isEmpty) }
    }
}
