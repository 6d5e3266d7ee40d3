import Events
import HTTPTypes
import HummingbirdTesting
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

    /// Every route but those that send events and ask for a deferred link.
    @Test(arguments: Route.all.indices) func openNoOtherDoor(index: Int) async throws {
        let route = Route.all[index]
        let taking = ["/v1/events", "/v1/inbound-links", "/v1/feed-posts", "/v1/deferred-links"]
        #expect(route.takesAppKeys == taking.contains(route.pattern))
        let path = route.pattern.replacing("{name}", with: "channels").replacing("{file}", with: "a.csv")
            .replacing("{slug}", with: "abc")
        try await Daemon().test { client in
            for method in route.methods.compactMap({ HTTPRequest.Method($0) }) where method != .head {
                guard let need = route.keyNeed(for: method), !need.takesAppKeys else { continue }
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
            #expect(answer.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
            #expect(answer.headers[.accessControlAllowCredentials] == nil)
            #expect(answer.headers[.vary] == "Origin")
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

    /// A preflight has no key, so no other path answers it.
    @Test func letPagesAskNothingElse() async throws {
        try await Daemon().test { client in
            for route in Route.all where !route.takesAppKeys {
                for method in route.methods {
                    let answer = try await client.execute(
                        uri: route.pattern.replacing("{name}", with: "channels").replacing("{file}", with: "a.csv")
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

    @Test func areLimitedByDevice() async throws {
        var daemon = Daemon()
        daemon.limits.deviceRateLimit = RateLimit(requestsPerSecond: 0.001, burst: 3)
        @Sendable func opens(_ count: Int, of device: String) -> String {
            "[" + (0..<count).map { _ in #"{"type":"app_open","device_id":"\#(device)"}"# }.joined(separator: ",") + "]"
        }
        try await daemon.test { client in
            #expect(try await client.post("/v1/events", opens(2, of: "a"), key: KnownKeys.app).status == .ok)
            let refused = try await client.post("/v1/events", opens(2, of: "a"), key: KnownKeys.app)
            try expectProblem(refused, "rate_limited", 429)
            #expect(try await client.post("/v1/events", opens(1, of: "a"), key: KnownKeys.app).status == .ok)
            // A device that was silent may send what it has kept, however much it is.
            #expect(try await client.post("/v1/events", opens(9, of: "b"), key: KnownKeys.app).status == .ok)
            #expect(try await client.post("/v1/events", opens(1, of: "b"), key: KnownKeys.app).status != .ok)
            #expect(try await client.post("/v1/events", opens(9, of: "a")).status == .ok)
        }
    }
}
