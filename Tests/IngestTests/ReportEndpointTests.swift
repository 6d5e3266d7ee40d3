import Foundation
import HTTPTypes
import HummingbirdTesting
import JSONReading
import NIOCore
import Testing

@testable import Ingest

@Suite("Reading reports")
struct ReportEndpointTests {
    @Test func answersJSONByDefault() async throws {
        try await Daemon().test { client in
            let response = try await client.get("/v1/reports/channels?from=2026-11-01&to=2026-11-21")
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "application/json")
            #expect(response.headers[.cacheControl] == "private, no-cache")
            #expect(response.headers[.vary] == "Accept, Authorization")
            #expect(response.text == #"[{"asked":"from=2026-11-01&to=2026-11-21"}]"#)
        }
    }

    @Test(arguments: [
        ("/v1/reports/channels", "text/csv", "text/csv; charset=utf-8"),
        ("/v1/reports/channels?format=csv", "application/json", "text/csv; charset=utf-8"),
        ("/v1/reports/channels?format=json", "text/csv", "application/json"),
    ])
    func answersInTheFormatThatWasAskedFor(uri: String, accept: String, type: String) async throws {
        try await Daemon().test { client in
            let response = try await client.get(uri, headers: [.accept: accept])
            #expect(response.headers[.contentType] == type)
            #expect(!response.text.contains("format"))
        }
    }

    @Test func answers304ForWhatTheReaderHas() async throws {
        try await Daemon().test { client in
            let first = try await client.get("/v1/reports/channels")
            let tag = try #require(first.headers[.eTag])
            let second = try await client.get("/v1/reports/channels", headers: [.ifNoneMatch: tag])
            #expect(second.status == .notModified)
            #expect(second.headers[.eTag] == tag)
            #expect(second.body.readableBytes == 0)
            let other = try await client.get("/v1/reports/channels?tz=UTC", headers: [.ifNoneMatch: tag])
            #expect(other.status == .ok)
        }
    }

    /// A list of people is sent piece by piece.
    @Test func sendsALongTextWhole() async throws {
        try await Daemon().test { client in
            let whole = try await client.get("/v1/reports/channels?people=touches&format=csv")
            #expect(whole.text == String(repeating: "search,user,é\r\n", count: 20_000))
            #expect(whole.headers[.contentLength] == "320000")
            let tag = try #require(whole.headers[.eTag])
            let again = try await client.get(
                "/v1/reports/channels?people=touches&format=csv",
                headers: [.ifNoneMatch: tag]
            )
            #expect(again.status == .notModified && again.body.readableBytes == 0)
            let head = try await client.get("/v1/reports/channels?people=touches", method: .head)
            #expect(head.headers[.contentLength] == "320000" && head.body.readableBytes == 0)
        }
    }

    @Test func answersHEADWithoutABody() async throws {
        try await Daemon().test { client in
            let whole = try await client.get("/v1/reports/channels")
            let head = try await client.get("/v1/reports/channels", method: .head)
            #expect(head.status == .ok)
            #expect(head.body.readableBytes == 0)
            #expect(head.headers[.eTag] == whole.headers[.eTag])
            #expect(head.headers[.contentLength] == whole.headers[.contentLength])
        }
    }

    @Test func givesCSVAFileName() async throws {
        try await Daemon().test { client in
            let csv = try await client.get("/v1/reports/channels?format=csv")
            #expect(csv.headers[.contentDisposition] == "attachment; filename=\"channels-shop.csv\"")
            let json = try await client.get("/v1/reports/channels")
            #expect(json.headers[.contentDisposition] == nil)
        }
    }

    /// A reader without a key is told both ways to send one.
    @Test func asksForAKeyInBothWays() async throws {
        try await Daemon().test { client in
            let response = try await client.get("/v1/reports/channels", key: nil)
            #expect(
                response.headers[values: .wwwAuthenticate] == [
                    #"Bearer realm="tributary""#, #"Basic realm="tributary", charset="UTF-8""#,
                ]
            )
        }
    }

    @Test(arguments: [
        ("anybody:\(KnownKeys.read)", 200), (":\(KnownKeys.read)", 200), ("\(KnownKeys.read):", 200),
        ("anybody:nobody", 401), ("anybody:\(KnownKeys.write)", 403), (":", 401), (KnownKeys.read, 401),
    ])
    func takesTheKeyAsAPassword(credentials: String, status: Int) async throws {
        try await Daemon().test { client in
            let basic = "Basic \(Data(credentials.utf8).base64EncodedString())"
            let response = try await client.get(
                "/v1/reports/channels",
                key: nil,
                headers: [.authorization: basic]
            )
            #expect(response.status.code == status)
        }
    }

    @Test func takesNoKeyFromTheURL() async throws {
        try await Daemon().test { client in
            let path = "/v1/reports/channels?access_token=\(KnownKeys.read)&key=\(KnownKeys.read)"
            try expectProblem(try await client.get(path, key: nil), "missing_key", 401)
        }
    }

    @Test func refusesAReportThatThereIsNot() async throws {
        try await Daemon().test { client in
            let response = try await client.get("/v1/reports/nothing")
            let answer = try expectProblem(response, "unknown_report", 400)
            #expect(answer["field"]?.string == "report")
            #expect(answer["allowed"]?.elements.map(\.string) == ["channels"])
        }
    }

    @Test func refusesAnUnknownFormat() async throws {
        try await Daemon().test { client in
            let response = try await client.get("/v1/reports/channels?format=xml")
            let answer = try expectProblem(response, "invalid_parameter", 400)
            #expect(answer["field"]?.string == "format")
            #expect(!response.text.contains("xml"))
        }
    }

    @Test func refusesABadQuery() async throws {
        try await Daemon().test { client in
            try expectProblem(try await client.get("/v1/reports/channels?from=%zz"), "malformed_request", 400)
        }
    }

    @Test func tellsWhichParameterIsWrong() async throws {
        let failure = AnswerFailure.invalidParameter(
            message: "by is channel or ref",
            field: "by",
            allowed: ["channel", "ref"]
        )
        try await Daemon(reports: CannedReports(failure: failure)).test { client in
            let answer = try expectProblem(try await client.get("/v1/reports/channels"), "invalid_parameter", 400)
            #expect(answer["detail"]?.string == "by is channel or ref")
            #expect(answer["field"]?.string == "by")
            #expect(answer["allowed"]?.count == 2)
        }
    }

    @Test(arguments: [
        (AnswerFailure.unavailable(retryAfter: .seconds(5)), "unavailable", "5"), (.timedOut, "timed_out", "1"),
        (.overloaded(retryAfter: .seconds(1)), "overloaded", "1"),
    ])
    func tellsTheReaderToTryAgain(failure: AnswerFailure, code: String, retryAfter: String) async throws {
        try await Daemon(reports: CannedReports(failure: failure)).test { client in
            let response = try await client.get("/v1/reports/channels")
            try expectProblem(response, code, 503)
            #expect(response.headers[.retryAfter] == retryAfter)
        }
    }

    /// By the deadline, the daemon may know that the database hangs: a shorter range would take as long.
    @Test(arguments: [(true, "unavailable", "2"), (false, "timed_out", "1")])
    func saysWhyAReportTookTooLong(isAway: Bool, code: String, retryAfter: String) async throws {
        var daemon = Daemon(isAway: isAway)
        daemon.limits.reportDeadline = .milliseconds(20)
        try await daemon.test { client in
            let response = try await client.get("/v1/reports/endless")
            try expectProblem(response, code, 503)
            #expect(response.headers[.retryAfter] == retryAfter)
        }
    }

    @Test func runsOnlySoManyAtOnce() async throws {
        var daemon = Daemon()
        daemon.limits.reportsInFlight = 0
        try await daemon.test { client in
            try expectProblem(try await client.get("/v1/reports/channels"), "overloaded", 503)
        }
    }

    @Test func needsAReadKey() async throws {
        try await Daemon().test { client in
            let path = "/v1/reports/channels"
            try expectProblem(try await client.get(path, key: nil), "missing_key", 401)
            try expectProblem(try await client.get(path, key: "nobody"), "unknown_key", 401)
            try expectProblem(try await client.get(path, key: KnownKeys.write), "wrong_key_kind", 403)
        }
    }
}
