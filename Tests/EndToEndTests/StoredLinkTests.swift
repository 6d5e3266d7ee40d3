import Foundation
import JSONReading
import Postgres
import PostgresTesting
import RandomTesting
import Testing

@Suite("tributary link with a database")
struct StoredLinkTests {
    private static func with(_ body: @Sendable (PostgresAddress) async throws -> Void) async throws {
        try await TestDatabases.withSchema { database in
            _ = try await run(
                database.address,
                ["app", "create", "--id", "shop", "--name", "Shop", "--link-host", "go.example.com"]
            )
            try await body(database.address)
        }
    }

    @discardableResult
    private static func run(
        _ database: PostgresAddress,
        _ arguments: [String],
        input: String? = nil,
        status: Int32 = 0
    ) async throws -> Programs.Outcome {
        let outcome = try await Programs.tributary(arguments, database: database, input: input)
        #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
        return outcome
    }

    @Test func changesSettingsOfAnApp() async throws {
        try await Self.with { database in
            let certificate = [String](repeating: "ab", count: 32).joined(separator: ":")
            let app = try await Self.run(
                database,
                ["app", "update", "shop", "--android-package", "com.example.shop", "--android-cert", certificate]
                    + ["--apple-team-id", "ABCDE12345", "--link-host", "a.example", "--link-host", "B.example"]
            ).output
            #expect(app.contains("link_hosts: a.example, b.example\n"))
            #expect(app.contains("android_package: com.example.shop\n"))
            #expect(app.contains("android_certs: \(certificate.uppercased())\napple_team_id: ABCDE12345\n"))
            let removed = try await Self.run(database, ["app", "update", "shop", "--android-cert", ""]).output
            #expect(removed.contains("link_hosts: a.example, b.example\n") && removed.contains("android_certs: \n"))
            let wrong = try await Self.run(
                database,
                ["app", "update", "shop", "--iphone-store-id", "x", "--apple-team-id", "y"],
                status: 64
            )
            #expect(wrong.errors.contains("--iphone-store-id must be") && wrong.errors.contains("--apple-team-id must"))
            let taken = try await Self.run(
                database,
                ["app", "create", "--id", "other", "--name", "Other", "--link-host", "a.example"],
                status: 64
            )
            #expect(taken.errors.contains("'a.example' belongs to the app 'shop'"))
        }
    }

    @Test func keepsLinks() async throws {
        try await Self.with { database in
            let create = ["link", "create", "--target-url", "https://example.com/sale", "--ref", "a,b"]
            let link = try await Self.run(database, create + ["--slug", "sale"]).output
            #expect(link.hasPrefix("short_url: https://go.example.com/sale\nhost: go.example.com\nslug: sale\n"))
            let again = try await Self.run(database, create + ["--reuse"])
            #expect(again.output == link && again.errors.contains("same fields"))
            let taken = try await Self.run(database, create + ["--slug", "sale"], status: 64)
            #expect(taken.errors.contains("--slug: another link has this slug"))
            let loop = try await Self.run(
                database,
                ["link", "update", "sale", "--target-url", "https://go.example.com/x"],
                status: 64
            )
            #expect(loop.errors.contains("--target-url is on a host of short links"))
            let updated = try await Self.run(database, ["link", "update", "sale", "--ref", "", "--title", "Sale"])
            #expect(updated.output.contains("\nref: \n") && updated.output.contains("\ntitle: Sale\n"))
            #expect(try await Self.run(database, ["link", "show", "sale"]).output == updated.output)
            #expect(
                try await Self.run(database, ["link", "list"]).output.contains("https://go.example.com/sale  live")
            )
            let tried = try await Self.run(database, ["link", "try", "sale", "--user-agent", "Mozilla/5.0 (X11)"])
            #expect(tried.output.contains(#""location": "https://example.com/sale""#))
            let code = try await Self.run(database, ["link", "qr", "sale"]).output
            #expect(try await Self.run(database, ["link", "qr", "HTTPS://GO.EXAMPLE.COM/SALE"]).output == code)
            try await Self.run(database, create + ["--slug", "SALE"])
            let spelled = try await Self.run(database, ["link", "qr", "https://go.example.com/sale"]).output
            #expect(try await Self.run(database, ["link", "qr", "sale"]).output == spelled)
            let asked = try await Self.run(database, ["link", "delete", "sale"], status: 64)
            #expect(asked.errors.contains("--yes"))
            try await Self.run(database, ["link", "delete", "sale", "--yes"])
            let gone = try await Self.run(database, ["link", "show", "sale"], status: 64)
            #expect(gone.errors.contains("no link 'sale'"))
        }
    }

    private static func randomLine(_ number: Int, _ random: inout SeededRandom) -> String {
        let texts = ["=1+1", "'=x", "a,b", "two\nlines", "q\"uote", "söl🎉", "true", " blanks ", "'", "-", "x;y", "{}"]
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("slug", random.pick(["a", "Ä", "🎉", "x-y.z"]) + "\(number)")
            writer.member("target_url", "https://example.com/?a=1,2&b=%22#\(number)")
            for name in ["title", "description", "site_name", "og_type", "note", "campaign"] {
                guard let text = random.pickOrNone(texts, percent: 50) else { continue }
                writer.member(name, name == "campaign" || name == "og_type" ? text.replacing("\n", with: " ") : text)
            }
            if random.chance(50) { writer.member("ref", [random.pick(["r", "=r", "two words"]), "s"]) }
            if random.chance(50) { writer.member("forward_query", random.chance(50)) }
            if random.chance(50) { writer.member("disabled", true) }
            if random.chance(50) { writer.member("expires_at", "2030-01-01T00:00:00.000001+01:00") }
            if random.chance(50) { writer.member("fallback", random.pick(["web", "store"])) }
        }
        return writer.text + "\n"
    }

    /// What an export writes reads back, byte for byte, whatever texts there are.
    @Test(arguments: TestSeeds.share(of: ["ndjson", "csv"], 1)) func readsBackWhatItWrote(format: String) async throws {
        var random = SeededRandom(seed: TestSeeds.first)
        let lines = (0..<600).map { Self.randomLine($0, &random) }.joined()
        let export = ["link", "export", "--format", format]
        try await Self.with { database in
            let tally = try await Self.run(database, ["link", "import", "-"], input: lines)
            #expect(tally.output == "created: 600\nskipped: 0\nwrong: 0\n", "\(tally.errors)")
            let written = try await Self.run(database, export).output
            let again = try await Self.run(database, ["link", "import", "-"], input: written)
            #expect(again.output == "created: 0\nskipped: 600\nwrong: 0\n", "\(again.errors)")
            try await Self.with { other in
                let tally = try await Self.run(other, ["link", "import", "-"], input: written)
                #expect(tally.output == "created: 600\nskipped: 0\nwrong: 0\n", "\(tally.errors)")
                #expect(try await Self.run(other, export).output == written, "seed \(TestSeeds.first)")
            }
        }
    }

    @Test func reportsWrongLines() async throws {
        try await Self.with { database in
            let input = """
                {"slug":"a","target_url":"https://example.com/"}
                rubbish
                {"slug":"b","targte_url":"https://example.com/"}
                {"slug":"a","target_url":"https://example.com/other"}
                {"slug":"c","target_url":"https://example.com/"}

                """
            let outcome = try await Self.run(database, ["link", "import", "-"], input: input, status: 65)
            #expect(outcome.output == "created: 2\nskipped: 0\nwrong: 3\n")
            for text in ["line 2:", "line 3: a link has no", "'target_url'", "line 4:", "(slug_taken)"] {
                #expect(outcome.errors.contains(text), "\(outcome.errors)")
            }
        }
    }

    @Test func importNamesWhatItDoesNotRead() async throws {
        try await Self.with { database in
            let csv = "Long URL,Short code,Visits,Created\nhttps://example.com/,s,7,yesterday\n"
            let tally = try await Self.run(database, ["link", "import", "-"], input: csv)
            #expect(tally.output == "created: 1\nskipped: 0\nwrong: 0\n")
            #expect(tally.errors.contains("these columns are not read: Visits\n"), "\(tally.errors)")
            #expect(tally.errors.contains("line 2: the time of creation"), "\(tally.errors)")
            let other = "code,Long URL\ns2,https://example.com/\n"
            let refused = try await Self.run(database, ["link", "import", "-"], input: other, status: 65)
            #expect(refused.errors.contains("no column that an import knows as the slug"), "\(refused.errors)")
            #expect(try await !Self.run(database, ["link", "list"]).output.contains("s2"))
        }
    }

    /// The target was on no host of links when the link was made.
    @Test func loopsAreNamedWhenAHostBecomesOneOfLinks() async throws {
        try await Self.with { database in
            for (slug, addresses) in [
                ("l1", ["--target-url", "https://NEW.example:443/a"]),
                ("l2", ["--app-url", "http://new.example./?b", "--target-url", "https://www.example.com/"]),
                ("fine", ["--target-url", "https://new.example.com/new.example"]),
            ] {
                try await Self.run(database, ["link", "create", "--slug", slug] + addresses)
            }
            let quiet = try await Self.run(database, ["app", "update", "shop", "--link-host", "go.example.com"])
            #expect(!quiet.errors.contains("warning"), "\(quiet.errors)")
            let hosts = ["--link-host", "go.example.com", "--link-host", "new.example"]
            let update = try await Self.run(database, ["app", "update", "shop"] + hosts)
            let names = "round in circles: go.example.com/l1, go.example.com/l2"
            #expect(update.errors.contains("warning: links: 2 links"), "\(update.errors)")
            #expect(update.errors.contains(names), "\(update.errors)")
            let doctor = try await Programs.tributary(["doctor"], database: database)
            #expect(doctor.output.contains("warning  links: 2 links"), "\(doctor.output)")
            #expect(doctor.output.contains(names), "\(doctor.output)")
        }
    }

    private static let bitly = """
        {"links":[{"created_at":"2020-09-19T10:55:26+0000","id":"bit.ly/3Abc","link":"https://bit.ly/3Abc",
        "custom_bitlinks":["https://go.example.com/Sale"],"long_url":"https://example.com/a?b=c","title":"A, \\"b\\"",
        "archived":false,"tags":["x","y"],"deeplinks":[],"references":{"group":"g"}}]}
        """

    private static let dynamicLink =
        "https://example.page.link/?link=https://example.com/w%3Fa%3D1&apn=com.example.shop&isi=123&ofl=https://example.com/d"
        + "&st=Title+one&utm_source=mail&utm_campaign=spring&ifl=https://apps.apple.com/app/id123"

    @Test(arguments: [
        (bitly, ["https://go.example.com/3Abc", "https://go.example.com/Sale", "2020-09-19T10:55:26Z", "x,y"]),
        (
            "Title,Long URL,Link,Created At,Tags\nT,https://example.com/a,bit.ly/q,2020-09-19T10:55:26+0000,\"x,y\"\n",
            ["https://go.example.com/q", "2020-09-19T10:55:26Z", "x,y", "https://example.com/a"]
        ),
        (dynamicLink, ["https://example.com/d", "mail"]),
        (
            "name,short_link,long_link\nN,https://example.page.link/m9Mm,\"\(dynamicLink)\"\n",
            ["https://go.example.com/m9Mm", "https://example.com/d", "mail"]
        ),
    ])
    func readsLinksOfOtherServices(input: String, shown: [String]) async throws {
        try await Self.with { database in
            let tally = try await Self.run(database, ["link", "import", "-"], input: input)
            #expect(tally.output.hasSuffix("wrong: 0\n"))
            let list = try await Self.run(database, ["link", "list"]).output
            for text in shown { #expect(list.contains(text), "\(list)") }
            if input.contains("page.link") {
                #expect(tally.errors.contains("--iphone-store-id 123") && tally.errors.contains("--android-package"))
                let link = try await Self.run(database, ["link", "export"]).output
                #expect(link.contains(#""app_url": "https://example.com/w?a=1""#) && !link.contains("fallback"))
                #expect(link.contains(#""title": "Title one""#) && link.contains(#""campaign": "spring""#))
            }
        }
    }
}
