import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// Both programs as their users run them: processes, sockets, a real PostgreSQL.
@Suite("The service, end to end")
struct ServiceTests {
    struct Keys: Sendable {
        var write: String
        var read: String
    }

    /// A daemon on an empty database, and the keys of an app that the command line has created.
    private func withService(
        environment: [String: String] = [:],
        _ body: @Sendable (RunningDaemon, Keys, TestDatabase) async throws -> Void
    ) async throws {
        try await TestDatabases.withSchema { database in
            let outcome = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--currency", "EUR", "--format", "json"],
                database: database.address
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let root = try JSONDocument(reading: outcome.output.utf8).root
            let keys = Keys(
                write: try #require(root["write_key"]?.string),
                read: try #require(root["read_key"]?.string)
            )
            try await RunningDaemon.with(database: database.address, environment: environment) { daemon in
                try await body(daemon, keys, database)
            }
        }
    }

    private func gzip(_ text: String) async throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-c"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        return Array(try output.fileHandleForReading.readToEnd() ?? Data())
    }

    /// With `off` rejected events stay too: the daemon's role may lack the right to delete them.
    @Test func removesNothingByItselfWhereThatIsOff() async throws {
        try await withService(environment: ["TRIBUTARY_RETENTION_AUTOMATIC": "on"]) { daemon, _, _ in
            #expect(await daemon.logged("rejected_events=") == "\"after")
        }
        try await withService(environment: ["TRIBUTARY_RETENTION_AUTOMATIC": "off"]) { daemon, _, _ in
            #expect(await daemon.stop() == 0)
            #expect(await daemon.logged("rejected_events=") == nil)
        }
    }

    @Test func answersEveryStatusOfTheContract() async throws {
        try await withService { daemon, keys, _ in
            let good = #"{"type":"authentication","user_id":"u1"}"#
            let bad = #"{"type":"conversion","user_id":"u1"}"#
            struct Case {
                var status: Int
                var method = "POST"
                var path = "/v1/events"
                var key: String?
                var type: String? = "application/json"
                var headers: [(String, String)] = []
                var body: String = ""
                var code: String?
            }
            let cases = [
                Case(status: 200, key: keys.write, body: good),
                Case(status: 200, key: keys.write, body: "[\(good),\(bad)]"),
                Case(status: 400, key: keys.write, body: "{", code: "malformed_body"),
                Case(status: 401, body: good, code: "missing_key"),
                Case(status: 401, key: "trib_w_nobody", body: good, code: "unknown_key"),
                Case(status: 403, key: keys.read, body: good, code: "wrong_key_kind"),
                Case(status: 403, method: "GET", path: "/v1/reports/channels", key: keys.write, code: "wrong_key_kind"),
                Case(status: 404, path: "/v1/nothing", key: keys.write, body: good, code: "not_found"),
                Case(status: 400, method: "GET", path: "/v1/reports/nothing", key: keys.read, code: "unknown_report"),
                Case(status: 405, method: "GET", key: keys.write, code: "method_not_allowed"),
                Case(status: 415, key: keys.write, type: "text/plain", body: good, code: "unsupported_media_type"),
                Case(
                    status: 415,
                    key: keys.write,
                    headers: [("content-encoding", "br")],
                    body: good,
                    code: "unsupported_encoding"
                ),
                Case(status: 422, key: keys.write, body: bad, code: "no_valid_event"),
                Case(status: 400, method: "GET", path: "/v1/reports/funnel?steps=nothing", key: keys.read),
                Case(status: 200, method: "GET", path: "/v1/reports/channels", key: keys.read),
                Case(status: 200, method: "GET", path: "/healthz"),
                Case(status: 200, method: "GET", path: "/readyz"),
                Case(status: 200, method: "GET", path: "/metrics"),
                Case(status: 200, method: "GET", path: "/openapi.yaml"),
            ]
            for example in cases {
                let answer = try await daemon.send(
                    example.method,
                    example.path,
                    key: example.key,
                    type: example.type,
                    headers: example.headers,
                    body: Array(example.body.utf8)
                )
                #expect(
                    answer.status == example.status,
                    "\(example.method) \(example.path): \(answer.body.prefix(300))"
                )
                if example.status >= 400 {
                    #expect(answer.headers.first(name: "content-type")?.hasPrefix("application/problem+json") == true)
                    let problem = try JSONDocument(reading: answer.body.utf8).root
                    #expect(problem["code"]?.string != nil)
                    if let code = example.code { #expect(problem["code"]?.string == code) }
                }
            }
        }
    }

    /// Over a plain connection, because an HTTP client that is answered while it still sends may fail.
    @Test func refusesABodyThatIsTooLargeBeforeItHasCome() async throws {
        try await withService { daemon, keys, _ in
            let connection = try SocketConnection(to: daemon.baseURL)
            let head = """
                POST /v1/events HTTP/1.1\r
                host: tributary\r
                authorization: Bearer \(keys.write)\r
                content-type: application/json\r
                content-length: \(9 << 20)\r
                \r

                """
            connection.send(Array(head.utf8) + Array(repeating: UInt8(ascii: " "), count: 1 << 18))
            let received = try #require(connection.receiveAll())
            #expect(SocketConnection.statuses(in: received) == [413])
            #expect(String(decoding: received, as: UTF8.self).contains(#""code":"body_too_large""#))
        }
    }

    @Test func takesEveryBodyThatTheContractNames() async throws {
        try await withService { daemon, keys, database in
            let link =
                #"{"user_id":"u1","url":"fb123://authorize#target_url=http%3A%2F%2Fshop.example%2F%3Fref%3Dabc"}"#
            let form = "user_id=u2&url=https%3A%2F%2Fapps.facebook.com%2Fshop%2F%3Ffb_source%3Dsearch"
            let post = #"{"user_id":"u1","callback_url":"fbconnect://success?post_id=1_2","ref":"abc"}"#
            let lines = """
                {"type":"install","user_id":"u1"}
                no event
                {"type":"conversion","user_id":"u1","name":"buy","value":"3.10","currency":"EUR"}
                """
            let answers = [
                try await daemon.post("/v1/inbound-links", key: keys.write, link),
                try await daemon.send(
                    "POST",
                    "/v1/inbound-links",
                    key: keys.write,
                    type: "application/x-www-form-urlencoded",
                    body: Array(form.utf8)
                ),
                try await daemon.post("/v1/feed-posts", key: keys.write, post),
                try await daemon.send(
                    "POST",
                    "/v1/events",
                    key: keys.write,
                    type: "application/x-ndjson",
                    headers: [("content-encoding", "gzip")],
                    body: try await gzip(lines)
                ),
                try await daemon.post("/v1/feed-posts", key: keys.write, post),
            ]
            let roots = try answers.map { try JSONDocument(reading: $0.body.utf8).root }
            #expect(roots.map { $0["accepted"]?.number } == ["1", "1", "1", "2", "0"])
            #expect(roots.map { $0["duplicates"]?.number } == ["0", "0", "0", "0", "1"])
            #expect(roots[3]["rejected"]?.elements.map { $0["code"]?.string } == ["invalid_json"])

            let channels = try await daemon.send("GET", "/v1/reports/channels?format=csv", key: keys.read)
            #expect(channels.body.contains("search,1,1,0,0,0,0\r\n"))
            #expect(channels.body.contains("story_links,1,1,0,1,1,3.1\r\n"))
            let refs = try await Programs.tributary(["report", "refs", "--app", "shop"], database: database.address)
            #expect(refs.output.contains("abc,1,0,0,0,1.000000,1,1,1,0,1,1,3.1,1.000000,1.000000\r\n"))
        }
    }

    @Test func endsWithZeroWhenAsked() async throws {
        try await withService { daemon, keys, database in
            let answer = try await daemon.post("/v1/events", key: keys.write, #"{"type":"install","user_id":"u1"}"#)
            #expect(answer.status == 200)
            #expect(await daemon.stop() == 0)
            let count = try await database.pool.withConnection { try $0.query("select count(*) from event")[0].int(0) }
            #expect(count == 1)
            #expect(!daemon.logText.contains(keys.write))
        }
    }

    /// The daemon is killed between two answers. Every answered event must be stored.
    @Test func losesNothingWhenKilled() async throws {
        try await withService { daemon, keys, database in
            var answered: [String] = []
            for _ in 0..<50 {
                let id = UUID().uuidString.lowercased()
                let event = #"{"type":"install","user_id":"u","event_id":"\#(id)"}"#
                let answer = try await daemon.post("/v1/events", key: keys.write, event)
                if answer.status == 200 { answered.append(id) }
            }
            kill(daemon.processID, SIGKILL)
            _ = await daemon.exitStatus()
            let stored = try await database.pool.withConnection { connection in
                try connection.query("select event_id::text from event").map { try $0.text(0) }
            }
            #expect(answered.count == 50)
            #expect(Set(stored) == Set(answered))
        }
    }
}
