import ArgumentParser
import Foundation
import Settings

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "See Tributary work: send a day of invented traffic through the real daemon, then print reports.",
        discussion: """
            Creates the app 'demo', or replaces it: the data and keys of an earlier demo end. Starts tributaryd on a \
            free port, sends it the events of the day over HTTP, in the formats that real senders use, follows short \
            links of the app as phones, desktops and crawlers do, and stops it. Then prints five reports and writes \
            these and others as CSV. The same seed gives the same figures.

              tributary demo
              tributary demo --people 20000 --days 7
              tributary report funnel --app demo --by ref
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The number of people in a day.")
    var people = 4_000

    @Option(help: "The number of days. Over several days, people come back and the app grows.")
    var days = 1

    @Option(help: "The seed of the traffic: another seed gives other events.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The folder for the CSV files; created if it is missing.", valueName: "folder"))
    var output = "demo-reports"

    func run() async throws {
        try (10...1_000_000).check(people, of: "--people")
        try (1...365).check(days, of: "--days")
        let place = try await database.chosen().place
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

    /// The daemon's environment: that of this process, with its database and with the settings that the demo relies on.
    private func environment(for place: DatabaseSettings) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        switch place {
        case .named(let url):
            // Overrides a configuration file. It is not a flag, because other users could read the password there.
            environment["TRIBUTARY_DATABASE_URL"] = url
        case .embedded(let home):
            environment["TRIBUTARY_HOME"] = home
        }
        environment["TRIBUTARY_LOG_LEVEL"] = "notice"
        environment["TRIBUTARY_LOG_FORMAT"] = LogFormat.text.rawValue
        environment["TRIBUTARY_RATE_LIMIT"] = "0"
        // All visitors come from one address.
        environment["TRIBUTARY_LINK_RATE_LIMIT"] = "0"
        // The spool takes nothing, so clicks wait for the database.
        environment["TRIBUTARY_CLICK_WAIT"] = "10000"
        return environment
    }
}
