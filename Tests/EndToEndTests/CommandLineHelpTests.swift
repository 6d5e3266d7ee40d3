import ArgumentParser
import Foundation
import Postgres
import PostgresTesting
import RandomTesting
import Reporting
import Settings
import Testing

@testable import tributary

/// `--help` of every command, and what shells offer.
@Suite("Help and completions of the command line")
struct CommandLineHelpTests {
    /// The paths of all commands, the program itself included.
    private static func paths(
        _ command: CommandLineDescription.Command,
        _ path: [String] = []
    ) -> [[String]] {
        [path] + (command.subcommands ?? []).flatMap { paths($0, path + [$0.commandName]) }
    }

    private static let reports = ReportCatalogue.names
    private static let exports = ExportCatalogue.names

    /// What the program prints, without starting it.
    private func help(_ arguments: [String]) throws -> String {
        if let help = CatalogueHelp(for: arguments) { return help.text }
        // The parser answers `--help` by a command that throws the text.
        let error = try #require(throws: (any Error).self) {
            var command = try TributaryCommand.parseAsRoot(arguments)
            try command.run()
        }
        #expect(TributaryCommand.exitCode(for: error) == .success, "\(arguments)")
        return TributaryCommand.fullMessage(for: error, columns: 80) + "\n"
    }

    @Test(arguments: [[], ["report"], ["report", "funnel"], ["app", "create"]])
    func isPrintedByTheProgram(command: [String]) async throws {
        let outcome = try await Programs.tributary(command + ["--help"], environment: ["COLUMNS": "80"])
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(try outcome.output == help(command + ["--help"]))
    }

    /// The commands that a help shows, each a line that can be copied. What a command does may follow it.
    private func examples(in help: String) -> [String] {
        help.split(separator: "\n").filter { $0.hasPrefix("  ") }
            .map { $0.drop { $0 == " " }.components(separatedBy: "   ")[0] }
            .filter { $0.hasPrefix("tributary ") }
    }

    /// Of some commands, by the seed; in the nightly run, of all.
    @Test func showsExamplesThatCanBeCopied() throws {
        let description = try CommandLineDescription.tributary.get()
        for path in TestSeeds.share(of: Self.paths(description.command).filter { $0.first != "help" }, 20) {
            let help = try help(path + ["--help"])
            #expect(help.contains("USAGE: tributary"))
            for example in examples(in: help) {
                #expect(example.count <= 78, "\(path): \(example)")
                for command in DocumentedCommands("```\n\(example)\n```").commands {
                    let fault = description.fault(in: command.words, isWhole: true)
                    #expect(fault == nil, "\(path): \(example)")
                }
            }
        }
    }

    @Test(arguments: reports.map { ("report", $0) } + exports.map { ("export", $0) })
    func isAboutOneReport(command: String, name: String) throws {
        let text = try help([command, name, "--help"])
        #expect(try help([command, "--app", "shop", name, "--tz", "UTC", "-h"]) == text)
        #expect(try help(["help", command, name]) == text)
        #expect(text.contains("USAGE: tributary \(command) \(name) "))
        #expect(!text.contains("`") && !text.contains("]("))
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        let titles = ["PARAMETERS OF EVERY \(command.uppercased()):", "COLUMNS:", "EXAMPLES:"]
        let places = titles.compactMap { text.range(of: $0)?.lowerBound }
        #expect(places.count == titles.count && places == places.sorted())
        #expect(examples(in: text).count == 2)
    }

    /// In the help of all reports, and in that of all exports.
    @Test func namesEveryParameterOfTheCatalogue() throws {
        let ofReports = ReportParameter.common + ReportParameter.commandLine
        let ofExports = ReportParameter.exportCommon + ReportParameter.exportCommandLine
        for (command, parameters) in [
            ("report", ReportCatalogue.descriptions.flatMap(\.parameters) + ofReports),
            ("export", ExportCatalogue.descriptions.flatMap(\.parameters) + ofExports),
        ] {
            let help = try help([command, "--help"])
            for parameter in parameters {
                #expect(help.contains("\n  --\(parameter.name) "), "\(command): \(parameter.name)")
            }
        }
    }

    /// Some, by the seed; in the nightly run, all. `ReportBytesTests` asks every report.
    @Test func hasExamplesThatRun() async throws {
        let commands = Self.reports.map { ["report", $0] } + Self.exports.map { ["export", $0] }
        let examples = try commands.flatMap { self.examples(in: try help($0 + ["--help"])) }
        #expect(examples.count == 2 * commands.count)
        try await TestDatabases.withSchema { database in
            _ = try await Programs.tributary(
                ["app", "create", "--id", "demo", "--name", "Demo"],
                database: database.address
            )
            let folder = FileManager.default.temporaryDirectory.appending(path: "help-\(UUID())").path + "/"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            for (number, example) in TestSeeds.share(of: examples, 10).enumerated() {
                var words = example.split(separator: " ").dropFirst().map(String.init)
                // Files go into a folder of the test.
                for option in ["--output", "--cursor-file"] {
                    guard let index = words.firstIndex(of: option) else { continue }
                    words[index + 1] = "\(folder)\(number)-\(words[index + 1])"
                }
                let outcome = try await Programs.tributary(words, database: database.address)
                #expect(outcome.status == 0, "\(example): \(outcome.errors)")
            }
        }
    }

    /// Each column of the data dictionary, and each parameter that this report alone takes.
    @Test func namesColumnsAndParameters() async throws {
        let dictionary = try await Programs.tributary(["dictionary", "--format", "csv"]).output
        // `report NAME --people` stands for several reports.
        for row in dictionary.components(separatedBy: "\r\n").dropFirst()
        where !row.isEmpty && !row.hasPrefix("report NAME") {
            let cells = row.split(separator: ",")
            let words = cells[0].split(separator: " ").map(String.init)
            let help = try help(words + ["--help"])
            // The parameter says which columns it adds, the same to all reports.
            if cells[1].contains(/^(previous|change)_/), help.contains("--compare-previous ") { continue }
            #expect(help.contains("\n  \(cells[1]) ") || help.contains("\n  \(cells[1])\n"), "\(cells[0]): \(cells[1])")
        }
        let compare = try help(["report", "compare", "--help"])
        #expect(compare.contains("\n  --a NAME ") && compare.contains("Required."))
        #expect(!compare.contains("--model") && !compare.contains("--times"))
    }

    /// Meanings have commas and quotation marks.
    @Test func writesSettingsAsCSV() async throws {
        let written = try await Programs.tributary(["dictionary", "settings", "--format", "csv"]).output
        let quoted = ([Setting.header] + Setting.rows).map { row in
            row.map { $0.contains(/[,"\n]/) ? "\"\($0.replacing("\"", with: "\"\""))\"" : $0 }
                .joined(separator: ",") + "\r\n"
        }
        #expect(quoted.contains { $0.contains("\",") || $0.contains("\"\r\n") })
        #expect(written == quoted.joined())
    }

    /// What the shell offers for the last of the words, which is the value of an option or a positional argument.
    private func offers(
        _ words: [String],
        for argument: String,
        of path: [String],
        environment: [String: String] = [:]
    ) async throws -> [String] {
        let words = ["tributary"] + words
        let outcome = try await Programs.tributary(
            ["---completion"] + path + ["--", argument, "\(words.count - 1)", "\(words.last?.count ?? 0)"] + words,
            environment: environment
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors == "")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func offersTheValuesOfParameters() async throws {
        func report(_ words: [String], _ option: String) async throws -> [String] {
            try await offers(["report"] + words + [option, ""], for: option, of: ["report"])
        }
        #expect(try await report(["refs"], "--by") == ["none", "day", "week", "month"])
        #expect(try await report(["attribution"], "--by").prefix(2) == ["channel", "ref"])
        #expect(try await report(["channels"], "--where").contains("channel=search"))
        #expect(try await report(["funnel"], "--by").contains("target_url"))
        #expect(
            try await report(["attribution"], "--model")
                == ["last", "first", "linear", "position", "decay", "all"]
        )
        #expect(try await report([], "--by").contains("week"))
        let second = try await offers(
            ["report", "funnel", "--steps", "touch,in"],
            for: "--steps",
            of: ["report"]
        )
        #expect(second.contains("touch,install"))
        // Making one takes seconds.
        for shell in TestSeeds.share(of: ["bash", "zsh", "fish"], 1) {
            let script = try await Programs.tributary(["--generate-completion-script", shell]).output
            for name in Self.reports + Self.exports { #expect(script.contains(name)) }
            #expect(script.contains("missing_field"))
        }
    }

    /// From the database if it is there; nothing is started for it.
    @Test func offersTheIDsOfApps() async throws {
        try await TestDatabases.withSchema { database in
            let environment = ["DATABASE_URL": database.address.keywords]
            for id in ["shop", "game"] {
                _ = try await Programs.tributary(
                    ["app", "create", "--id", id, "--name", id],
                    database: database.address
                )
            }
            let words = ["report", "channels", "--app", ""]
            #expect(
                try await offers(words, for: "--app", of: ["report"], environment: environment) == ["game", "shop"]
            )
            #expect(
                try await offers(
                    ["app", "show", ""],
                    for: "positional@0",
                    of: ["app", "show"],
                    environment: environment
                )
                    == ["game", "shop"]
            )
        }
        let home = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID())").path
        for environment in [["TRIBUTARY_HOME": home], ["DATABASE_URL": "postgresql://127.0.0.1:1/none"]] {
            let words = ["report", "channels", "--app", ""]
            #expect(try await offers(words, for: "--app", of: ["report"], environment: environment) == [])
        }
        #expect(!FileManager.default.fileExists(atPath: home))
    }
}
