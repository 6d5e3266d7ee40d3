import Events
import HTTPTypes
import HummingbirdTesting
import InboundLinks
import JSONReading
import NIOCore
import Redirects
import Testing

@testable import Ingest

@Suite("Writing events")
struct WriteEndpointTests {
    static let id = "0190f3c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"
    static let event = #"{"type":"authentication","event_id":"\#(id)","user_id":"ann"}"#

    @Test func answersWhatWasStored() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            let response = try await client.post("/v1/events", Self.event)
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "application/json")
            #expect(response.text == #"{"accepted":1,"duplicates":0,"stored":"database","rejected":[]}"#)
        }
        let batch = try #require(daemon.sink.batches.first)
        #expect(batch.appNumber == 7)
        #expect(batch.keyPrefix == "trib_write")
        #expect(batch.receivedAt == daemon.now)
        #expect(batch.events.map(\.id.description) == [Self.id])
    }

    @Test func joinsTouchesWithTheShortLinksOfTheApp() async throws {
        var contents = LinkDirectory.Contents()
        contents.table.set(LinkApp(id: "237", name: "Shop"), hosts: ["go.example"])
        var link = Link(host: "go.example", slug: "gift")
        link.refs = ["present"]
        contents.table.set(link)
        let daemon = Daemon()
        daemon.directory.replace(with: contents)
        try await daemon.test { client in
            let body = #"{"type":"inbound_link","user_id":"ann","url":"https://go.example/Gift?click_id=7"}"#
            let response = try await client.post("/v1/events", body)
            #expect(response.status == .ok)
        }
        guard case .inboundLink(let touch) = try #require(daemon.sink.events.first).content else {
            Issue.record("it is no inbound link")
            return
        }
        #expect(touch.shortLink == "go.example/gift")
        #expect(touch.link.refs == ["present"])
    }

    @Test func countsARetryAsADuplicate() async throws {
        try await Daemon().test { client in
            _ = try await client.post("/v1/events", Self.event)
            let answer = try Answer(try await client.post("/v1/events", Self.event))
            #expect(answer.number("accepted") == 0)
            #expect(answer.number("duplicates") == 1)
        }
    }

    @Test func answers202WhenTheBatchIsSpooled() async throws {
        let daemon = Daemon(sink: RecordingSink(.answer(StoreReceipt(duplicates: 0, stored: .spool))))
        try await daemon.test { client in
            let response = try await client.post("/v1/events", Self.event)
            #expect(response.status == .accepted)
            #expect(try Answer(response)["stored"]?.string == "spool")
        }
    }

    @Test func tellsTheIDsItMade() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            let body = #"{"events":[\#(Self.event),{"type":"authentication","user_id":"bob"}]}"#
            let answer = try Answer(try await client.post("/v1/events", body))
            #expect(answer.texts("event_ids", "index") == ["1"])
            #expect(answer.texts("event_ids", "event_id") == [daemon.sink.events.last?.id.description])
        }
    }

    @Test func storesValidEventsBesideRejectedOnes() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            let body = #"{"events":[{"user_id":"x"},\#(Self.event),7]}"#
            let response = try await client.post("/v1/events", body)
            #expect(response.status == .ok)
            let answer = try Answer(response)
            #expect(answer.number("accepted") == 1)
            #expect(answer.texts("rejected", "index") == ["0", "2"])
            #expect(answer.texts("rejected", "code") == ["missing_field", "not_an_object"])
            #expect(answer.texts("rejected", "field") == ["type", nil])
        }
        #expect(daemon.sink.batches.first?.rejections.count == 2)
    }

    @Test func refusesABatchWithoutAValidEventButKeepsItsDeadLetters() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            let response = try await client.post("/v1/events", #"{"events":[{"user_id":"x"}]}"#)
            let answer = try expectProblem(response, "no_valid_event", 422)
            #expect(answer["rejected"]?.count == 1)
        }
        #expect(daemon.sink.batches.first?.events.isEmpty == true)
        #expect(daemon.sink.batches.first?.rejections.count == 1)
    }

    @Test func tellsWhatTheStoreRefused() async throws {
        let receipt = StoreReceipt(duplicates: 0, stored: .database, refused: [0])
        try await Daemon(sink: RecordingSink(.answer(receipt))).test { client in
            let second = #"{"type":"authentication","user_id":"bob"}"#
            let answer = try Answer(
                try await client.post("/v1/events", #"{"events":[\#(Self.event),\#(second)]}"#)
            )
            #expect(answer.number("accepted") == 1)
            #expect(answer.texts("rejected", "event_id") == [Self.id])
        }
    }

    @Test func readsLinesAndRejectsTheBadOnes() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            let body = "\(Self.event)\n{oops\n{\"type\":\"authentication\",\"user_id\":\"bob\"}\n"
            let answer = try Answer(try await client.post("/v1/events", body, type: "application/x-ndjson"))
            #expect(answer.number("accepted") == 2)
            #expect(answer.texts("rejected", "index") == ["1"])
        }
    }

    @Test(arguments: [
        ("/v1/inbound-links", "url=https%3A%2F%2Fapps.facebook.com%2Fns%2F%3Ffb_source%3Dfeed&user_id=ann"),
        ("/v1/feed-posts", "callback_url=fbconnect%3A%2F%2Fsuccess%3Fpost_id%3D1_2&user_id=ann"),
    ])
    func readsAFormOnTheShortRoutes(path: String, body: String) async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            let response = try await client.post(path, body, type: "application/x-www-form-urlencoded")
            #expect(response.status == .ok)
            #expect(try Answer(response)["event_ids"]?.count == 1)
        }
        #expect(daemon.sink.events.count == 1)
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "junk"])
    func refusesOtherMediaTypes(type: String) async throws {
        try await Daemon().test { client in
            let response = try await client.post("/v1/events", Self.event, type: type)
            try expectProblem(response, "unsupported_media_type", 415)
        }
    }

    @Test(arguments: [nil, "application/json", "Application/JSON; charset=UTF-8", "application/json;charset=utf-8"])
    func takesJSON(type: String?) async throws {
        try await Daemon().test { client in
            let response1 = try await client.post("/v1/events", Self.event, type: type)
            #expect(response1.status == .ok)
        }
    }

    @Test(arguments: [
        ("{oops", "malformed_body", 400),
        ("", "empty_batch", 400),
        (#"{"events":[]}"#, "empty_batch", 400),
        (#"{"events":[{}],"evnts":1}"#, "unknown_field", 400),
        (#"{"events":[{}],"events":[{}]}"#, "duplicate_field", 400),
        (String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000), "too_deep", 400),
        ("[" + Array(repeating: "{}", count: 5_001).joined(separator: ",") + "]", "too_many_events", 413),
    ])
    func refusesABodyThatIsNoBatch(body: String, code: String, status: Int) async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            try expectProblem(try await client.post("/v1/events", body), code, status)
        }
        #expect(daemon.sink.batches.isEmpty)
    }

    @Test(arguments: [nil, "", "trib", "Basic dXNlcjpwYXNz", "Bearer", "Bearer "])
    func asksForAKey(authorization: String?) async throws {
        try await Daemon().test { client in
            var headers = HTTPFields()
            if let authorization { headers[.authorization] = authorization }
            let response = try await client.post("/v1/events", Self.event, key: nil, headers: headers)
            try expectProblem(response, "missing_key", 401)
            #expect(response.headers[.wwwAuthenticate] == #"Bearer realm="tributary""#)
        }
    }

    @Test(arguments: ["nobody", "ké", String(repeating: "k", count: 10_000), "two keys"])
    func refusesAnUnknownKeyWithoutRepeatingIt(key: String) async throws {
        try await Daemon().test { client in
            let response = try await client.post("/v1/events", Self.event, key: key)
            try expectProblem(response, "unknown_key", 401)
            #expect(response.headers[.wwwAuthenticate] == #"Bearer realm="tributary", error="invalid_token""#)
            #expect(!response.text.contains(key))
        }
    }

    @Test func readsTheSchemeWithoutCase() async throws {
        try await Daemon().test { client in
            let headers: HTTPFields = [.authorization: "bEARER   \(KnownKeys.write) "]
            let response2 = try await client.post("/v1/events", Self.event, key: nil, headers: headers)
            #expect(response2.status == .ok)
        }
    }

    @Test func refusesAReadKey() async throws {
        try await Daemon().test { client in
            let response = try await client.post("/v1/events", Self.event, key: KnownKeys.read)
            try expectProblem(response, "wrong_key_kind", 403)
        }
    }

    @Test(arguments: [
        (SinkError.unavailable(retryAfter: .seconds(30)), "unavailable", "30"),
        (SinkError.overloaded(retryAfter: .milliseconds(200)), "overloaded", "1"),
        (SinkError.timedOut, "timed_out", "1"),
    ])
    func tellsTheSenderToTryAgain(error: SinkError, code: String, retryAfter: String) async throws {
        try await Daemon(sink: RecordingSink(.fail(error))).test { client in
            let response = try await client.post("/v1/events", Self.event)
            try expectProblem(response, code, 503)
            #expect(response.headers[.retryAfter] == retryAfter)
        }
    }

    /// An unknown key too gets this answer: by the wrong time, keys may be expired that are not.
    @Test(arguments: [KnownKeys.write, "trib_w_unknown"])
    func refusesEventsWhileTheClockIsNotTrusted(key: String) async throws {
        let daemon = Daemon(clockFault: ClockFault(reason: "it was set by 3 days"))
        try await daemon.test { client in
            let response = try await client.post("/v1/events", Self.event, key: key)
            let answer = try expectProblem(response, "clock_untrusted", 503)
            #expect(
                answer["detail"]?.string == "Events cannot be dated now: it was set by 3 days. Send them again later."
            )
            #expect(response.headers[.retryAfter] == "10")
            #expect(try await client.get("/healthz").status == .ok)
        }
        #expect(daemon.sink.batches.isEmpty)
    }

    @Test func tellsTheSenderToTryAgainWhenKeysCannotBeRead() async throws {
        try await Daemon(keys: KnownKeys(failure: .unavailable(retryAfter: .seconds(2)))).test { client in
            let response = try await client.post("/v1/events", Self.event)
            try expectProblem(response, "unavailable", 503)
            #expect(response.headers[.retryAfter] == "2")
        }
    }

    @Test func doesNotWaitForASinkThatHangs() async throws {
        var daemon = Daemon(sink: RecordingSink(.hang))
        daemon.limits.storeDeadline = .milliseconds(20)
        let sink = daemon.sink
        try await daemon.test { client in
            let response = try await client.post("/v1/events", Self.event)
            try expectProblem(response, "timed_out", 503)
            #expect(response.headers[.retryAfter] == "1")
        }
        sink.release()
    }

    @Test func countsABatchThatHangsAsInFlight() async throws {
        var daemon = Daemon(sink: RecordingSink(.hang))
        daemon.limits.storeDeadline = .milliseconds(20)
        daemon.limits.requestsInFlight = 4
        let sink = daemon.sink
        try await daemon.test { client in
            try expectProblem(try await client.post("/v1/events", Self.event), "timed_out", 503)
            try expectProblem(try await client.post("/v1/events", Self.event), "timed_out", 503)
            try expectProblem(try await client.post("/v1/events", Self.event), "overloaded", 503)
            // It is the app's share that is full.
            let other = try await client.post("/v1/events", Self.event, key: KnownKeys.otherWrite)
            try expectProblem(other, "timed_out", 503)
            let metrics = try await client.get("/metrics", key: nil).text
            #expect(metrics.contains(#"tributary_ingest_no_room_total{cause="app_requests",key="trib_write"} 1"#))
        }
        sink.release()
    }

    @Test func refusesAtOnceWhatHasNoRoom() async throws {
        var daemon = Daemon()
        daemon.limits.bytesInFlight = 10
        try await daemon.test { client in
            let response = try await client.post("/v1/events", Self.event)
            try expectProblem(response, "overloaded", 503)
            #expect(response.headers[.retryAfter] == "1")
        }
        #expect(daemon.sink.batches.isEmpty)
    }

    @Test func refusesABodyAboveTheLimit() async throws {
        var daemon = Daemon()
        daemon.limits.bodyBytes = 100
        try await daemon.test { client in
            let body = String(repeating: " ", count: 101 - Self.event.utf8.count) + Self.event
            try expectProblem(try await client.post("/v1/events", body), "body_too_large", 413)
            let response3 = try await client.post("/v1/events", String(body.dropFirst()))
            #expect(response3.status == .ok)
        }
    }

    @Test func limitsTheRateOfAKey() async throws {
        var daemon = Daemon()
        daemon.limits.rateLimit = RateLimit(requestsPerSecond: 0.01, burst: 2)
        try await daemon.test { client in
            let first = try await client.post("/v1/events", Self.event)
            #expect(first.status == .ok)
            let policy = try #require(HTTPField.Name("RateLimit-Policy"))
            let state = try #require(HTTPField.Name("RateLimit"))
            #expect(first.headers[policy] == #""key";q=2;w=200"#)
            #expect(first.headers[state]?.hasPrefix(#""key";r=1;t="#) == true)
            _ = try await client.post("/v1/events", Self.event)
            let third = try await client.post("/v1/events", Self.event)
            try expectProblem(third, "rate_limited", 429)
            // A slow machine may have come closer to the next token; the exact figure is the bucket's own test.
            let seconds = try #require(third.headers[.retryAfter].flatMap { Int($0) })
            #expect((1...100).contains(seconds))
            #expect(third.headers[policy] != nil)
            // Another key has its own bucket.
            let response4 = try await client.get("/v1/reports/channels")
            #expect(response4.status == .ok)
        }
    }

    @Test(arguments: ["gzip", "x-gzip", "GZIP", "identity, gzip"])
    func inflates(encoding: String) async throws {
        try await Daemon().test { client in
            let body = ByteBuffer(bytes: gzip(Array(Self.event.utf8)))
            let response = try await client.post("/v1/events", body, headers: [.contentEncoding: encoding])
            #expect(response.status == .ok)
        }
    }

    @Test(arguments: ["br", "deflate", "zstd", "gzip, gzip", "rubbish"])
    func refusesOtherEncodings(encoding: String) async throws {
        try await Daemon().test { client in
            let response = try await client.post("/v1/events", Self.event, headers: [.contentEncoding: encoding])
            try expectProblem(response, "unsupported_encoding", 415)
            #expect(response.headers[.acceptEncoding] == "gzip, identity")
        }
    }

    @Test func refusesWhatIsNotGzip() async throws {
        try await Daemon().test { client in
            let headers: HTTPFields = [.contentEncoding: "gzip"]
            try expectProblem(
                try await client.post("/v1/events", Self.event, headers: headers),
                "malformed_encoding",
                400
            )
            let cut = ByteBuffer(bytes: gzip(Array(Self.event.utf8)).dropLast(4))
            try expectProblem(try await client.post("/v1/events", cut, headers: headers), "malformed_encoding", 400)
            let long = ByteBuffer(bytes: gzip(Array(Self.event.utf8)) + [0, 1, 2])
            try expectProblem(try await client.post("/v1/events", long, headers: headers), "malformed_encoding", 400)
        }
    }

    @Test func stopsInflatingABomb() async throws {
        let daemon = Daemon()
        let bomb = ByteBuffer(bytes: gzip(Array(repeating: 0x20, count: 40 << 20)))
        #expect(bomb.readableBytes < 64 << 10)
        try await daemon.test { client in
            let response = try await client.post("/v1/events", bomb, headers: [.contentEncoding: "gzip"])
            try expectProblem(response, "inflated_body_too_large", 413)
        }
    }

    @Test func countsInflatedBytesAsInFlight() async throws {
        var daemon = Daemon()
        daemon.limits.bytesInFlight = 1 << 20
        let body = ByteBuffer(bytes: gzip(Array(repeating: 0x20, count: 2 << 20)))
        try await daemon.test { client in
            let response = try await client.post("/v1/events", body, headers: [.contentEncoding: "gzip"])
            try expectProblem(response, "overloaded", 503)
            // The room was given back.
            let response5 = try await client.post("/v1/events", Self.event)
            #expect(response5.status == .ok)
        }
    }
}
