import Cryptography
import DeliveryTesting
import EmbeddedPostgres
import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// One daemon for three databases, each with an app of the number 1.
@Suite("What several databases of a daemon keep apart")
struct SeveralDatabasesApartTests {
    private static let apps = [("main", "shop"), ("games", "arcade"), ("third", "casino")]
    private static let form = "application/x-www-form-urlencoded"

    /// A daemon of three databases, and what asks them.
    private struct Setting {
        let daemon: RunningDaemon
        let main: PostgresAddress
        let environment: [String: String]
        /// By their ids.
        let apps: [String: SeveralDatabasesTests.App]
        /// By the names of their databases.
        let pools: [String: PostgresPool]

        func tributary(_ arguments: [String], on name: String) async throws -> Programs.Outcome {
            try await Programs.tributary(
                arguments + ["--database", name],
                database: main,
                environment: environment
            )
        }

        func json(_ arguments: [String], on name: String) async throws -> JSONDocument {
            let outcome = try await tributary(arguments + ["--format", "json"], on: name)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            return try JSONDocument(reading: outcome.output.utf8)
        }

        func post(_ path: String, of app: String, _ json: String) async throws -> RunningDaemon.Answer {
            try await daemon.post(path, key: try #require(apps[app]).write, json)
        }

        func get(_ path: String, of app: String) async throws -> RunningDaemon.Answer {
            try await daemon.send("GET", path, key: try #require(apps[app]).read)
        }
    }

    private static func with(_ body: @Sendable (Setting) async throws -> Void) async throws {
        try await TestDatabases.withSchema { main in
            try await TestDatabases.withSchema { games in
                try await TestDatabases.withSchema { third in
                    var apps: [String: SeveralDatabasesTests.App] = [:]
                    for ((_, id), database) in zip(Self.apps, [main, games, third]) {
                        apps[id] = try await SeveralDatabasesTests.makeApp(id, in: database.address)
                    }
                    let environment = [
                        "TRIBUTARY_DATABASES": "games=\(games.address.keywords);third=\(third.address.keywords)",
                        "TRIBUTARY_WEBHOOK_ALLOW_PRIVATE": "on",
                        "TRIBUTARY_DASHBOARD_URL": "https://stats.example.com",
                    ]
                    try await SeveralDatabasesTests.with(main.address, games.address, environment) { daemon in
                        try await SeveralDatabasesTests.waitFor("third", of: daemon)
                        try await body(
                            Setting(
                                daemon: daemon,
                                main: main.address,
                                environment: environment,
                                apps: apps,
                                pools: ["main": main.pool, "games": games.pool, "third": third.pool]
                            )
                        )
                    }
                }
            }
        }
    }

    /// Each has a webhook, and all webhooks have one receiver.
    @Test func tellsTheWebhooksOfEachOnceAndSignedByTheirOwn() async throws {
        try await ScriptedReceiver.run { receiver in
            try await Self.with { setting in
                var secrets: [String: SigningSecret] = [:]
                for (database, app) in Self.apps {
                    let added = try await setting.json(
                        ["webhook", "add", "--app", app, "--url", receiver.url, "--on", "install", "--settle", "90d"],
                        on: database
                    )
                    secrets[app] = SigningSecret(try #require(added.root["secret"]?.string))
                }
                // A webhook tells of what is stored after it was seen.
                for round in 1...2 {
                    for (index, (_, app)) in Self.apps.enumerated() {
                        let event = SeveralDatabasesTests.event(10 * round + index)
                        #expect(try await setting.post("/v1/events", of: app, event).status == 200)
                    }
                    try await setting.daemon.wait(for: "a word of each") { receiver.requests.count >= 3 * round }
                }
                for request in receiver.requests {
                    let word = try JSONDocument(reading: request.body.utf8).root
                    let app = try #require(word["app_id"]?.string)
                    let signature = try #require(secrets[app]).signature(
                        of: request.body.utf8,
                        id: try #require(request.headers["webhook-id"]),
                        at: try #require(request.headers["webhook-timestamp"].flatMap { Int64($0) })
                    )
                    #expect(request.headers["webhook-signature"] == signature, "\(app)")
                }
                let told = try receiver.requests.map { request in
                    let word = try JSONDocument(reading: request.body.utf8).root
                    return "\(word["app_id"]?.string ?? "") \(word["event"]?["person"]?["user_id"]?.string ?? "")"
                }
                let expected = ["arcade u11", "arcade u21", "casino u12", "casino u22", "shop u10", "shop u20"]
                #expect(told.sorted() == expected)
            }
        }
    }

    /// A tap on a link counts for the app of the link, as between two apps of one database.
    @Test func joinsNoClickWithAnInstallOfAnotherApp() async throws {
        try await Self.with { setting in
            let link = #"""
                {"slug":"sale","target_url":"https://shop.example/sale","append_click_id":true,"ref":"spring"}
                """#
            let made = try await setting.post("/v1/links", of: "shop", link)
            #expect(made.status == 201, "\(made.body)")
            let visit = try await setting.daemon.send(
                "GET",
                "/sale",
                headers: [("host", "go.shop.example"), ("user-agent", SeveralDatabasesTests.browser)],
                followsRedirects: false
            )
            let target = try #require(visit.headers.first(name: "location"))
            let click = String(try #require(target.components(separatedBy: "click_id=").last))
            for (app, installs) in [("shop", 1), ("arcade", 0)] {
                let key = try #require(setting.apps[app]).write
                let known = try await setting.daemon.send("GET", "/v1/deferred-links?click_id=\(click)", key: key)
                #expect(known.status == (installs > 0 ? 200 : 404), "\(known.body)")
                #expect(installs > 0 || known.body.contains("unknown_click"), "\(known.body)")
                let install = #"{"type":"install","device_id":"d-1","click_id":"\#(click)"}"#
                #expect(try await setting.post("/v1/events", of: app, install).status == 200)
                let opened = #"{"device_id":"d-1","url":"https://go.shop.example/sale"}"#
                #expect(try await setting.post("/v1/inbound-links", of: app, opened).status == 200)
                let links = try await setting.get("/v1/reports/links?format=csv", of: app).body
                #expect(links.contains("spring") == (installs > 0), "\(links)")
                let refs = try await setting.get("/v1/reports/refs?format=csv", of: app).body
                #expect(refs.contains("spring") == (installs > 0), "\(refs)")
                let credit = try await setting.get("/v1/attributions?device_id=d-1", of: app)
                #expect(credit.status == 200 && credit.body.contains("spring") == (installs > 0), "\(credit.body)")
            }
        }
    }

    @Test func continuesEachExportWhereItEnded() async throws {
        try await Self.with { setting in
            var cursors: [String: String] = [:]
            for round in 1...2 {
                for (index, (database, app)) in Self.apps.enumerated() {
                    let event = SeveralDatabasesTests.event(10 * round + index)
                    #expect(try await setting.post("/v1/events", of: app, event).status == 200)
                    let pool = try #require(setting.pools[database])
                    try await pool.passHorizon()
                    let exported = try await setting.tributary(
                        ["export", "events", "--app", app, "--since", cursors[app] ?? "0"],
                        on: database
                    )
                    #expect(exported.status == 0, "\(exported.errors)")
                    // The head, and the one that is new.
                    #expect(exported.output.split(separator: "\r\n").count == 2, "\(exported.output)")
                    #expect(exported.output.contains("u\(10 * round + index)"), "\(exported.output)")
                    cursors[app] = try #require(exported.errors.components(separatedBy: "cursor: ").last)
                        .trimmingCharacters(in: .whitespacesAndNewlines)
                }
            }
            let foreign = try await setting.tributary(
                ["export", "events", "--app", "arcade", "--since", try #require(cursors["shop"])],
                on: "games"
            )
            #expect(foreign.status == 64, "\(foreign.errors)")
            let elsewhere = try await setting.tributary(["export", "events", "--app", "shop"], on: "games")
            #expect(elsewhere.status == 64, "\(elsewhere.errors)")
        }
    }

    /// The same person has a password in each, and a session at each dashboard alone.
    @Test func knowsTheSamePersonInEachByAPasswordOfItsOwn() async throws {
        try await Self.with { setting in
            let hosts = ["main": "stats.example.com", "games": "games.stats.example.com"]
            func post(_ path: String, to database: String, _ fields: String) async throws -> RunningDaemon.Answer {
                try await setting.daemon.send(
                    "POST",
                    path,
                    type: Self.form,
                    headers: [("host", try #require(hosts[database]))],
                    body: Array(fields.utf8),
                    followsRedirects: false
                )
            }
            for (database, app) in Self.apps.prefix(2) {
                let invited = try await setting.json(
                    ["user", "invite", "ann@example.com", "--app", app, "--role", "viewer"],
                    on: database
                )
                let link = try #require(invited.root["link"]?.string)
                let parts = link.components(separatedBy: "/account/join?token=")
                #expect(parts.first == "https://\(hosts[database] ?? "")", "\(link)")
                let fields = "token=\(parts.last ?? "")&password=correct+horse+\(database)"
                let elsewhere = try await post("/account/join", to: database == "main" ? "games" : "main", fields)
                #expect(elsewhere.status == 404, "\(elsewhere.body)")
                let joined = try await post("/account/join", to: database, fields)
                #expect(joined.status == 303, "\(joined.body)")
            }
            for database in hosts.keys {
                for password in hosts.keys {
                    let fields = "email=ann%40example.com&password=correct+horse+\(password)"
                    let answer = try await post("/sign-in", to: database, fields)
                    #expect((answer.status == 303) == (database == password), "\(database), \(password)")
                }
            }
        }
    }
}
