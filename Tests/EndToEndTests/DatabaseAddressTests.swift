import Foundation
import Postgres
import PostgresTesting
import Testing

@Suite("The database's address")
struct DatabaseAddressTests {
    private func withFile(
        _ text: String,
        _ body: (_ path: String) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "url-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    private let elsewhere = "host=127.0.0.1 port=1 dbname=elsewhere"

    @Test func isReadFromAFile() async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            try await withFile(database.address.keywords + "\n") { path in
                // Overrides DATABASE_URL and the file of settings.
                let outcome = try await Programs.tributary(
                    ["migrate", "--status"],
                    environment: ["TRIBUTARY_DATABASE_URL_FILE": path, "DATABASE_URL": elsewhere]
                )
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output.contains("pending   0001_create_schema"))
                try await withFile("database:\n  url: \(elsewhere)\n  urlFile: \(path)\n") { settings in
                    let outcome = try await Programs.tributary(["migrate", "--status", "--config", settings])
                    #expect(outcome.status == 0, "\(outcome.errors)")
                }
            }
        }
    }

    @Test func inTheEnvironmentGoesOverTheFile() async throws {
        try await withFile(elsewhere) { path in
            try await TestDatabases.withDatabase(template: "Empty") { database in
                let outcome = try await Programs.tributary(
                    ["migrate", "--status"],
                    environment: [
                        "TRIBUTARY_DATABASE_URL_FILE": path,
                        "TRIBUTARY_DATABASE_URL": database.address.keywords,
                    ]
                )
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
        }
    }

    private func refusal(ofFile path: String) async throws -> String {
        let outcome = try await Programs.tributary(["app", "list"], environment: ["TRIBUTARY_DATABASE_URL_FILE": path])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("TRIBUTARY_DATABASE_URL_FILE"))
        return outcome.errors
    }

    @Test func saysWhichFileIsMissingOrEmpty() async throws {
        #expect(try await refusal(ofFile: "/nowhere/url").contains("the file /nowhere/url cannot be read"))
        try await withFile(" \n") { path in
            let errors = try await refusal(ofFile: path)
            #expect(errors.contains("the file \(path) is empty"))
        }
    }

    @Test func ofAnUnknownRoleIsNotPermitted() async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let outcome = try await Programs.tributary(
                ["app", "list", "--database", database.address.keywords + " user=nobody_of_that_name"]
            )
            #expect(outcome.status == 77, "\(outcome.errors)")
            let absent = try await Programs.tributary(
                ["app", "list", "--database", database.address.selecting(database: "no_such_database").keywords]
            )
            #expect(absent.status == 69, "\(absent.errors)")
        }
    }
}
