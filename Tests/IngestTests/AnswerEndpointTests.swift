import Addresses
import HTTPTypes
import HummingbirdTesting
import JSONReading
import NIOCore
import Testing

@testable import Ingest

@Suite("Answers about a person and a click")
struct AnswerEndpointTests {
    @Test func passesTheAttributionOn() async throws {
        try await Daemon().test { client in
            let response = try await client.get("/v1/attributions?user_id=ann")
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "application/json")
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(response.text == #"{"credits":[]}"#)
            let head = try await client.get("/v1/attributions?user_id=ann", method: .head)
            #expect(head.status == .ok)
            #expect(head.body.readableBytes == 0)
            try expectProblem(try await client.get("/v1/attributions?user_id=bob"), "unknown_event", 404)
        }
    }

    /// Such as that history is being read again.
    @Test(arguments: [nil, "history is being read again"])
    func saysWhatItsReaderMustKnow(notice: String?) async throws {
        var daemon = Daemon()
        daemon.answers.notice = notice
        try await daemon.test { client in
            let response = try await client.get("/v1/attributions?user_id=ann")
            #expect(response.headers[try #require(HTTPField.Name("Tributary-Notice"))] == notice)
        }
    }

    @Test func saysWhereAVisitorWantedToGo() async throws {
        try await Daemon().test { client in
            let response = try await client.get("/v1/deferred-links?click_id=c-1", key: KnownKeys.write)
            #expect(response.status == .ok)
            #expect(
                response.text
                    == #"{"click_id":"c-1","link":"go.example/abc","target_url":"https://shop.example/","app_url":null,"clicked_at":"2026-11-21T12:00:00Z","refs":["gift"]}"#
            )
            try expectProblem(
                try await client.get("/v1/deferred-links?click_id=c-2", key: KnownKeys.write),
                "unknown_click",
                404
            )
        }
    }

    @Test func findsWhatTheVisitorCarries() async throws {
        try await Daemon().test { client in
            let link = "go.example/%3F https://go.example/abc?click_id=0199f0a4-5b7c-7d3e-8f01-23456789abcd"
                .replacing(" ", with: "%20").replacing("?c", with: "%3Fc")
            for query in ["code=0000-0001", "code=oooo%20ooo1&device_id=phone", "text=" + link] {
                let response = try await client.get("/v1/deferred-links?" + query, key: KnownKeys.write)
                #expect(response.status == .ok, "\(query)")
                #expect(response.text.hasPrefix(#"{"click_id":"c-1","#))
            }
            for query in [
                "code=00000002", "code=x", "code=", "code=00000001&device_id=other", "text=", "text=0000-0001",
                "text=" + link.replacing("abc", with: "def"),
            ] {
                let response = try await client.get("/v1/deferred-links?" + query, key: KnownKeys.write)
                try expectProblem(response, "no_link", 404)
            }
        }
    }

    @Test func refusesGuesses() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            func ask(_ code: String) async throws -> TestResponse {
                try await client.get("/v1/deferred-links?code=\(code)", key: KnownKeys.write)
            }
            // Right ones do not count.
            for _ in 0..<30 { #expect(try await ask("00000001").status == .ok) }
            // Neither does what is no code.
            for _ in 0..<30 { try expectProblem(try await ask("0000-000"), "no_link", 404) }
            for _ in 0..<10 { try expectProblem(try await ask("00000002"), "no_link", 404) }
            let refused = try await ask("00000001")
            try expectProblem(refused, "rate_limited", 429)
            #expect(refused.headers[.retryAfter] != nil)
            #expect(try await client.get("/v1/deferred-links?click_id=c-1", key: KnownKeys.write).status == .ok)
        }
        let metrics = daemon.metrics.exposition()
        for (answer, count) in [("found", 30), ("unreadable", 30), ("wrong", 10), ("limited", 1)] {
            #expect(metrics.contains("tributary_codes_total{answer=\"\(answer)\"} \(count)\n"))
        }
    }

    /// One address, one network of a provider's customer, and all of an app.
    @Test func limitsGuessesOfManyAddresses() {
        let app = Principal(appNumber: 1, appID: "a", scope: .app, keyPrefix: "k")
        let other = Principal(appNumber: 2, appID: "b", scope: .app, keyPrefix: "l")
        let now = ContinuousClock.now
        let guesses = CodeGuesses()
        func guess(_ address: String, of app: Principal, _ count: Int) -> Int {
            (0..<count).count { _ in
                (try? guesses.take(app, from: IPAddress(address)?.visitor, at: now)) != nil
            }
        }
        #expect(guess("2001:db8:1::1", of: app, 20) == 10)
        #expect((1..<20).reduce(0) { $0 + guess("2001:db8:1:\($1)::1", of: app, 20) } == 90)
        #expect(guess("2001:db8:2::1", of: app, 20) == 10)
        #expect(guess("2001:db8:2::1", of: other, 20) == 10)
        #expect((1..<200).reduce(0) { $0 + guess("192.0.2.\($1)", of: app, 20) } == 890)
        #expect(guess("198.51.100.1", of: app, 20) == 0)
        // What is refused takes nothing, and a right code is given back everywhere.
        guesses.giveBack(app, from: IPAddress("192.0.2.1"), at: now)
        #expect(guess("192.0.2.1", of: app, 20) == 1)
    }

    @Test(arguments: [
        "/v1/deferred-links", "/v1/deferred-links?click_id=", "/v1/deferred-links?click_id=a&x=1",
        "/v1/deferred-links?click_id=a&click_id=a", "/v1/deferred-links?click_id=+49170",
        "/v1/deferred-links?click_id=a&code=00000001", "/v1/deferred-links?device_id=a",
        "/v1/deferred-links?click_id=a&device_id=a", "/v1/deferred-links?code=00000001&device_id=",
        "/v1/deferred-links?click_id=" + String(repeating: "x", count: 257),
    ])
    func refusesOtherParameters(uri: String) async throws {
        try await Daemon().test { client in
            try expectProblem(try await client.get(uri, key: KnownKeys.write), "invalid_parameter", 400)
        }
    }

    @Test(arguments: [
        ("/v1/attributions?user_id=ann", KnownKeys.write), ("/v1/deferred-links?click_id=c-1", KnownKeys.read),
        ("/v1/links", KnownKeys.write), ("/v1/links/abc", KnownKeys.write), ("/v1/links/abc/qr", KnownKeys.write),
    ])
    func needsTheRightKey(uri: String, wrong: String) async throws {
        try await Daemon().test { client in
            let missing = try expectProblem(try await client.get(uri, key: nil), "missing_key", 401)
            let unknown = try expectProblem(try await client.get(uri, key: "trib_read_x"), "unknown_key", 401)
            for problem in [missing, unknown] {
                let detail = problem["detail"]?.string ?? ""
                #expect(detail.contains("a write key or a key for apps") == uri.hasPrefix("/v1/deferred-links"))
            }
            try expectProblem(try await client.get(uri, key: wrong), "wrong_key_kind", 403)
        }
    }

    @Test(arguments: ["/v1/attributions?user_id=ann", "/v1/deferred-links?click_id=c-1"])
    func takesGETAlone(uri: String) async throws {
        try await Daemon().test { client in
            let answer = try await client.post(uri, "{}")
            try expectProblem(answer, "method_not_allowed", 405)
            #expect(answer.headers[.allow] == "GET, HEAD")
        }
    }

    @Test(arguments: [
        (AnswerFailure.unavailable(retryAfter: .seconds(2)), "unavailable", 503),
        (.timedOut, "timed_out", 503), (.unknownApp, "unknown_key", 401), (.movedApp, "moved_app", 410),
        (.invalidParameter(message: "no", field: "model", allowed: ["last"]), "invalid_parameter", 400),
        (.unknownEvent(message: "no", field: "goal", nearest: ["buy"]), "unknown_event", 404),
    ])
    func saysWhyThereIsNoAnswer(failure: AnswerFailure, code: String, status: Int) async throws {
        var daemon = Daemon()
        daemon.answers.failure = failure
        daemon.links = MemoryLinks(failure: failure)
        try await daemon.test { client in
            for (uri, key) in [
                ("/v1/attributions?user_id=ann", KnownKeys.read), ("/v1/deferred-links?click_id=c-1", KnownKeys.write),
                ("/v1/links", KnownKeys.read), ("/v1/links/abc/qr", KnownKeys.read),
            ] {
                let answer = try await client.get(uri, key: key)
                try expectProblem(answer, code, status)
                #expect((answer.headers[.retryAfter] != nil) == (status == 503))
            }
            try expectProblem(try await client.post("/v1/links", #"{"slug":"a"}"#), code, status)
        }
    }
}
