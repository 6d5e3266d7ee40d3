import Events
import HTTPTypes
import HummingbirdTesting
import JSONReading
import NIOCore
import Testing

@testable import Ingest

/// docs/access-matrix.md, *Over HTTP*: every pair is tried.
@Suite("Who may do what over HTTP")
struct AccessTableTests {
    /// In the order of the table's columns.
    private static let keys: [(name: String, key: String?)] = [
        ("no key", nil), ("`write`", KnownKeys.write), ("`read`", KnownKeys.read), ("`manage`", KnownKeys.manage),
        ("`app`", KnownKeys.app),
    ]

    private static func path(of route: String) -> String {
        route.replacing("{name}", with: "channels").replacing("{file}", with: "a.csv").replacing("{number}", with: "7")
            .replacing("{slug}", with: "abc")
    }

    @Test(arguments: AccessTable.http.rows.indices) func isAsTheTableSays(index: Int) async throws {
        let row = AccessTable.http.rows[index]
        #expect(AccessTable.http.columns == Self.keys.map(\.name))
        let methods = row.what == "GET" ? ["GET", "HEAD"] : [row.what]
        for (method, (name, key)) in methods.flatMap({ method in Self.keys.map { (method, $0) } }) {
            let isAllowed = row.isAllowed[Self.keys.firstIndex { $0.name == name } ?? 0]
            // A refused sender of events has to connect again.
            try await Daemon().test { client in
                let answer = try await client.execute(
                    uri: Self.path(of: row.path),
                    method: try #require(HTTPRequest.Method(method)),
                    headers: key.map { [.authorization: "Bearer \($0)"] } ?? [:]
                )
                let isRefused = [.unauthorized, .forbidden].contains(answer.status)
                #expect(isRefused == !isAllowed, "\(method) \(row.path) with \(name): \(answer.status)")
                guard isRefused, method != "HEAD" else { return }
                if key == nil {
                    try expectProblem(answer, "missing_key", 401)
                } else {
                    try expectProblem(answer, "wrong_key_kind", 403)
                }
            }
        }
    }

    /// What each call that changes something is sent.
    private static let bodies: [String: (type: String, text: String)] = [
        "POST /v1/links": ("application/json", #"{"slug":"abc","target_url":"https://shop.example/"}"#),
        "PATCH /v1/links/{slug}": ("application/json", #"{"title":"New"}"#),
        "DELETE /v1/links/{slug}": ("application/json", ""),
        "POST /v1/costs": ("application/json", #"{"ref":"mail","from":"2026-11-01","amount":"1"}"#),
        "DELETE /v1/costs/{number}": ("application/json", ""),
        "PUT /v1/rates": ("text/csv", "a,b"),
        "DELETE /v1/rates": ("text/csv", ""),
    ]

    /// Otherwise the log of changes would name somebody else.
    @Test func saysWhoseKeyChangesSomething() async throws {
        let calls = Route.all.filter { !$0.isWrite }.flatMap { route in
            route.methods.filter { !["GET", "HEAD"].contains($0) }.map { (method: $0, pattern: route.pattern) }
        }
        #expect(Set(calls.map { "\($0.method) \($0.pattern)" }) == Set(Self.bodies.keys))
        let daemon = Daemon()
        try await daemon.test { client in
            for (method, pattern) in calls {
                let body = try #require(Self.bodies["\(method) \(pattern)"])
                _ = try await client.execute(
                    uri: Self.path(of: pattern),
                    method: try #require(HTTPRequest.Method(method)),
                    headers: [.authorization: "Bearer \(KnownKeys.manage)", .contentType: body.type],
                    body: .init(string: body.text)
                )
                let changers = daemon.links.changers.all + daemon.costs.changers.all + daemon.rates.changers.all
                #expect(changers.last == "trib_manage", "\(method) \(pattern)")
            }
        }
        let changers = daemon.links.changers.all + daemon.costs.changers.all + daemon.rates.changers.all
        #expect(changers.count == calls.count && changers.allSatisfy { $0 == "trib_manage" })
    }

    /// With a key of another app, a call finds and changes what the other app has.
    @Test func endsWithTheApp() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            let link = #"{"slug":"abc","target_url":"https://shop.example/"}"#
            #expect(try await client.post("/v1/links", link, key: KnownKeys.manage).status == .created)
            for key in [KnownKeys.otherWrite, KnownKeys.otherManage] {
                func execute(_ method: HTTPRequest.Method) async throws -> TestResponse {
                    try await client.execute(
                        uri: "/v1/links/abc",
                        method: method,
                        headers: [.authorization: "Bearer \(key)", .contentType: "application/json"],
                        body: .init(string: #"{"title":"Theirs"}"#)
                    )
                }
                try expectProblem(try await execute(.patch), "unknown_link", 404)
                try expectProblem(try await execute(.delete), "unknown_link", 404)
            }
            let unknown = try await client.get("/v1/links/abc", key: KnownKeys.otherManage)
            try expectProblem(unknown, "unknown_link", 404)
            #expect(try await client.get("/v1/links/abc", key: KnownKeys.manage).status == .ok)
            #expect(try await client.post("/v1/events", #"{"type":"app_open","device_id":"a"}"#).status == .ok)
            let theirs = #"{"type":"app_open","device_id":"b"}"#
            #expect(try await client.post("/v1/events", theirs, key: KnownKeys.otherWrite).status == .ok)
        }
        #expect(daemon.sink.batches.map(\.appNumber) == [7, 8])
    }
}
