import Foundation
import Postgres
import PostgresTesting
import Testing

@Suite("tributary app check")
struct AppCheckTests {
    private static let certificate = Array(repeating: "AB", count: 32).joined(separator: ":")

    /// Runs the body with a daemon and the database of an app that has a link to that daemon's own `/healthz`.
    private static func withApp(
        team: String = "ABCDE12345",
        page: String? = nil,
        _ body: @Sendable (RunningDaemon, TestDatabase) async throws -> Void
    ) async throws {
        try await TestDatabases.withSchema { database in
            // Waiting for the link asks many times in a second.
            let environment = ["TRIBUTARY_LINK_RATE_LIMIT": "0"]
            try await RunningDaemon.with(database: database.address, environment: environment) { daemon in
                for command in [
                    [
                        "app", "create", "--id", "shop", "--name", "Shop", "--link-host", "go.example",
                        "--apple-team-id", team, "--bundle-id", "com.example.shop",
                        "--android-package", "com.example.shop", "--android-cert", certificate,
                    ],
                    [
                        "link", "create", "--slug", "sale", "--fallback", "web",
                        "--target-url", page ?? "\(daemon.baseURL)/healthz",
                    ],
                ] {
                    let outcome = try await Programs.tributary(command, database: database.address)
                    #expect(outcome.status == 0, "\(outcome.errors)")
                }
                try await daemon.wait(for: "the link") {
                    let answer = try await daemon.send(
                        "HEAD",
                        "/sale",
                        headers: [("host", "go.example"), ("user-agent", "Mozilla/5.0 (X11; Linux) Chrome/142.0")],
                        followsRedirects: false
                    )
                    return answer.status == 302
                }
                try await body(daemon, database)
            }
        }
    }

    private static func check(_ database: TestDatabase, _ arguments: [String]) async throws -> Programs.Outcome {
        try await Programs.tributary(["app", "check", "shop"] + arguments, database: database.address)
    }

    @Test func findsNothingWrongWithItsOwnDaemon() async throws {
        try await Self.withApp { daemon, database in
            let outcome = try await Self.check(database, ["--base-url", daemon.baseURL])
            #expect(outcome.status == 0, "\(outcome.output)")
            let lines = outcome.output.split(separator: "\n")
            // Two files, eight visitors, and the page that seven of them get.
            #expect(lines.filter { $0.hasPrefix("ok ") }.count == 11, "\(outcome.output)")
            #expect(lines.contains { $0.contains("TLS was not checked") })
            #expect(lines.contains { $0.contains("Facebook's preview: gets a page (crawler_page)") })
            let clicks = try await database.pool.withConnection { try $0.query("select count(*) from event")[0].int(0) }
            #expect(clicks == 0)
        }
    }

    @Test func warnsOfACarryThatNobodySees() async throws {
        try await TestDatabases.withSchema { database in
            for (arguments, warning) in [
                (["create", "--id", "shop", "--name", "Shop", "--ios-carry", "code"], "no effect without a store"),
                (["update", "shop", "--iphone-store-id", "1", "--deep-linking", "off"], "while deep linking is off"),
                (["update", "shop", "--deep-linking", "on"], nil),
            ] as [([String], String?)] {
                let outcome = try await Programs.tributary(["app"] + arguments, database: database.address)
                #expect(outcome.status == 0)
                let hasWarning = outcome.errors.hasPrefix("warning: settings: --ios-carry has no effect")
                #expect(hasWarning == (warning != nil), "\(outcome.errors)")
                if let warning { #expect(outcome.errors.contains(warning), "\(outcome.errors)") }
            }
        }
    }

    /// The host serves what another database says.
    @Test func saysWhatDiffersFromTheSettings() async throws {
        try await Self.withApp { daemon, _ in
            try await Self.withApp(team: "OTHER12345", page: "\(daemon.baseURL)/nothing") { _, database in
                let outcome = try await Self.check(database, ["--base-url", daemon.baseURL])
                #expect(outcome.status == 65)
                #expect(outcome.output.contains("does not name OTHER12345.com.example.shop"))
                #expect(outcome.output.contains("and it should be \(daemon.baseURL)/nothing"))
                #expect(outcome.output.contains("assetlinks.json is as the settings say"))
            }
        }
    }

    @Test func saysThatAHostCannotBeReached() async throws {
        try await Self.withApp(page: "http://127.0.0.1:1/") { daemon, database in
            let away = try await Self.check(database, ["--base-url", "http://127.0.0.1:1"])
            #expect(away.status == 65 && away.output.contains("go.example: it cannot be reached"))
            // A page of somebody else that is away is no mistake for sure.
            let page = try await Self.check(database, ["--base-url", daemon.baseURL])
            #expect(page.status == 0 && page.output.contains("http://127.0.0.1:1/: it cannot be reached"))
            for (arguments, reason) in [
                (["--base-url", "127.0.0.1:1"], "--base-url must be"), (["--slug", "sales"], "has no link 'sales'"),
            ] {
                let outcome = try await Self.check(database, arguments)
                #expect(outcome.status == 64 && outcome.errors.contains(reason), "\(outcome.errors)")
            }
        }
    }

    @Test func showsWhatOneDeviceSendsAndWhatItsInstallIsCreditedTo() async throws {
        try await Self.withApp { daemon, database in
            let added = try await Programs.tributary(
                ["app", "add-key", "shop", "--scope", "app", "--format", "json"],
                database: database.address
            )
            let key = try #require(added.output.split(separator: "\"").first { $0.hasPrefix("trib_a_") })
            func event(_ type: String, _ device: String, _ more: String = "") -> String {
                #"{"type":"\#(type)","event_id":"\#(UUID())","device_id":"\#(device)"\#(more)}"#
            }
            let events = [
                event("inbound_link", "phone", #","url":"https://shop.example/?fb_ref=gift""#),
                event("install", "phone"), event("app_open", "other"),
            ]
            let body = #"{"events":[\#(events.joined(separator: ","))]}"#
            try await daemon.wait(for: "the key") {
                try await daemon.post("/v1/events", key: String(key), body).status == 200
            }
            let two = try await Self.check(database, ["--listen", "--device", "phone", "--count", "2"])
            #expect(two.status == 0, "\(two.errors)")
            let lines = two.output.split(separator: "\n")
            #expect(lines.count == 2, "\(two.output)")
            // Both happened at once.
            #expect(lines.contains { $0.contains("install  ←") }, "\(two.output)")
            let other = try await Self.check(database, ["--listen", "--device", "other", "--count", "1"])
            #expect(other.output.contains("app_open") && !other.output.contains("install"), "\(other.output)")
        }
    }
}
