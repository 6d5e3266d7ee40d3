import JSONReading
import PostgresTesting
import Testing

/// What Google Play passes on to the app joins the install to the click on a link.
@Suite("The install referrer, end to end")
struct InstallReferrerTests {
    private static let click = "01940000-0000-7000-8000-0000000000c1"

    /// The click is stored as a redirect stores it: its id is the event's own.
    private static let events = """
        {"type":"link_click","event_id":"\(click)","click_id":"\(click)","url":"https://go.example/a"}
        {"type":"install","device_id":"phone","install_referrer":"click_id=\(click)&utm_source=gift&access_token=T"}
        {"type":"install","device_id":"other","install_referrer":"utm_source=google-play&utm_medium=organic"}
        {"type":"authentication","device_id":"phone","user_id":"ann"}
        """

    @Test func joinsAnInstallToItsClick() async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let made = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: made.output.utf8).root
            let (write, read) = (keys["write_key"]?.string ?? "", keys["read_key"]?.string ?? "")
            try await RunningDaemon.with(database: database.address) { daemon in
                let stored = try await daemon.send(
                    "POST",
                    "/v1/events",
                    key: write,
                    type: "application/x-ndjson",
                    body: Array(Self.events.utf8)
                )
                #expect(stored.status == 200)
                #expect(stored.body.contains(#""accepted":4"#))
                let report = try await daemon.send(
                    "GET",
                    "/v1/reports/installs?format=csv&from=1d",
                    key: read,
                    body: []
                )
                let rows = report.body.split(separator: "\r\n").map { $0.split(separator: ",").prefix(4) }
                #expect(
                    rows.filter { $0.first == "total" }.map { $0.dropFirst().joined(separator: " ") }
                        == ["1 tap 1", "2 install 1", "3 authentication 1", "4 conversion 0"]
                )
                let attribution = try await daemon.send("GET", "/v1/attributions?user_id=ann", key: read, body: [])
                #expect(attribution.body.contains(#""touch_id":"\#(Self.click)""#))
            }
            let referrer = "click_id=\(Self.click)&utm_source=gift&access_token=REDACTED"
            for arguments in [
                ["export", "events", "--format", "ndjson", "--from", "1d"], ["person", "export", "--device", "phone"],
            ] {
                let told = try await Programs.tributary(arguments, database: database.address).output
                let referrers = try told.split(separator: "\n")
                    .compactMap { try JSONDocument(reading: $0.utf8).root["install_referrer"]?.string }
                #expect(referrers.contains(referrer), "\(told)")
                #expect(!told.contains("=T"))
            }
        }
    }
}
