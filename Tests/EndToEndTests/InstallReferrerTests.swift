import Foundation
import JSONReading
import NIOHTTP1
import PostgresTesting
import Testing

/// What Google Play passes on to the app joins the install to the click on a short link.
@Suite("The install referrer, end to end")
struct InstallReferrerTests {
    private static let visitor = [
        ("host", "go.example.com"),
        ("user-agent", "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/142.0.0.0 Mobile Safari/537.36"),
    ]

    private func send(_ daemon: RunningDaemon, _ method: String) async throws -> RunningDaemon.Answer {
        try await daemon.send(method, "/sale", headers: Self.visitor, followsRedirects: false)
    }

    /// Follows the link to the store once, and returns the text that Google Play makes of its address.
    private func follow(_ daemon: RunningDaemon) async throws -> String {
        // A HEAD is no click.
        try await daemon.wait(for: "the link") { try await send(daemon, "HEAD").status == 302 }
        let store = try await send(daemon, "GET")
        let address = try #require(store.headers["location"].first)
        let encoded = try #require(address.components(separatedBy: "&referrer=").last)
        return try #require(encoded.removingPercentEncoding)
    }

    private func install(_ device: String, _ referrer: String) -> String {
        #"{"type":"install","device_id":"\#(device)","install_referrer":\#(JSONWriter.quoted(referrer))}"#
    }

    @Test func joinsAnInstallToItsClick() async throws {
        try await TestDatabases.withSchema { database in
            let made = try await Programs.tributary(
                [
                    "app", "create", "--id", "shop", "--name", "Shop", "--format", "json", "--link-host",
                    "go.example.com", "--android-package", "a.b",
                ],
                database: database.address
            )
            let keys = try JSONDocument(reading: made.output.utf8).root
            let (write, read) = (keys["write_key"]?.string ?? "", keys["read_key"]?.string ?? "")
            let link = try await Programs.tributary(
                ["link", "create", "--slug", "sale", "--target-url", "https://www.example.com/", "--ref", "a b&c"],
                database: database.address
            )
            try #require(link.status == 0, "\(link.errors)")
            let referrer = try await RunningDaemon.with(
                database: database.address,
                environment: ["TRIBUTARY_LINK_RATE_LIMIT": "0"]
            ) { daemon in
                let referrer = try await follow(daemon)
                let events = [
                    install("phone", referrer + "&access_token=T"),
                    install("other", "utm_source=google-play&utm_medium=organic"),
                    #"{"type":"authentication","device_id":"phone","user_id":"ann"}"#,
                ]
                let stored = try await daemon.post("/v1/events", key: write, "[\(events.joined(separator: ","))]")
                #expect(stored.status == 200)
                #expect(stored.body.contains(#""accepted":3"#))
                let path = "/v1/reports/installs?format=csv&from=1d"
                let report = try await daemon.send("GET", path, key: read)
                let rows = report.body.split(separator: "\r\n").map { $0.split(separator: ",").prefix(4) }
                #expect(
                    rows.filter { $0.first == "total" }.map { $0.dropFirst().joined(separator: " ") }
                        == ["1 tap 1", "2 install 1", "3 authentication 1", "4 conversion 0"]
                )
                let attribution = try await daemon.send("GET", "/v1/attributions?user_id=ann", key: read)
                let touch = try JSONDocument(reading: attribution.body.utf8).root["credits"]?.elements.map {
                    "\($0["touch_id"]?.string ?? "") \($0["link"]?.string ?? "")"
                }
                #expect(touch == ["\(referrer.dropFirst("click_id=".count).prefix(36)) go.example.com/sale"])
                return referrer
            }
            #expect(referrer.hasSuffix("&utm_source=a%20b%26c&utm_medium=link&utm_campaign=sale"))
            for arguments in [
                ["export", "events", "--format", "ndjson", "--from", "1d"], ["person", "export", "--device", "phone"],
            ] {
                let told = try await Programs.tributary(arguments, database: database.address).output
                let referrers = try told.split(separator: "\n")
                    .compactMap { try JSONDocument(reading: $0.utf8).root["install_referrer"]?.string }
                #expect(referrers.contains(referrer + "&access_token=REDACTED"), "\(told)")
                #expect(!told.contains("=T"))
            }
        }
    }
}
