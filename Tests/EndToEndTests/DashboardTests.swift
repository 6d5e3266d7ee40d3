import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// The dashboard of the real daemon, as a browser without scripts sees it. `scripts/check-dashboard` uses a real one.
@Suite("The dashboard, end to end")
struct DashboardTests {
    private static func with(
        _ body: @Sendable (RunningDaemon, _ readKey: String, _ writeKey: String) async throws -> Void
    ) async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let made = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop <b>", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: made.output.utf8).root
            let readKey = try #require(keys["read_key"]?.string)
            let writeKey = try #require(keys["write_key"]?.string)
            try await RunningDaemon.with(database: database.address) { daemon in
                let event = #"{"type":"link_click","user_id":"u","url":"https://x.example/?ref=<i>"}"#
                #expect(try await daemon.post("/v1/events", key: writeKey, event).status == 200)
                try await body(daemon, readKey, writeKey)
            }
        }
    }

    private static func cookie(_ key: String) -> [(String, String)] { [("cookie", "tributary_read_key=\(key)")] }

    @Test func asksStrangersToSignIn() async throws {
        try await Self.with { daemon, _, writeKey in
            for path in ["/", "/funnels?by=ref", "/attribution", "/retention", "/live", "/csv/channels.csv"] {
                for headers in [[], Self.cookie("trib_r_nonsense"), Self.cookie(writeKey)] {
                    let answer = try await daemon.send("GET", path, headers: headers)
                    #expect(answer.status == 303 || answer.body.contains("Sign in"), "\(path)")
                    #expect(!answer.body.contains("Shop"))
                }
            }
        }
    }

    @Test(arguments: [
        ("sec-fetch-site", "cross-site", true), ("sec-fetch-site", "same-site", true),
        ("origin", "https://evil.example", true), ("origin", "null", true),
        ("sec-fetch-site", "same-origin", false), ("origin", "http://127.0.0.1:1", false),
        ("accept", "text/html", false),
    ])
    func refusesTheFormsOfOtherSites(header: String, value: String, isRefused: Bool) async throws {
        try await Self.with { daemon, readKey, _ in
            let form = "application/x-www-form-urlencoded"
            for path in ["/sign-in", "/sign-out"] {
                let body = Array("key=\(readKey)".utf8)
                let answer = try await daemon.send("POST", path, type: form, headers: [(header, value)], body: body)
                // The client follows the redirect of a form that is taken.
                #expect(answer.status == (isRefused ? 403 : 200), "\(path)")
                #expect(answer.headers.first(name: "set-cookie") == nil)
            }
        }
    }

    @Test func showsAPageAtAWrongAddress() async throws {
        try await Self.with { daemon, _, _ in
            let page = try await daemon.send("GET", "/funnel", headers: [("accept", "text/html,*/*")])
            #expect(page.status == 404 && page.body.contains("no page at this address"))
            for (path, accept) in [("/funnel", "*/*"), ("/v1/event", "text/html")] {
                let problem = try await daemon.send("GET", path, headers: [("accept", accept)])
                #expect(problem.status == 404 && problem.body.contains("not_found"), "\(path)")
            }
        }
    }

    @Test func showsEveryViewInsideItsPolicy() async throws {
        try await Self.with { daemon, readKey, _ in
            for path in ["/", "/funnels?by=ref", "/attribution?by=ref&event=conversion", "/retention", "/live"] {
                let answer = try await daemon.send("GET", path, headers: Self.cookie(readKey))
                #expect(answer.status == 200, "\(path)")
                #expect(answer.body.contains("Shop &lt;b&gt;"))
                // Nothing inline: the content security policy would block it.
                #expect(
                    !answer.body.contains("<b>") && !answer.body.contains("<i>") && !answer.body.contains(" style=")
                )
                #expect(!answer.body.contains(readKey))
                let policy = answer.headers.first(name: "content-security-policy") ?? ""
                #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
                #expect(answer.headers.first(name: "cache-control") == "private, no-store")
            }
        }
    }

    @Test func givesTheReportsOwnBytesAsCSV() async throws {
        try await Self.with { daemon, readKey, _ in
            let range = "from=2026-01-01&to=2100-01-01"
            for report in ["channels", "refs", "funnel", "installs", "attribution", "retention"] {
                let shown = try await daemon.send("GET", "/csv/\(report).csv?\(range)", headers: Self.cookie(readKey))
                let asked = try await daemon.send("GET", "/v1/reports/\(report)?format=csv&\(range)", key: readKey)
                #expect(shown.status == 200)
                #expect(shown.body == asked.body)
            }
        }
    }

    @Test func saysWhatTheAddressBarHasWrong() async throws {
        try await Self.with { daemon, readKey, _ in
            for (path, reason) in [
                ("/?from=nonsense", "must be a date"), ("/funnels?steps=install,nonsense", "nonsense"),
                ("/attribution?by=moon", "moon"), ("/retention?period=century", "century"),
            ] {
                let answer = try await daemon.send("GET", path, headers: Self.cookie(readKey))
                #expect(answer.status == 400, "\(path)")
                #expect(answer.body.contains("role=\"alert\"") && answer.body.contains(reason), "\(path)")
            }
            #expect(try await daemon.send("GET", "/nothing", headers: Self.cookie(readKey)).status == 404)
            #expect(try await daemon.send("GET", "/csv/nothing.csv", headers: Self.cookie(readKey)).status == 400)
        }
    }
}
