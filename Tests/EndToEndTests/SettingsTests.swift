import Foundation
import Testing

/// A mistyped setting must not be ignored silently.
@Suite("The configuration file")
struct SettingsTests {
    private func run(
        _ program: String,
        _ yaml: String,
        listeningOn address: [String] = ["--host", "192.0.2.1"],
        environment: [String: String] = [:]
    ) async throws -> (status: Int32, errors: String) {
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
            program == "tributaryd" ? ["--config", file] + address : ["app", "list", "--config", file]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["DATABASE_URL": "host=127.0.0.1 port=1", "TRIBUTARY_HOME": folder]) { $1 }
            .merging(environment) { $1 }
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
            (
                "tls:\n  certificate: a\n",
                "no setting tls.certificate; the settings are: app.key.events, app.rate.limit, click.wait, connections"
            ),
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
        #expect(outcome.errors.contains("tributary.yaml, line 2: retention.automatic must be on or off"))
    }

    /// As the command's other options do.
    @Test func tellsWhichNumbersAnOptionTakes() async throws {
        let outcome = try await run("tributaryd", "", listeningOn: ["--port", "-1"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("--port takes a number from 0 to 65535, not -1"), "\(outcome.errors)")
    }

    @Test(arguments: [
        (
            "port: eighty\n", [:],
            "tributary.yaml, line 1: port must be a whole number from 0 to 65535, without quotes\n"
        ),
        ("\n# The port\nport: 80000\n", [:], "line 3: port must be a whole number from 0 to 65535, not 80000\n"),
        ("retention:\n  days: [90]\n", [:], "line 2: retention.days must be a whole number from 1 to 36500, without"),
        ("host: [a, b]\n", [:], "line 1: host must be a text, with commas between several values\n"),
        ("log:\n  level: loud\n", [:], "line 2: log.level must be one of trace, debug, "),
        ("log:\n  format: xml\n", [:], "line 2: log.format must be one of text, json\n"),
        (
            "report:\n  connections: 17\n", [:],
            "line 2: report.connections must be a whole number from 1 to 16, not 17\n"
        ),
        ("port: 80\n", ["TRIBUTARY_PORT": "eighty"], "tributaryd: TRIBUTARY_PORT must be a whole number from 0 to"),
        ("", ["TRIBUTARY_FIGURES_INTERVAL": "-1"], "TRIBUTARY_FIGURES_INTERVAL must be a whole number from 0 to 86400"),
    ])
    func namesThePlaceOfAValueThatCannotBe(yaml: String, variables: [String: String], message: String) async throws {
        let outcome = try await run("tributaryd", yaml, environment: variables)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(
        arguments: ["tributary", "tributaryd"],
        [
            ("port: 80\nhost: h\nport: 81\n", "tributary.yaml, line 3: port is there already, in line 1; remove one"),
            ("spool:\n  bytes: 1\n\n  \"bytes\" : 2\n", "line 4: bytes is there already, in line 2"),
            ("spool.bytes: 1\nspool:\n  bytes: 2\n", "line 3: spool.bytes is there already, in line 1"),
            ("port: 80\n\thost: h\n", "tributary.yaml, line 2: this is not YAML: "),
            ("port 80\n", "tributary.yaml: a file of settings has lines such as 'port: 8080'"),
        ]
    )
    func saysWhatIsWrongWithTheFile(program: String, file: (yaml: String, message: String)) async throws {
        let outcome = try await run(program, file.yaml)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(file.message), "\(outcome.errors)")
        #expect(outcome.errors.count { $0 == "\n" } == 1, "\(outcome.errors)")
    }

    @Test(arguments: [
        ("tributary", "tributary: warning: unknown environment variables are ignored: "),
        ("tributaryd", " warning unknown environment variables are ignored variables=\""),
    ])
    func namesUnknownVariables(program: String, start: String) async throws {
        var variables = ["TRIBUTARY_PROT": "80", "TRIBUTARY_COLOUR": "red", "TRIBUTARY_LOG_LEVEL": "notice"]
        // Those of the recipes are for other programs on the same machine.
        let recipes = Documentation.folder.appending(path: "recipes")
        for name in try FileManager.default.contentsOfDirectory(atPath: recipes.path) {
            let text = try String(contentsOf: recipes.appending(path: name), encoding: .utf8)
            for match in text.matches(of: /TRIBUTARY_[A-Z_]+/) { variables[String(match.0)] = "x" }
        }
        let outcome = try await run(program, "", environment: variables)
        #expect(
            outcome.errors.contains(start + "TRIBUTARY_COLOUR, TRIBUTARY_PROT (did you mean TRIBUTARY_PORT?)"),
            "\(outcome.errors)"
        )
        #expect(!outcome.errors.contains("LOG_LEVEL"))
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
        let outcome = try await run(
            "tributaryd",
            "log:\n  level: critical\nspool:\n  folder: /dev/null/spool\n",
            listeningOn: ["--port", "0"]
        )
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("the spool cannot be used: /dev/null/spool cannot be made: "))
        #expect(outcome.errors.contains("name another folder with spool.folder (TRIBUTARY_SPOOL_FOLDER)"))
        #expect(outcome.errors.count { $0 == "\n" } == 1, "\(outcome.errors)")
    }
}
