import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// Links, deferred links and attributions over HTTP, with a real daemon and a real database.
@Suite("Links and answers over HTTP, end to end")
struct LinkRouteTests {
    private struct Setting: Sendable {
        var daemon: RunningDaemon
        var database: TestDatabase
        var writeKey: String
        var readKey: String

        func write(_ method: String, _ path: String, _ body: String = "") async throws -> RunningDaemon.Answer {
            try await daemon.send(method, path, key: writeKey, body: Array(body.utf8))
        }

        func read(_ path: String) async throws -> (status: Int, root: JSONNode?) {
            let answer = try await daemon.send("GET", path, key: readKey, body: [])
            return (answer.status, try? JSONDocument(reading: answer.body.utf8).root)
        }
    }

    private func withSetting(_ body: @Sendable (Setting) async throws -> Void) async throws {
        try await TestDatabases.withSchema { database in
            let outcome = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: outcome.output.utf8).root
            try await database.pool.withConnection { connection in
                try connection.execute("insert into link_host values ('go.example', 1, 0), ('two.example', 1, 1)")
            }
            // All visits come from one address.
            let environment = ["TRIBUTARY_LINK_RATE_LIMIT": "0"]
            try await RunningDaemon.with(database: database.address, environment: environment) { daemon in
                try await body(
                    Setting(
                        daemon: daemon,
                        database: database,
                        writeKey: try #require(keys["write_key"]?.string),
                        readKey: try #require(keys["read_key"]?.string)
                    )
                )
            }
        }
    }

    /// The daemon that answers a change serves it from that answer on: nobody waits here.
    @Test func areServedFromTheAnswerOn() async throws {
        try await withSetting { setting in
            func visit(_ path: String) async throws -> (status: Int, location: String?) {
                let answer = try await setting.daemon.send(
                    "HEAD",
                    path,
                    headers: [("host", "go.example"), ("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0")],
                    followsRedirects: false
                )
                return (answer.status, answer.headers["location"].first)
            }
            for number in 0..<100 {
                let link = #"{"slug":"s\#(number)","target_url":"https://www.example.com/\#(number)"}"#
                #expect(try await setting.write("POST", "/v1/links", link).status == 201)
                #expect(try await visit("/s\(number)") == (302, "https://www.example.com/\(number)"))
            }
            for number in 0..<10 {
                let change = #"{"target_url":"https://www.example.com/new"}"#
                #expect(try await setting.write("PATCH", "/v1/links/s\(number)", change).status == 200)
                #expect(try await visit("/s\(number)") == (302, "https://www.example.com/new"))
                #expect(try await setting.write("DELETE", "/v1/links/s\(number)").status == 204)
                #expect(try await visit("/s\(number)").status == 404)
            }
            let many = (0..<1_000).map { #"{"slug":"m\#($0)","target_url":"https://www.example.com/\#($0)"}"# }
            let created = try await setting.write("POST", "/v1/links", "[\(many.joined(separator: ","))]")
            #expect(created.status == 201)
            #expect(try await visit("/m999") == (302, "https://www.example.com/999"))
            #expect(try await visit("/m0").status == 302)
            // A host that the app has just got.
            let update = ["app", "update", "shop", "--link-host", "go.example", "--link-host", "new.example"]
            let outcome = try await Programs.tributary(update, database: setting.database.address)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let link = #"{"slug":"n","host":"new.example","target_url":"https://www.example.com/n"}"#
            #expect(try await setting.write("POST", "/v1/links", link).status == 201)
            let answer = try await setting.daemon.send(
                "HEAD",
                "/n",
                headers: [("host", "new.example")],
                followsRedirects: false
            )
            #expect(answer.status == 302)
        }
    }

    @Test func keepLinks() async throws {
        try await withSetting { setting in
            let link = #"{"slug":"spring","target_url":"https://www.example.com/spring","ref":["gift"]}"#
            #expect(try await setting.write("POST", "/v1/links", link).status == 201)
            #expect(try await setting.write("POST", "/v1/links", link).status == 409)
            #expect(try await setting.write("POST", "/v1/links?reuse=true", link).status == 200)
            // The host is the app's own.
            let loop = try await setting.write("POST", "/v1/links", #"{"target_url":"https://go.example/spring"}"#)
            #expect(loop.status == 422)

            let many = (0..<1_000).map { #"{"target_url":"https://www.example.com/\#($0)"}"# }.joined(separator: ",")
            let created = try await setting.write("POST", "/v1/links", "[\(many)]")
            #expect(created.status == 201)
            #expect(try JSONDocument(reading: created.body.utf8).root["created"]?.number == "1000")
            // Every link once, over all pages.
            var slugs: [String] = []
            var next = ""
            repeat {
                let page = try await setting.read("/v1/links?limit=300" + next)
                #expect(page.status == 200)
                for link in page.root?["links"].map({ Array($0.elements) }) ?? [] {
                    slugs.append(link["slug"]?.string ?? "")
                }
                next = page.root?["next"]?.string.map { "&after=\($0)" } ?? ""
            } while !next.isEmpty
            #expect(slugs.count == 1_001)
            #expect(Set(slugs).count == 1_001)
            #expect(try await setting.read("/v1/links?ref=gift").root?["links"]?.count == 1)

            let change = try await setting.write("PATCH", "/v1/links/spring", #"{"ref":null,"title":"Spring"}"#)
            #expect(change.status == 200)
            #expect(try await setting.write("PATCH", "/v1/links/spring", #"{"slug":"other"}"#).status == 422)
            let read = try await setting.read("/v1/links/spring?host=go.example")
            #expect(read.root?["title"]?.string == "Spring")
            #expect(read.root?["ref"]?.count == 0)
            #expect(try await setting.read("/v1/links/spring?host=two.example").status == 404)
            #expect(try await setting.write("DELETE", "/v1/links/spring").status == 204)
            #expect(try await setting.read("/v1/links/spring").status == 404)
            // Its slug stays taken.
            #expect(try await setting.write("POST", "/v1/links", link).status == 409)
        }
    }

    @Test func answerForAnInstall() async throws {
        try await withSetting { setting in
            let link = #"{"slug":"a","target_url":"https://www.example.com/a","app_url":"shop://a?x=1"}"#
            #expect(try await setting.write("POST", "/v1/links", link).status == 201)
            let id = "0199f0a4-5b7c-7d3e-8f01-23456789abcd"
            let events = """
                {"type":"feed_post","user_id":"ann","post_id":"p1","outcome":"posted","ref":"gift"}
                {"type":"link_click","event_id":"\(id)","click_id":"\(id)","target_url":"https://www.example.com/a","channel":"story_links","post_id":"p1","properties":{"host":"go.example","link":"a"}}
                {"type":"install","device_id":"phone","click_id":"\(id)"}
                """
            let sent = try await setting.daemon.send(
                "POST",
                "/v1/events",
                key: setting.writeKey,
                type: "application/x-ndjson",
                body: Array(events.utf8)
            )
            #expect(sent.status == 200)

            let deferred = try await setting.write("GET", "/v1/deferred-links?click_id=\(id)")
            #expect(deferred.status == 200)
            let target = try JSONDocument(reading: deferred.body.utf8).root
            #expect(target["link"]?.string == "go.example/a")
            #expect(target["target_url"]?.string == "https://www.example.com/a")
            #expect(target["app_url"]?.string == "shop://a?x=1&click_id=\(id)")
            #expect(try await setting.write("GET", "/v1/deferred-links?click_id=other").status == 404)

            for key in ["device_id=phone", "click_id=\(id)"] {
                let answer = try await setting.read("/v1/attributions?\(key)&event=install")
                #expect(answer.status == 200)
                let credit = answer.root?["credits"]?.elements.first { _ in true }
                #expect(credit?["touch_id"]?.string == id)
                #expect(credit?["channel"]?.string == "story_links")
                #expect(credit?["refs"]?.elements.map(\.string) == ["gift"])
                #expect(credit?["post_id"]?.string == "p1")
                #expect(credit?["poster"]?["user_id"]?.string == "ann")
            }
            #expect(try await setting.read("/v1/attributions?device_id=phone&event=conversion").status == 404)
        }
    }
}
