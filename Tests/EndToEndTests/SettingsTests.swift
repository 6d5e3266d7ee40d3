import Foundation
import Testing

/// A mistyped setting must not be ignored silently.
@Suite("The configuration file")
struct SettingsTests {
    private func run(_ program: String, _ yaml: String) async throws -> (status: Int32, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString.prefix(8))")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/tributary.yaml"
        try Data(yaml.utf8).write(to: URL(fileURLWithPath: file))
        let process = Process()
        process.executableURL = Programs.url(of: program)
        // Port 1 and a foreign address: the program cannot get past its settings.
        process.arguments =
            program == "tributaryd" ? ["--config", file, "--host", "192.0.2.1"] : ["app", "list", "--config", file]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["DATABASE_URL": "host=127.0.0.1 port=1", "TRIBUTARY_HOME": folder]) { $1 }
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test(
        arguments: ["tributary", "tributaryd"],
        [
            ("retention:\n  day: 90\n", "there is no setting retention.day; did you mean retention.days?"),
            ("prot: 80\n", "there is no setting prot; did you mean port?"),
            ("database: postgresql://db/x\n", "there is no setting database; did you mean"),
            ("tls:\n  certificate: a\n", "no setting tls.certificate; the settings are: connections, database.url"),
            ("spool.byte: 10\n", "there is no setting spool.byte; did you mean spool.bytes?"),
        ]
    )
    func takesNoKeyThatThereIsNot(program: String, file: (yaml: String, message: String)) async throws {
        let outcome = try await run(program, file.yaml)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(file.message), "\(outcome.errors)")
    }

    @Test(arguments: [
        "", "# port: 80\n", "---\n", "retention:\n#  days: 90\n", "retention:\n  days: 90\nrejected:\n  days: 3\n",
    ])
    func takesTheOthers(yaml: String) async throws {
        let outcome = try await run("tributary", yaml)
        // The settings are good; next, the database is unavailable.
        #expect(outcome.status == 69, "\(outcome.errors)")
    }

    @Test func tellsOfAValueThatCannotBe() async throws {
        let outcome = try await run("tributaryd", "retention:\n  automatic: maybe\n")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("retention.automatic (TRIBUTARY_RETENTION_AUTOMATIC) must be on or off"))
    }

    @Test func tellsOfAnAddressThatItCannotHave() async throws {
        let outcome = try await run("tributaryd", "log:\n  level: critical\n")
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.contains(
                "cannot listen on 192.0.2.1:8080: Cannot assign requested address; name another with --host or --port"
            ),
            "\(outcome.errors)"
        )
    }

    @Test func tellsOfASpoolThatCannotBe() async throws {
        let outcome = try await run("tributaryd", "log:\n  level: critical\nspool:\n  folder: /dev/null/spool\n")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("the spool cannot be used: /dev/null/spool cannot be made: "))
        #expect(outcome.errors.contains("name another folder with spool.folder (TRIBUTARY_SPOOL_FOLDER)"))
        #expect(outcome.errors.count { $0 == "\n" } == 1, "\(outcome.errors)")
    }
}
