import DeliveryTesting
import Foundation
import NIOSSL
import Testing

@testable import Delivery

@Suite("Sending outward")
struct DeliveryClientTests {
    private static func outcome(
        of answer: ScriptedReceiver.Answer,
        host: String = "127.0.0.1",
        allowsPrivate: Bool = true,
        checksName: Bool = true
    ) async throws -> (outcome: DeliveryOutcome, requests: [ScriptedReceiver.Request]) {
        try await ScriptedReceiver.run(answering: { _ in answer }) { receiver in
            // A test of refusals needs `http`, which only a destination that may be private can have.
            let url = receiver.url.replacing("127.0.0.1", with: host)
            let client = DeliveryClient(
                allowsPrivate: allowsPrivate,
                userAgent: "Tributary/test",
                timeLimit: .seconds(1)
            )
            let destination = try Destination(url, allowsPrivate: true)
            if !checksName { client.trustName(of: destination) }
            let outcome = await client.post(Array("{}".utf8), headers: [("webhook-id", "msg_1")], to: destination)
            await client.shutdown()
            return (outcome, receiver.requests)
        }
    }

    @Test func sendsAndReadsTheAnswer() async throws {
        let (outcome, requests) = try await Self.outcome(of: .status(200, body: "fine\n"))
        #expect(outcome == .answered(status: 200, excerpt: "fine "))
        #expect(requests.map(\.body) == ["{}"])
        #expect(requests[0].headers["webhook-id"] == "msg_1")
        #expect(requests[0].headers["user-agent"] == "Tributary/test")
        #expect(requests[0].headers["content-type"] == "application/json")
    }

    @Test func followsNoRedirect() async throws {
        let (outcome, requests) = try await Self.outcome(
            of: .status(302, headers: ["location": "/elsewhere"])
        )
        #expect(outcome == .answered(status: 302, excerpt: ""))
        #expect(requests.count == 1)
    }

    @Test func readsLittleOfALongAnswer() async throws {
        let body = String(repeating: "é", count: 1 << 20)
        let (outcome, _) = try await Self.outcome(of: .status(200, body: body))
        #expect(outcome == .answered(status: 200, excerpt: String(repeating: "é", count: 200)))
    }

    @Test func givesUpInTime() async throws {
        let (outcome, _) = try await Self.outcome(of: .nothing)
        #expect(outcome == .unanswered(reason: "no answer within 1 s"))
    }

    @Test func readsNeitherControlsNorMarksOfDirection() async throws {
        let (outcome, _) = try await Self.outcome(of: .status(500, body: "a\u{1B}[2Jb\u{202E}c\u{2028}d"))
        #expect(outcome == .answered(status: 500, excerpt: "a [2Jb c d"))
    }

    @Test(
        arguments: [
            (429, "120", 120), (503, "90", 90), (429, "99999999999999999999", 3_600), (429, "86400", 3_600),
            (500, "120", nil),
            (429, "soon", nil), (429, "-1", nil), (503, "Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ] as [(Int, String, Int?)]
    )
    func heedsRetryAfter(status: Int, text: String, seconds: Int?) async throws {
        let (outcome, _) = try await Self.outcome(of: .status(status, headers: ["retry-after": text]))
        #expect(outcome == .answered(status: status, excerpt: "", retryAfter: seconds.map { .seconds($0) }))
    }

    @Test func readsTheDateOfRetryAfter() {
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(RetryAfter.duration("Sun, 06 Nov 1994 08:51:07 GMT", now: now) == .seconds(90))
    }

    @Test(
        arguments: [
            (true, nil, "its certificate is not trusted"), (true, .tlsv11, "it speaks no TLS 1.2 or newer"),
            (false, nil, "it speaks no TLS"),
        ] as [(Bool, TLSVersion?, String)]
    )
    func saysWhatIsWrongWithTLS(hasTLS: Bool, version: TLSVersion?, reason: String) async throws {
        try await ScriptedReceiver.run(tls: hasTLS ? SelfSigned.context(upTo: version) : nil) { receiver in
            let client = DeliveryClient(allowsPrivate: true, userAgent: "test", timeLimit: .seconds(5))
            let url = receiver.url.replacing(/^http:/, with: "https:")
            let outcome = await client.post([], to: try Destination(url, allowsPrivate: true))
            await client.shutdown()
            #expect(outcome == .unanswered(reason: reason))
            #expect(receiver.requests.isEmpty)
        }
    }

    @Test func saysThatTheConnectionEnded() async throws {
        let (outcome, _) = try await Self.outcome(of: .end)
        #expect(outcome == .unanswered(reason: "the connection ended before an answer"))
    }

    /// The second time as if DNS had answered otherwise before: the connection itself is refused.
    @Test(arguments: ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"], [true, false])
    func sendsNothingInside(host: String, checksName: Bool) async throws {
        let (outcome, requests) = try await Self.outcome(
            of: .status(200),
            host: host,
            allowsPrivate: false,
            checksName: checksName
        )
        #expect(
            outcome
                == .unanswered(reason: "the host's address is not public; the setting webhook.allow.private allows it")
        )
        #expect(requests.isEmpty)
    }

    @Test func saysThatNobodyListens() async throws {
        let client = DeliveryClient(allowsPrivate: true, userAgent: "test", timeLimit: .seconds(1))
        let outcome = await client.post([], to: try Destination("http://127.0.0.1:1/", allowsPrivate: true))
        await client.shutdown()
        #expect(outcome == .unanswered(reason: "connection refused"))
    }
}
