import EmbeddedPostgres
import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// One daemon for two databases, `main` and `games`, each with an app of the number 1.
@Suite("A daemon of several databases")
struct SeveralDatabasesTests {
    struct App {
        var write: String
        var read: String
    }

    static let browser = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/144.0"

    static func environment(_ games: PostgresAddress) -> [String: String] {
        [
            "TRIBUTARY_DATABASES": "games=\(games.keywords)", "TRIBUTARY_LINK_RATE_LIMIT": "0",
            "TRIBUTARY_CLICK_WAIT": "10000",
        ]
    }

    static func makeApp(_ id: String, in database: PostgresAddress) async throws -> App {
        let made = try await Programs.tributary(
            ["app", "create", "--id", id, "--name", id, "--link-host", "go.\(id).example", "--format", "json"],
            database: database
        )
        let root = try JSONDocument(reading: made.output.utf8).root
        return App(write: try #require(root["write_key"]?.string), read: try #require(root["read_key"]?.string))
    }

    static func with(
        _ main: PostgresAddress,
        _ games: PostgresAddress,
        _ environment: [String: String] = [:],
        _ body: (RunningDaemon) async throws -> Void
    ) async throws {
        let environment = Self.environment(games).merging(environment) { $1 }
        try await RunningDaemon.with(database: main, isPresent: false, environment: environment) { daemon in
            try await waitFor("main", "games", of: daemon)
            try await body(daemon)
        }
    }

    /// Waits until the databases are there and their spools are empty.
    static func waitFor(_ names: String..., of daemon: RunningDaemon) async throws {
        try await daemon.wait(for: "the databases") {
            let readiness = try await daemon.send("GET", "/readyz").body
            return names.allSatisfy { name in
                readiness.contains(#""\#(name)_database":"present""#)
                    && readiness.contains(#""\#(name)_spool_events":0"#)
            }
        }
    }

    static func event(_ number: Int) -> String {
        let digits = String(number)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return #"{"type":"install","user_id":"u\#(number)","event_id":"\#(id)"}"#
    }

    /// The numbers of the events that a database has, each as often as it has it.
    private static func numbers(_ pool: PostgresPool) async throws -> [Int] {
        try await pool.withConnection { connection in
            try connection.query(
                "select right(event_id::text, 12)::integer from event where type = 'install' order by 1"
            ).map { try $0.int(0) }
        }
    }

    @Test func servesEachAppFromItsOwn() async throws {
        try await TestDatabases.withSchema { main in
            try await TestDatabases.withSchema { games in
                let shop = try await Self.makeApp("shop", in: main.address)
                let arcade = try await Self.makeApp("arcade", in: games.address)
                try await Self.with(main.address, games.address) { daemon in
                    for (app, number) in [(shop, 1), (arcade, 2), (arcade, 3)] {
                        let answer = try await daemon.post("/v1/events", key: app.write, Self.event(number))
                        #expect(answer.status == 200, "\(answer.body)")
                    }
                    let nobody = String(shop.write.dropLast(4)) + "0000"
                    #expect(try await daemon.post("/v1/events", key: nobody, Self.event(4)).status == 401)
                    #expect(try await Self.numbers(main.pool) == [1])
                    #expect(try await Self.numbers(games.pool) == [2, 3])
                    for (app, count) in [(shop, 1), (arcade, 2)] {
                        let report = try await daemon.send("GET", "/v1/reports/channels?format=csv", key: app.read)
                        #expect(report.body.contains("direct,0,0,0,\(count),0,0\r\n"), "\(report.body)")
                    }
                    try await visitLinks(daemon, shop, arcade)
                    let metrics = try await daemon.send("GET", "/metrics").body
                    #expect(metrics.contains("\ntributary_database_present{database=\"games\"} 1\n"))
                    #expect(metrics.contains("\ntributary_store_events_total{database=\"main\"} 2\n"), "\(metrics)")
                }
            }
        }
    }

    /// Both apps have a link of the same slug.
    private func visitLinks(_ daemon: RunningDaemon, _ shop: App, _ arcade: App) async throws {
        for (app, id) in [(shop, "shop"), (arcade, "arcade")] {
            let link = #"{"slug":"sale","target_url":"https://\#(id).example/sale"}"#
            let made = try await daemon.post("/v1/links", key: app.write, link)
            #expect(made.status == 201, "\(made.body)")
            let visit = try await daemon.send(
                "GET",
                "/sale",
                headers: [("host", "go.\(id).example"), ("user-agent", Self.browser)],
                followsRedirects: false
            )
            #expect(visit.headers.first(name: "location")?.hasPrefix("https://\(id).example/sale") == true)
        }
    }

    @Test func hasADashboardForEach() async throws {
        try await TestDatabases.withSchema { main in
            try await TestDatabases.withSchema { games in
                _ = try await Self.makeApp("shop", in: main.address)
                let arcade = try await Self.makeApp("arcade", in: games.address)
                try await Self.with(main.address, games.address) { daemon in
                    func send(_ method: String, _ path: String, _ host: String, cookie: String = "") async throws
                        -> RunningDaemon.Answer
                    {
                        try await daemon.send(
                            method,
                            path,
                            type: "application/x-www-form-urlencoded",
                            headers: [("host", host), ("cookie", cookie)],
                            body: method == "POST" ? Array("key=\(arcade.read)".utf8) : [],
                            followsRedirects: false
                        )
                    }
                    #expect(try await send("POST", "/sign-in", "stats.example.com").status == 401)
                    #expect(try await send("POST", "/sign-in", "games:8080").status == 303)
                    let entered = try await send("POST", "/sign-in", "games.stats.example.com")
                    #expect(entered.status == 303, "\(entered.body)")
                    let cookie = String(try #require(entered.headers.first(name: "set-cookie")).prefix { $0 != ";" })
                    let page = try await send("GET", "/live", "games.stats.example.com", cookie: cookie)
                    #expect(page.status == 200 && page.body.contains("arcade"), "\(page.status)")
                    // The session is unknown to the other database.
                    let other = try await send("GET", "/live", "stats.example.com", cookie: cookie)
                    #expect(other.status == 303 && !other.body.contains("arcade"), "\(other.status)")
                }
            }
        }
    }

    @Test func storesForOneWhileTheOtherIsAway() async throws {
        try await TestDatabases.withSchema { main in
            try await ClusterTemplate.with(named: "games") { cluster, home in
                let games = try await cluster.start()
                let shop = try await Self.makeApp("shop", in: main.address)
                let arcade = try await Self.makeApp("arcade", in: games)
                try await Self.with(main.address, games, ["TRIBUTARY_HOME": home]) { daemon in
                    #expect(try await daemon.post("/v1/events", key: arcade.write, Self.event(1)).status == 200)
                    try await cluster.stop()
                    for number in 2...5 {
                        let answer = try await daemon.post("/v1/events", key: arcade.write, Self.event(number))
                        #expect(answer.status == 202, "\(answer.body)")
                        let other = try await daemon.post("/v1/events", key: shop.write, Self.event(10 + number))
                        #expect(other.status == 200, "\(other.body)")
                    }
                    let ready = try await daemon.send("GET", "/readyz")
                    #expect(ready.status == 200)
                    #expect(ready.body.contains(#""games_database":"away","games_spool_events":4"#), "\(ready.body)")
                    #expect(try await daemon.send("GET", "/v1/reports/channels", key: arcade.read).status == 503)
                    #expect(try await daemon.send("GET", "/v1/reports/channels", key: shop.read).status == 200)
                    // It may be a new key of the database that is away.
                    #expect(try await daemon.post("/v1/events", key: "trib_w_nobody", Self.event(9)).status == 503)
                    _ = try await cluster.start()
                    try await Self.waitFor("main", "games", of: daemon)
                    #expect(try await Self.numbers(main.pool) == [12, 13, 14, 15])
                    let report = try await daemon.send("GET", "/v1/reports/channels?format=csv", key: arcade.read)
                    #expect(report.body.contains("direct,0,0,0,5,0,0\r\n"), "\(report.body)")
                }
            }
        }
    }

    @Test func followsAnAppThatMoves() async throws {
        try await TestDatabases.withSchema { main in
            try await TestDatabases.withSchema { games in
                let shop = try await Self.makeApp("shop", in: main.address)
                let other = try await Self.makeApp("other", in: main.address)
                try await Self.with(main.address, games.address) { daemon in
                    let link = #"{"slug":"sale","target_url":"https://shop.example/sale"}"#
                    #expect(try await daemon.post("/v1/links", key: shop.write, link).status == 201)
                    let move = Task {
                        try await Programs.tributary(
                            ["app", "move", "shop", "--database", "main", "--to", "games", "--yes"],
                            database: main.address,
                            environment: Self.environment(games.address)
                        )
                    }
                    var number = 0
                    var statuses: [Int] = []
                    var isMoved = false
                    // Some are sent after the end, and the last one is stored at once.
                    while number < 2_000 {
                        number += 1
                        let answer = try await daemon.post("/v1/events", key: shop.write, Self.event(number))
                        statuses.append(answer.status)
                        if isMoved, answer.status == 200 { break }
                        if !isMoved, try await Self.hasArrived(games.pool) {
                            isMoved = try await move.value.status == 0
                        }
                        try await Task.sleep(for: .milliseconds(5))
                    }
                    #expect(try await move.value.status == 0)
                    #expect(Set(statuses).isSubset(of: [200, 202]), "\(statuses)")
                    #expect(try await daemon.post("/v1/events", key: other.write, Self.event(5_000)).status == 200)
                    try await Self.waitFor("main", "games", of: daemon)
                    let (there, left) = (try await Self.numbers(games.pool), try await Self.numbers(main.pool))
                    #expect(there == Array(1...number), "\(statuses): there \(there), here \(left)")
                    try await daemon.wait(for: "a click there") {
                        _ = try await daemon.send(
                            "GET",
                            "/sale",
                            headers: [("host", "go.shop.example"), ("user-agent", Self.browser)],
                            followsRedirects: false
                        )
                        return try await Self.clicks(games.pool) > 0
                    }
                    let report = try await daemon.send("GET", "/v1/reports/channels?format=csv", key: shop.read)
                    #expect(report.body.contains(",\(number),0,0\r\n"), "\(report.body)")
                    let readiness = try await daemon.send("GET", "/readyz").body
                    #expect(!readiness.contains("conflicts"), "\(readiness)")
                }
            }
        }
    }

    private static func hasArrived(_ pool: PostgresPool) async throws -> Bool {
        try await pool.withConnection { try !$0.query("select app_id from app").isEmpty }
    }

    private static func clicks(_ pool: PostgresPool) async throws -> Int {
        try await pool.withConnection { try $0.query("select count(*) from event where type = 'link_click'")[0].int(0) }
    }

    @Test func namesWhatTwoDatabasesHave() async throws {
        try await TestDatabases.withSchema { main in
            try await TestDatabases.withSchema { games in
                _ = try await Self.makeApp("shop", in: main.address)
                _ = try await Self.makeApp("shop", in: games.address)
                try await Self.with(main.address, games.address) { daemon in
                    try await daemon.wait(for: "both apps") {
                        try await daemon.send("GET", "/readyz").body.contains(
                            "the host go.shop.example is in the databases main and games; the app shop is in"
                        )
                    }
                }
            }
        }
    }
}
