import Foundation
import JSONReading
import NIOHTTP1
import PostgresTesting
import Testing

/// Keys that stand in apps, and the key of Meta, with both programs (docs/sending-events.md, *From the app itself*;
/// docs/events.md, *Ads of Meta*).
@Suite("Apps that send themselves, end to end")
struct AppSenderTests {
    private static let meta = "2575590594a9cd809e5bfacf397f8c1ac730dbc38a3e137ecd1ab66591c8c3c9"
    /// As if its ad had been tapped a minute ago.
    private static let referrer =
        #"{"utm_content":{"a":1,"t":\#(Int(Date().timeIntervalSince1970) - 60),"source":{"nonce":"b7203c6a6fb633d16e9cf5c1","data":""#
        + "afe56cf6228c6ea8c79da49186e718e92a579824596ae1d0d4d20d7793dca797bd4034ccf467bfae5c79a3981e7a2968c41949237e2b"
        + "2db678c1c3d39c9ae564c5cafd52f2b77a3dc77bf1bae063114d0283b97417487207735da31ddc1531d5645a9c3e602c195a0ebf69c2"
        + "72aa5fda3a2d781cb47e117310164715a54c7a5a032740584e2789a7b4e596034c16425139a77e507c492b629c848573c714a03a2e7d"
        + "25b9459b95842332b460f3682d19c35dbc7d53e3a51e0497ff6a6cbb367e760debc4194ae097498108df7b95eac2fa9bac4320077b51"
        + "0be3b7b823248bfe02ae501d9fe4ba179c7de6733c92bf89d523df9e31238ef497b9db719484cbab7531dbf6c5ea5a8087f95d59f5e4"
        + #"f89050e0f1dc03e464168ad76a64cca64b79"}}}"#

    private func tributary(_ arguments: [String], _ database: TestDatabase) async throws -> String {
        let outcome = try await Programs.tributary(arguments, database: database.address)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    private func keys(_ arguments: [String], _ database: TestDatabase) async throws -> JSONNode {
        try JSONDocument(reading: await tributary(["app"] + arguments + ["--format", "json"], database).utf8).root
    }

    @Test func haveAKeyOfTheirOwn() async throws {
        try await TestDatabases.withSchema { database in
            let made = try await keys(["create", "--id", "shop", "--name", "Shop"], database)
            _ = try await keys(["create", "--id", "other", "--name", "Other"], database)
            let (write, read) = (made["write_key"]?.string ?? "", made["read_key"]?.string ?? "")
            let added = try await keys(
                ["add-key", "shop", "--scope", "app", "--label", "web", "--origin", "HTTPS://Shop.Example:443/"],
                database
            )
            let app = try #require(added["app_key"]?.string)
            #expect(app.hasPrefix("trib_a_"))
            let list = try await tributary(["app", "keys", "shop"], database)
            #expect(list.contains("https://shop.example") && !list.contains(app))
            try await RunningDaemon.with(database: database.address) { daemon in
                let page = [("origin", "https://shop.example")]
                let asked = try await daemon.send(
                    "OPTIONS",
                    "/v1/events",
                    headers: page + [("access-control-request-method", "POST")]
                )
                #expect(asked.status == 204)
                #expect(asked.headers["access-control-allow-origin"] == ["https://shop.example"])
                let opens =
                    #"{"type":"inbound_link","device_id":"phone","url":"https://shop.example/soup?fb_ref=gift"}"#
                let sent = try await daemon.send("POST", "/v1/events", key: app, headers: page, body: Array(opens.utf8))
                #expect(sent.status == 200 && sent.headers["access-control-allow-origin"] == ["https://shop.example"])
                let evil = [("origin", "https://evil.example")]
                let refused = try await daemon.send(
                    "POST",
                    "/v1/events",
                    key: app,
                    headers: evil,
                    body: Array(opens.utf8)
                )
                #expect(refused.status == 403 && refused.body.contains("--origin"))
                let bought = try await daemon.post(
                    "/v1/events",
                    key: app,
                    #"{"type":"conversion","device_id":"phone","name":"purchase","value":"9","currency":"USD"}"#
                )
                #expect(bought.status == 422 && bought.body.contains("not_allowed"))
                let other = try await daemon.post(
                    "/v1/events",
                    key: app,
                    #"{"type":"app_open","device_id":"phone","app_id":"other"}"#
                )
                #expect(other.status == 422 && other.body.contains("app_mismatch"))
                for path in ["/v1/reports/channels", "/v1/attributions?device_id=phone", "/v1/links", "/v1/questions"] {
                    #expect(try await daemon.send("GET", path, key: app).status == 403, "\(path)")
                }
                _ = try await daemon.post(
                    "/v1/events",
                    key: write,
                    #"{"type":"inbound_link","device_id":"tablet","url":"https://shop.example/soup?fb_ref=gift"}"#
                )
                let report = try await daemon.send(
                    "GET",
                    "/v1/reports/breakdown?by=sent_by&format=csv&columns=sent_by,touches",
                    key: read
                )
                #expect(report.body == "sent_by,touches\r\nserver,1\r\napp,1\r\ndirect,0\r\ntotal,2\r\n")

                // What was refused may not come in by a retry.
                let retried = try await Programs.tributary(["rejected", "retry", "--all"], database: database.address)
                #expect(retried.status == 65 && retried.output.contains("not_allowed: 1"), "\(retried.output)")

                _ = try await tributary(["app", "revoke-key", "shop", app], database)
                try await daemon.wait(for: "the end of the key") {
                    try await daemon.post("/v1/events", key: app, opens).status == 401
                }
                let gone = try await daemon.send(
                    "OPTIONS",
                    "/v1/events",
                    headers: page + [("access-control-request-method", "POST")]
                )
                #expect(gone.status == 405 && gone.headers["access-control-allow-origin"] == [])
            }
            let exported = try await tributary(["export", "events", "--app", "shop", "--from", "1d"], database)
            #expect(exported.contains("sent_by") && exported.contains("app"))
        }
    }

    @Test func readTheCampaignsOfMeta() async throws {
        try await TestDatabases.withSchema { database in
            let made = try await keys(["create", "--id", "shop", "--name", "Shop"], database)
            let (write, read) = (made["write_key"]?.string ?? "", made["read_key"]?.string ?? "")
            let install =
                #"{"type":"install","device_id":"phone","install_referrer":"#
                + "\(JSONWriter.quoted(Self.referrer))}"
            try await RunningDaemon.with(database: database.address) { daemon in
                let before = try await daemon.post("/v1/events", key: write, install.replacing("phone", with: "early"))
                #expect(before.status == 200 && before.body.contains("meta_key_missing"), "\(before.body)")
                let shown = try await tributary(["app", "update", "shop", "--meta-referrer-key", Self.meta], database)
                #expect(shown.contains("meta_referrer_key: set"))
                try await daemon.wait(for: "the key") {
                    let answer = try await daemon.post("/v1/events", key: write, install)
                    return answer.status == 200 && !answer.body.contains("warnings")
                }
                let attribution = try await daemon.send("GET", "/v1/attributions?device_id=phone", key: read)
                #expect(attribution.body.contains(#""refs":["Adams Test Campaign"]"#), "\(attribution.body)")
                #expect(!daemon.logText.contains(Self.meta.prefix(12)))
            }
            let imported = try await Programs.tributary(
                ["import", "--app", "shop", "-"],
                database: database.address,
                input: install.replacing("phone", with: "imported") + "\n"
            )
            #expect(imported.status == 0, "\(imported.errors)")
            let events = try await tributary(["export", "events", "--format", "ndjson", "--from", "1d"], database)
            let fromFile = events.split(separator: "\n").first { $0.contains("imported") }
            #expect(fromFile?.contains("Adams Test Ad Group") == true && fromFile?.contains("meta:campaign") == true)
            // The same again moves nothing.
            let reread = try await tributary(["reread", "--app", "shop", "--dry-run", "--format", "csv"], database)
            #expect(!reread.contains("Adams"), "\(reread)")
            for arguments in [
                ["app", "show", "shop", "--format", "json"], ["app", "show", "shop"], ["app", "list"], ["doctor"],
                ["export", "events", "--format", "ndjson", "--from", "1d"], ["person", "export", "--device", "phone"],
            ] {
                let told = try await Programs.tributary(arguments, database: database.address)
                #expect(!(told.output + told.errors).contains(Self.meta.prefix(12)), "\(arguments)")
            }
            for wrong in ["2575", Self.meta + "M", "secret-" + Self.meta] {
                let outcome = try await Programs.tributary(
                    ["app", "update", "shop", "--meta-referrer-key", wrong],
                    database: database.address
                )
                #expect(outcome.status == 64 && outcome.errors.contains("64 hexadecimal digits"))
                #expect(!outcome.errors.contains("2575"))
            }
            let removed = try await tributary(["app", "update", "shop", "--meta-referrer-key", ""], database)
            #expect(removed.contains("meta_referrer_key: not set"))
        }
    }
}
