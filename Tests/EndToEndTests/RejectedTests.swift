import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

/// `tributary rejected` on what the daemon and the import have rejected.
@Suite("Rejected events on the command line")
struct RejectedTests {
    private func withRejections(_ body: @Sendable (TestDatabase) async throws -> Void) async throws {
        try await TestDatabases.withSchema { database in
            _ = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop"],
                database: database.address
            )
            let lines = """
                {"type":"install","user_id":"good"}
                {"type":"conversion","user_id":"u1","access_token":"SECRETTOKEN"}
                =1+1
                {"type":"authentication","user_id":"null"}

                """
            let outcome = try await Programs.tributary(
                ["import", "--app", "shop", "-"],
                database: database.address,
                input: lines
            )
            #expect(outcome.status == 65)
            try await body(database)
        }
    }

    private func list(_ database: TestDatabase, _ arguments: [String] = []) async throws -> [JSONNode] {
        let outcome = try await Programs.tributary(
            ["rejected", "list", "--format", "json"] + arguments,
            database: database.address
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDocument(reading: outcome.output.utf8).root.elements.map { $0 }
    }

    @Test func areListed() async throws {
        try await withRejections { database in
            let letters = try await list(database)
            #expect(Set(letters.compactMap { $0["code"]?.string }) == ["unknown_field", "invalid_json", "junk_id"])
            #expect(letters.allSatisfy { $0["key"]?.string == "import" && $0["app_id"]?.string == "shop" })
            #expect(try await list(database, ["--code", "junk_id"]).count == 1)
            #expect(try await list(database, ["--limit", "2"]).count == 2)
            #expect(try await list(database, ["--to", "2020-01-01"]).isEmpty)
            #expect(try await list(database, ["--app", "shop", "--from", "2020-01-01"]).count == 3)
            for format in ["text", "csv", "json"] {
                let outcome = try await Programs.tributary(
                    ["rejected", "list", "--format", format],
                    database: database.address
                )
                #expect(!outcome.output.contains("SECRETTOKEN"))
                #expect(outcome.output.contains("unknown field"))
            }
        }
    }

    @Test func areNoFormulasInCSV() async throws {
        try await withRejections { database in
            let outcome = try await Programs.tributary(
                ["rejected", "list", "--format", "csv", "--code", "invalid_json"],
                database: database.address
            )
            let lines = outcome.output.components(separatedBy: "\r\n")
            #expect(lines[0] == "id,received_at,app_id,code,field,message,event_id,key,event")
            #expect(lines[1].hasSuffix(",import,'=1+1"))
            #expect(lines[2...] == [""])
        }
    }

    @Test func areShownOneByOne() async throws {
        try await withRejections { database in
            let id = try #require(try await list(database, ["--code", "junk_id"]).first?["id"]?.string)
            let outcome = try await Programs.tributary(["rejected", "show", id], database: database.address)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("code: junk_id\n"))
            #expect(outcome.output.contains(#"event: {"type":"authentication","user_id":"null","event_id":""#))
        }
    }

    @Test func areStoredOnceTheyAreValid() async throws {
        try await withRejections { database in
            // As if the rules had been stricter before.
            _ = try await database.pool.withConnection { connection in
                try connection.execute(
                    "update rejected_event set event = replace(event, 'null', 'u2') where code = 'junk_id'"
                )
            }
            let all = try await Programs.tributary(["rejected", "retry", "--all"], database: database.address)
            #expect(all.status == 65)
            #expect(all.output == "stored: 1\nduplicates: 0\nrejected: 2\n  invalid_json: 1\n  unknown_field: 1\n")
            #expect(all.errors.contains(": unknown_field: unknown field"))
            #expect(try await list(database).count == 2)
            let none = try await Programs.tributary(
                ["rejected", "retry", "--code", "junk_id"],
                database: database.address
            )
            #expect(none.status == 0)
            #expect(none.output == "stored: 0\nduplicates: 0\nrejected: 0\n")
        }
    }

    @Test func arePurgedOnlyWhenAsked() async throws {
        try await withRejections { database in
            let asked = try await Programs.tributary(
                ["rejected", "purge", "--all", "--older-than", "0s"],
                database: database.address
            )
            #expect(asked.status == 64)
            #expect(asked.errors.contains("--yes"))
            let old = try await Programs.tributary(
                ["rejected", "purge", "--app", "shop", "--yes"],
                database: database.address
            )
            #expect(old.output == "purged: 0\n")
            let one = try await Programs.tributary(
                ["rejected", "purge", "--all", "--older-than", "0s", "--code", "junk_id", "--yes"],
                database: database.address
            )
            #expect(one.output == "purged: 1\n")
            #expect(try await list(database).count == 2)
        }
    }

    private static let mistakes: [([String], String)] = [
        (["list", "--code", "missing_feild"], "did you mean 'missing_field'"),
        (["list", "--from", "tomorrow"], "2026-01-31"),
        (["list", "--from", "2026-02-01", "--to", "2026-01-01"], "before"),
        (["list", "--limit", "0"], "--limit takes a number from 1 to 1000000, not 0"),
        (["list", "--limit", "-1"], "--limit takes a number from 1 to 1000000, not -1"),
        (["list", "--app", "shp"], "did you mean 'shop'"),
        (["show", "1"], "not the id"),
        (["show", "00000000-0000-4000-8000-000000000000"], "no rejected event"),
        (["retry"], "--all"),
        (["retry", "--all", "--app", "shop"], "--all"),
        (["retry", "00000000-0000-4000-8000-000000000000"], "nothing was retried"),
        (["purge", "--all", "--older-than", "month"], "--older-than"),
        (["purge", "--code", "junk_id", "--yes"], "--all"),
        (["purg"], "did you mean 'purge'"),
    ]

    @Test func needRightUsage() async throws {
        try await withRejections { database in
            let cases = Self.mistakes.map { (["rejected"] + $0, $1) }
            try await Programs.expectUsageErrors(cases, database: database.address)
        }
    }
}
