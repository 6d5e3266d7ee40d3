import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

@Suite("The command line")
struct CommandLineTests {
    private static let mistakes: [([String], String)] = [
        (["reprot"], "did you mean 'report'"),
        (["app", "crate"], "did you mean 'create'"),
        (["report", "funel", "--app", "shop"], "did you mean 'funnel'"),
        (["report", "channels", "--app", "shp"], "did you mean 'shop'"),
        (["report", "channels", "--app", "shop", "--tz", "Europe/Berln"], "did you mean 'Europe/Berlin'"),
        (["report", "funnel", "--app", "shop", "--steps", "touch,instal"], "did you mean 'install'"),
        (["report", "funnel", "--app", "shop", "--window", "91d"], "90d"),
        (["report", "channels", "--app", "shop", "--from", "2026-02-01", "--to", "2026-01-01"], "reversed"),
        (["report"], "see 'tributary report --help'"),
        (["app", "add-key", "shop", "--scope", "reed"], "see 'tributary app add-key --help'"),
        (["rejected", "purge", "--yes"], "--all"),
        (["rejected", "purge", "--app", "shop", "--all", "--yes"], "--all"),
        (["person", "delete", "--user", "nobody"], "nothing was deleted: the app 'shop' has nothing of a person"),
        (["person", "delete", "--user", "nobody", "--yes"], "with --user 'nobody'"),
        (["report", "channels", "--from", "tomorrow"], "a month (2026-01), today, yesterday, monday"),
        (["report", "channels", "--from", "2026-11", "--to", "2026-11"], "so it may be 2026-12"),
        (["app", "create", "--id", "shop", "--name", "Again"], "already"),
        (["app", "create", "--id", "new", "--name", "New", "--currency", "EURO"], "ISO 4217"),
        (["app", "create", "--id", "new", "--name", "New", "--time-zone", "Berlin"], "(one of: Europe/Berlin)"),
        (["app", "create", "--id", "new", "--name", "New", "--time-zone", "Nowhere"], "Asia/…"),
        (["app", "create", "--id", "new", "--name", "N\u{1B}[31m"], "control or invisible characters"),
        (["app", "update", "shop", "--name", "\u{202E}pohS"], "control or invisible characters"),
        (["report", "channels", "--app", "shop", "--tz", "new york"], "(one of: America/New_York)"),
        (["report", "refs", "--limit", "-1"], "--limit: must be a number from 1 to"),
        (["report", "channels", "--from", "-7d"], "'-7d' is not a time"),
        (["log", "--limit", "-5"], "--limit takes a number from 1 to 1000000, not -5"),
        (["app", "property", "add", "shop", "tier", "--of", "touch", "--values", "-2"], "from 1 to 10000"),
        (["question", "save", "few", "--", "report", "refs", "--limit", "-1"], "--limit: must be a number from 1 to"),
        (["link", "create", "--slug", "a"], "'tributary app update shop --link-host HOST' sets them"),
    ]

    @Test func tellsInOneLineWhatIsWrong() async throws {
        try await TestDatabases.withSchema { database in
            _ = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop"],
                database: database.address
            )
            try await Programs.expectUsageErrors(Self.mistakes, database: database.address)
        }
    }

    /// Links are strangers' texts.
    @Test func printsNoControlCharacters() async throws {
        for sign in ["\u{1B}", "\u{9B}", "\u{202E}", "\u{2066}", "\r"] {
            let encoded = try #require(sign.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let outcome = try await Programs.tributary(["inspect", "https://a.example/?fb_ref=x\(encoded)y"])
            #expect(!outcome.output.contains(sign), "\(encoded)")
            let target = try JSONDocument(reading: outcome.output.utf8).root
            #expect(target["refs"]?.elements.compactMap(\.string) == ["x\(sign)y"], "\(outcome.output)")
        }
    }

    @Test func takesTheOnlyAppUnlessOneIsNamed() async throws {
        try await TestDatabases.withSchema { database in
            func run(_ arguments: [String], input: String? = nil) async throws -> Programs.Outcome {
                try await Programs.tributary(arguments, database: database.address, input: input)
            }
            let event = #"{"type":"install","user_id":"ann"}"# + "\n"
            let commands = [
                ["import", "-"], ["report", "channels"], ["export", "events"], ["person", "show", "--user", "ann"],
                ["import", "--dry-run", "-"],
            ]
            for command in commands {
                let none = try await run(command, input: event)
                #expect(none.status == 64)
                #expect(none.errors.contains("there is no app yet; 'tributary app create"), "\(none.errors)")
            }
            _ = try await run(["app", "create", "--id", "shop", "--name", "Shop"])
            for command in commands {
                let one = try await run(command, input: event)
                #expect(one.status == 0, "\(command): \(one.errors)")
            }
            _ = try await run(["app", "create", "--id", "game", "--name", "Game"])
            for command in commands {
                let several = try await run(command, input: event)
                #expect(several.status == 64)
                #expect(several.errors.contains("several apps: game, shop"), "\(several.errors)")
            }
            #expect(try await run(["report", "channels", "--app", "shop"]).status == 0)
        }
    }

    @Test func saysThatTheDatabaseIsAwayWithoutItsPassword() async throws {
        let outcome = try await Programs.tributary(
            ["report", "channels", "--app", "shop", "--database", "postgresql://me:hunter2@127.0.0.1:1/none"]
        )
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("127.0.0.1:1"))
        #expect(!outcome.errors.contains("hunter2"))
    }

    @Test func importsFilesOnceAndTellsWhatItRejects() async throws {
        try await TestDatabases.withSchema { database in
            _ = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop"],
                database: database.address
            )
            let lines = (0..<3_000).map { number in
                let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - String(number + 1).count)
                return #"{"type":"install","user_id":"u\#(number)","event_id":"\#(id)\#(number + 1)"}"#
            }
            let input = lines.joined(separator: "\n") + "\n{\"type\":\"install\"}\nrubbish\n"
            let import1 = try await Programs.tributary(
                ["import", "--app", "shop", "-"],
                database: database.address,
                input: input
            )
            #expect(import1.status == 65)
            #expect(import1.output.hasPrefix("accepted: 3000\nduplicates: 0\nrejected: 2\n"))
            let import2 = try await Programs.tributary(
                ["import", "--app", "shop", "-"],
                database: database.address,
                input: input
            )
            #expect(import2.output.hasPrefix("accepted: 0\nduplicates: 3000\nrejected: 2\n"))
            let report = try await Programs.tributary(
                ["report", "channels", "--app", "shop"],
                database: database.address
            )
            #expect(report.output.contains("direct,0,0,0,3000,0,0\r\n"))
        }
    }

    @Test func aDryRunAlwaysSaysWhatItFound() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dry-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (events, letter) = (folder.appending(path: "events"), folder.appending(path: "letter"))
        try Data((#"{"type":"install","user_id":"u"}"# + "\n").utf8).write(to: events)
        try Data("Dear reader\nthere is nothing here\n".utf8).write(to: letter)
        let arguments = ["import", "--app", "shop", "--dry-run", events.path, letter.path]
        let outcome = try await Programs.tributary(arguments)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("accepted: "), "\(outcome.errors)")
        #expect(outcome.errors.contains("none of its first lines is a JSON object"))
    }

    @Test func inspectsLinks() async throws {
        let outcome = try await Programs.tributary([
            "inspect", "fb1234abc://authorize#target_url=http%3A%2F%2Fa.example%2F%3Fref%3Dx&access_token=SECRETTOKEN",
        ])
        #expect(outcome.status == 0)
        #expect(!outcome.output.contains("SECRETTOKEN"))
        let root = try JSONDocument(reading: outcome.output.utf8).root
        #expect(root["scheme_suffix"]?.string == "abc")
        #expect(root["authenticated"]?.bool == true)
        #expect(root["refs"]?.elements.map { $0.string } == ["x"])
    }

    @Test func printsSQLThatPsqlRuns() async throws {
        try await TestDatabases.withSchema { database in
            _ = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop"],
                database: database.address
            )
            let outcome = try await Programs.tributary(
                ["report", "refs", "--app", "shop", "--sql"],
                database: database.address
            )
            #expect(outcome.status == 0)
            _ = try await database.pool.withConnection { try $0.executeScript(outcome.output) }
        }
    }
}
