import Foundation
import Postgres
import PostgresTesting
import Testing

/// What the machine, the database and the shell around the programs do to them.
@Suite("Surroundings")
struct SurroundingsTests {
    /// Runs a program whose standard output is a full disk.
    private func onFullDisk(
        _ arguments: [String],
        database: PostgresAddress? = nil
    ) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.executableURL = Programs.url(of: "tributary")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(database.map { ["DATABASE_URL": $0.keywords] } ?? [:]) { $1 }
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    @Test func aFullDiskBelowTheOutputIsAnError() async throws {
        for arguments in [["--help"], ["--version"], ["inspect", "https://a.example/"], ["dictionary", "columns"]] {
            let outcome = try onFullDisk(arguments)
            #expect(outcome.status == 70, "\(arguments): \(outcome)")
            #expect(outcome.errors.contains("standard output could not be written"), "\(arguments)")
        }
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let created = try onFullDisk(
                ["app", "create", "--id", "shop", "--name", "Shop"],
                database: database.address
            )
            #expect(created.status == 70)
            for arguments in [
                ["report", "channels"], ["report", "refs", "--format", "csv"], ["report", "paths", "--format", "json"],
                ["app", "list"], ["app", "show", "shop"], ["rejected", "list", "--format", "csv"], ["doctor"],
                ["migrate", "--status"], ["link", "list", "--format", "json"], ["export", "events"],
                ["link", "qr", "https://a.example/", "--format", "png"],
            ] {
                let outcome = try onFullDisk(arguments, database: database.address)
                #expect(outcome.status == 70, "\(arguments): \(outcome)")
                #expect(outcome.errors.contains("standard output could not be written"), "\(arguments)")
            }
        }
    }

    /// Passwords made by `openssl rand -base64` often have a `/`.
    @Test(arguments: [
        "w:S3CR/Tword@db.internal:5432/tributary", "w:12/34@db.internal/tributary", "w:S3CR/b?c@internal/t",
    ])
    func aBrokenAddressOfTheDatabaseIsNotShown(rest: String) async throws {
        let environment = ["DATABASE_URL": "postgresql://" + rest]
        let report = try await Programs.tributary(["report", "channels"], environment: environment)
        #expect(report.status == 64, "\(report.errors)")
        for part in ["S3CR", "Tword", "34", "internal"] { #expect(!report.errors.contains(part), "\(report.errors)") }
    }

    @Test func aLineBreakAfterTheAddressIsNoPartOfIt() async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let environment = ["DATABASE_URL": " \(database.address.keywords)\r\n"]
            let listed = try await Programs.tributary(["app", "list"], environment: environment)
            #expect(listed.status == 0, "\(listed.errors)")
        }
    }

    /// Of letters that the encoding lacks, one would hold back all later events.
    @Test(arguments: ["SQL_ASCII", "LATIN1", "WIN1252"])
    func aDatabaseInAnotherEncodingIsRefused(encoding: String) async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let name = "encoded_\(encoding.lowercased())_\(UInt32.random(in: 0 ... .max))"
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    "create database \(name) encoding '\(encoding)' template template0 lc_collate 'C' lc_ctype 'C'"
                )
            }
            let other = database.address.selecting(database: name)
            let migrated = try await Programs.tributary(["migrate"], database: other)
            #expect(migrated.status == 69 && migrated.errors.contains("UTF8"), "\(migrated.errors)")
            let connection = try await PostgresConnection.connect(to: other)
            let tables = try await connection.query("select 1 from pg_tables where schemaname = 'public'").count
            await connection.close()
            #expect(tables == 0)
            try await database.pool.withConnection { try $0.executeScript("drop database \(name)") }
        }
    }

    @Test func aFlagOverridesAWrongVariable() async throws {
        // As Kubernetes sets it for a Service named tributary.
        let environment = ["TRIBUTARY_PORT": "tcp://10.96.41.7:8080", "TRIBUTARY_SERVICE_HOST": "10.96.41.7"]
        try await TestDatabases.withDatabase(template: "Empty") { database in
            try await RunningDaemon.with(database: database.address, environment: environment) { daemon async throws in
                #expect(daemon.logText.contains("enableServiceLinks"))
                #expect(!daemon.logText.contains("TRIBUTARY_SERVICE_HOST"))
                // No settings are read again, and nothing ends.
                kill(daemon.processID, SIGHUP)
                #expect(try await daemon.send("GET", "/healthz").status == 200)
            }
        }
    }

    @Test(arguments: ["nosuch.invalid", "localhost:8080", "http://127.0.0.1"])
    func aHostThatIsNoneIsWrongUsage(host: String) async throws {
        let process = Process()
        process.executableURL = Programs.url(of: "tributaryd")
        process.arguments = ["--host", host, "--port", "0", "--database", "postgresql://127.0.0.1:1/none"]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 64, "\(text)")
        #expect(text.contains("--host takes"), "\(text)")
    }
}
