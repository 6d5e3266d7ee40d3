import EmbeddedPostgres
import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// Visitors of short links, with real daemons and a real database.
@Suite("Visitors of short links, end to end")
struct RedirectTests {
    private static let host = "go.example.com"
    private static let target = "https://www.example.com/sale"
    private static let desktop =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/26.4 Mobile/15E148 Safari/604.1"
    /// All requests of a test come from one address. However busy the machine is, clicks wait for the database.
    private static let environment = ["TRIBUTARY_LINK_RATE_LIMIT": "0", "TRIBUTARY_CLICK_WAIT": "10000"]

    /// Creates the app `shop` with its host and the link `sale`.
    private func createShop(_ database: PostgresAddress) async throws {
        for arguments in [
            ["app", "create", "--id", "shop", "--name", "Shop", "--link-host", Self.host, "--android-package", "a.b"],
            ["link", "create", "--app", "shop", "--slug", "sale", "--target-url", Self.target, "--ref", "summer"],
        ] {
            let outcome = try await Programs.tributary(arguments, database: database)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
    }

    private func visit(
        _ daemon: RunningDaemon,
        _ path: String = "/sale",
        method: String = "GET",
        agent: String = desktop
    ) async throws -> RunningDaemon.Answer {
        try await daemon.send(
            method,
            path,
            headers: [("host", Self.host), ("user-agent", agent)],
            followsRedirects: false
        )
    }

    /// Asks until the answer has a status.
    private func wait(
        _ daemon: RunningDaemon,
        _ path: String = "/sale",
        for status: Int
    ) async throws -> RunningDaemon.Answer {
        for _ in 0..<20_000 {
            let answer = try await visit(daemon, path, method: "HEAD")
            if answer.status == status { return answer }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("\(path) was never answered with \(status)")
        return try await visit(daemon, path, method: "HEAD")
    }

    private func query<Value: Sendable>(
        _ database: PostgresAddress,
        _ sql: String,
        _ read: @Sendable @escaping ([PostgresRow]) throws -> Value
    ) async throws -> Value {
        let connection = try await PostgresConnection.connect(to: database)
        let value = try await connection.run { try read(try $0.query(sql).map { $0 }) }
        await connection.close()
        return value
    }

    private func clicks(_ database: PostgresAddress) async throws -> Int {
        try await query(database, "select count(*) from event where type = 'link_click'") { try $0[0].int(0) }
    }

    @Test func areStoredBeforeTheyAreSentOn() async throws {
        try await TestDatabases.withSchema { database in
            let address = database.address
            try await createShop(address)
            try await RunningDaemon.with(database: address, environment: Self.environment) { daemon in
                _ = try await wait(daemon, for: 302)
                for number in 1...20 {
                    let answer = try await visit(daemon, "/sale?utm_source=a")
                    #expect(answer.status == 302)
                    #expect(answer.headers["location"] == [Self.target + "?utm_source=a"])
                    #expect(try await clicks(address) == number)
                }
                let android = "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/142.0.0.0 Mobile Safari/537.36"
                let store = try await visit(daemon, agent: android)
                let location = try #require(store.headers["location"].first)
                #expect(location.hasPrefix("https://play.google.com/store/apps/details?id=a.b&referrer=click_id%3D"))
                let id = try #require(location.components(separatedBy: "click_id%3D").last?.prefix(36))
                let sql = "select click_id, refs, properties from event where event_id = '\(id)'"
                let (clickID, refs, properties) = try await query(address, sql) { rows in
                    let row = try #require(rows.first)
                    return (try row.text(0), try row.textArray(1), try row.text(2))
                }
                #expect(clickID == String(id))
                #expect(refs == ["summer"])
                #expect(properties.contains("store_android"))
                #expect(try await visit(daemon, agent: "facebookexternalhit/1.1").status == 200)
            }
            // The daemon has written its counts when it ended.
            let hits = try await query(address, "select preview, head >= 1 from link_hits") { rows in
                try rows.map { [String(try $0.int(0)), String(try $0.bool(1))] }
            }
            #expect(hits == [["1", "true"]])
        }
    }

    /// The app that a click led to is opened with the click's id: one touch, at the click, in the report of links too.
    @Test func areOneTouchWithTheOpenThatFollows() async throws {
        try await TestDatabases.withSchema { database in
            let address = database.address
            try await createShop(address)
            try await RunningDaemon.with(database: address, environment: Self.environment) { daemon in
                _ = try await wait(daemon, for: 302)
                let android = "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/142.0.0.0 Mobile Safari/537.36"
                let location = try #require(try await visit(daemon, agent: android).headers["location"].first)
                let id = try #require(location.components(separatedBy: "click_id%3D").last?.prefix(36))
                let events = """
                    {"type":"inbound_link","device_id":"phone","click_id":"\(id)","url":"https://\(Self.host)/SALE?x=1"}
                    {"type":"install","device_id":"phone","install_referrer":"click_id=\(id)&utm_source=summer"}
                    """
                let imported = try await Programs.tributary(
                    ["import", "--app", "shop", "-"],
                    database: address,
                    input: events + "\n"
                )
                #expect(imported.status == 0, "\(imported.errors)")
            }
            func report(_ name: String) async throws -> [String] {
                let told = try await Programs.tributary(
                    ["report", name, "--app", "shop", "--format", "csv"],
                    database: address
                )
                return told.output.components(separatedBy: "\r\n")
            }
            let links = try await report("links")
            #expect(
                links.dropFirst().first?.hasPrefix("go.example.com/sale,go.example.com,summer,1,1,0,0,1,0,0,") == true
            )
            #expect(try await report("channels").dropLast().last?.hasPrefix("total,1,1,0,1,0,") == true)
        }
    }

    @Test func goWhereTheLinkLeadsNowOnEveryDaemon() async throws {
        try await TestDatabases.withSchema { database in
            let address = database.address
            try await createShop(address)
            try await RunningDaemon.with(database: address, environment: Self.environment) { first in
                try await RunningDaemon.with(database: address, environment: Self.environment) { second in
                    for arguments in [
                        ["link", "create", "--app", "shop", "--slug", "new", "--target-url", Self.target],
                        ["link", "update", "sale", "--app", "shop", "--disabled", "on"],
                    ] {
                        let outcome = try await Programs.tributary(arguments, database: address)
                        try #require(outcome.status == 0, "\(outcome.errors)")
                    }
                    for daemon in [first, second] {
                        _ = try await wait(daemon, "/new", for: 302)
                        _ = try await wait(daemon, "/sale", for: 410)
                    }
                    let deletion = try await Programs.tributary(
                        ["link", "delete", "new", "--app", "shop", "--yes"],
                        database: address
                    )
                    try #require(deletion.status == 0, "\(deletion.errors)")
                    for daemon in [first, second] { _ = try await wait(daemon, "/new", for: 404) }
                }
            }
        }
    }

    /// From the page before the App Store to the answer that names the link: by paste and by code, and by paste alone
    /// if the click has waited in the spool.
    @Test func carryTheirClickToTheApp() async throws {
        try await ClusterTemplate.with(named: "carry") { cluster, home in
            let database = try await cluster.start()
            let keys = try await Programs.tributary(
                [
                    "app", "create", "--id", "shop", "--name", "Shop", "--link-host", Self.host, "--ios-carry", "both",
                    "--iphone-store-id", "1", "--format", "json",
                ],
                database: database
            )
            try #require(keys.status == 0, "\(keys.errors)")
            let root = try JSONDocument(reading: keys.output.utf8).root
            let (writeKey, readKey) = (try #require(root["write_key"]?.string), try #require(root["read_key"]?.string))
            let link = try await Programs.tributary(
                ["link", "create", "--app", "shop", "--slug", "sale", "--target-url", Self.target, "--ref", "summer"],
                database: database
            )
            try #require(link.status == 0, "\(link.errors)")
            let environment = ["TRIBUTARY_HOME": home].merging(Self.environment) { $1 }
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                func find(_ parameter: String, _ value: String, device: String? = nil) async throws
                    -> (status: Int, clickID: String?)
                {
                    let encoded = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                    let answer = try await daemon.send(
                        "GET",
                        "/v1/deferred-links?\(parameter)=\(encoded)" + (device.map { "&device_id=\($0)" } ?? ""),
                        key: writeKey
                    )
                    return (answer.status, try JSONDocument(reading: answer.body.utf8).root["click_id"]?.string)
                }
                func expectCredit(of device: String, to click: String) async throws {
                    let event = #"{"type":"install","device_id":"\#(device)","click_id":"\#(click)"}"#
                    let sent = try await daemon.send("POST", "/v1/events", key: writeKey, body: Array(event.utf8))
                    #expect(sent.status == 200)
                    let path = "/v1/attributions?device_id=\(device)&event=install"
                    let answer = try await daemon.send("GET", path, key: readKey)
                    let credits = try JSONDocument(reading: answer.body.utf8).root["credits"]
                    let credit = credits?.elements.first { _ in true }
                    #expect(credit?["link"]?.string == "go.example.com/sale")
                    #expect(credit?["refs"]?.elements.map(\.string) == ["summer"])
                }
                _ = try await wait(daemon, for: 302)

                let page = try await visit(daemon, agent: Self.iPhone)
                #expect(page.headers["set-cookie"].isEmpty)
                let copied = try #require(Self.part(of: page.body, after: "data-copied=\"", before: "\""))
                let code = try #require(Self.part(of: page.body, after: "dir=\"ltr\"><span>", before: "</p>"))
                    .replacing("<span>", with: "").replacing("</span>", with: "")
                let pasted = try await find("text", "Look: \(copied)")
                let typed = try await find("code", code.lowercased(), device: "phone")
                let click = try #require(pasted.clickID)
                #expect(pasted.status == 200 && typed.status == 200 && typed.clickID == click)
                #expect(try await find("code", code, device: "phone").status == 200)
                #expect(try await find("code", code, device: "tablet").status == 404)
                #expect(try await find("text", Self.target).status == 404)
                try await expectCredit(of: "phone", to: click)

                try await cluster.stop()
                let away = try await visit(daemon, agent: Self.iPhone)
                #expect(away.status == 200 && !away.body.contains("class=\"code\""))
                let link = try #require(Self.part(of: away.body, after: "data-copied=\"", before: "\""))
                #expect(try await daemon.send("GET", "/v1/deferred-links?text=x", key: writeKey).status == 404)
                _ = try await cluster.start()
                try await daemon.waitForDatabase()
                var found = try await find("text", link)
                for _ in 0..<20_000 where found.status != 200 { found = try await find("text", link) }
                try await expectCredit(of: "later", to: try #require(found.clickID))
            }
            let report = try await Programs.tributary(
                ["report", "links", "--app", "shop", "--format", "csv", "--columns", "clicks,returned,return_rate"],
                database: database
            )
            #expect(report.output.hasPrefix("clicks,returned,return_rate\r\n2,2,1.000000\r\n"), "\(report.output)")
        }
    }

    private static func part(of text: String, after start: String, before end: String) -> String? {
        guard let from = text.range(of: start) else { return nil }
        let rest = text[from.upperBound...]
        return rest.range(of: end).map { String(rest[..<$0.lowerBound]) }
    }

    @Test func areSentOnWithoutTheDatabaseAndCountedOnce() async throws {
        try await ClusterTemplate.with(named: "visits") { cluster, home in
            let database = try await cluster.start()
            try await createShop(database)
            let environment = ["TRIBUTARY_HOME": home].merging(Self.environment) { $1 }
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                _ = try await wait(daemon, for: 302)
                #expect(try await visit(daemon).status == 302)
                try await cluster.stop()
                for _ in 0..<3 { #expect(try await visit(daemon, agent: Self.iPhone).status == 302) }
                // It may be a link that was created somewhere else since.
                let unknown = try await wait(daemon, "/unknown", for: 503)
                #expect(unknown.headers["retry-after"] == ["5"])
                kill(daemon.processID, SIGKILL)
                _ = await daemon.exitStatus()
            }
            // Started without its database, the daemon knows the links of its last run.
            try await RunningDaemon.with(database: database, isPresent: false, environment: environment) { daemon in
                for _ in 0..<2 {
                    let answer = try await visit(daemon)
                    #expect(answer.status == 302)
                    #expect(answer.headers["location"] == [Self.target])
                }
                _ = try await cluster.start()
                try await daemon.waitForDatabase()
                var count = 0
                for _ in 0..<20_000 where count < 6 { count = try await clicks(database) }
                #expect(count == 6)
                _ = try await wait(daemon, "/unknown", for: 404)
                let twice = "select count(*) - count(distinct event_id) from event"
                let doubled = try await query(database, twice) { try $0[0].int(0) }
                #expect(doubled == 0)
            }
        }
    }
}
