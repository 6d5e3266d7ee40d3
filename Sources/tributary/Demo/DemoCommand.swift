import ArgumentParser
import Foundation
import Settings

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Send a day of life-like traffic through the real daemon, then show the reports.",
        discussion: """
            Makes the app 'demo' afresh, starts tributaryd on a free port, sends it the day over HTTP in the formats that \
            real senders use, stops it, prints four reports and writes them all as CSV. The same seed gives the same \
            figures.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "How many people a day has.")
    var people = 4_000

    @Option(help: "How many days there are. Over many, people come back and the app grows.")
    var days = 1

    @Option(help: "Another seed makes another day.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Where the CSV files go; made if absent.", valueName: "folder"))
    var output = "demo-reports"

    func run() async throws {
        guard (10...1_000_000).contains(people) else {
            throw CommandFailure(.usage, "--people takes a number from 10 to 1000000, not \(people)")
        }
        guard (1...365).contains(days) else {
            throw CommandFailure(.usage, "--days takes a number from 1 to 365, not \(days)")
        }
        let settings = try await SettingsReader(file: database.file)
        let place = try await DatabaseSettings(flag: database.url, settings)
        StandardError.write("Opening the database …")
        let summary = try await database.withPool { pool in
            let demo = DemoRun(
                people: people,
                days: days,
                seed: seed,
                folder: output,
                pool: pool,
                environment: environment(for: place),
                arguments: database.file.map { ["--config", $0] } ?? []
            )
            return try await Interruption.cancels(saying: "stopping the daemon") { try await demo.run() }
        }
        print(summary.text)
    }

    /// The daemon's environment: this one's, the same database, and what the demo counts on.
    private func environment(for place: DatabaseSettings) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        switch place {
        case .named(let url):
            // Goes over what a configuration file may say; and not on the command line, where everybody could read it.
            environment["TRIBUTARY_DATABASE_URL"] = url
        case .embedded(let home):
            environment["TRIBUTARY_HOME"] = home
        }
        environment["TRIBUTARY_LOG_LEVEL"] = "notice"
        environment["TRIBUTARY_RATE_LIMIT"] = "0"
        return environment
    }
}
