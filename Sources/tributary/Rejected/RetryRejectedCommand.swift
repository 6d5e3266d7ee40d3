import ArgumentParser
import Events
import Settings
import Storage

struct RetryRejectedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Read rejected events again, and store those that are valid now.",
        discussion: """
            Events are read with the rules of this version and of their app, as of the time of their first receipt. An event that is \
            stored, now or before, is no longer a rejected event. For the others, the command prints why they are \
            still rejected, and ends with status 65. If the rules of an app cannot be read, all its events stay \
            rejected.
            """
    )

    /// The most failures that are printed one by one. Others are only counted.
    private static let shownFailures = 20

    @OptionGroup var database: DatabaseOptions

    @Argument(help: ArgumentHelp("Ids, as 'tributary rejected list' shows them.", valueName: "id"))
    var ids: [String] = []

    @OptionGroup var selection: RejectedOptions

    @Flag(help: "Retry all rejected events.")
    var all = false

    func run() async throws {
        guard (!ids.isEmpty || !selection.isEmpty) != all else {
            throw CommandFailure(.usage, "name the events: ids, or --app, --code, --from and --to, or --all")
        }
        try selection.check()
        let ids = try ids.map(RejectedOptions.id)
        let days = try await RetentionSettings.days(SettingsReader(file: database.file))
        let outcome = try await database.withPool { pool in
            let store = RejectedEventStore(pool: pool)
            var filter = try await selection.filter(pool)
            if !ids.isEmpty {
                filter.ids = ids
                guard try await store.count(filter) == Set(ids).count else {
                    throw CommandFailure(.usage, "some of these are not ids of rejected events; nothing was retried")
                }
            }
            let writer = EventWriter(pool: pool, logger: DatabaseOptions.logger)
            let retry = RejectedEventRetry(
                letters: store,
                writer: writer,
                links: try await LinkStore(pool: pool).snapshot(ofApp: filter.appNumber).table,
                rules: try await AppStore(pool: pool).allRules(ofApp: filter.appNumber),
                retention: .seconds(days * 86_400)
            )
            var failures = 0
            return try await writer.whileRunning {
                try await retry.run(filter) { event, failure in
                    failures += 1
                    if failures <= Self.shownFailures {
                        StandardError.write("\(event.id): \(failure.code): \(failure.message)")
                    } else if failures == Self.shownFailures + 1 {
                        StandardError.write("further rejections are only counted")
                    }
                }
            }
        }
        print(Self.summary(outcome))
        if outcome.rejectedCount > 0 { throw ExitCode(CommandFailure.Status.badData.rawValue) }
    }

    private static func summary(_ outcome: RejectedEventRetry.Outcome) -> String {
        var lines = ["stored: \(outcome.stored)"]
        if outcome.warned > 0 { lines.append("  with warnings: \(outcome.warned)") }
        lines += ["duplicates: \(outcome.duplicates)", "rejected: \(outcome.rejectedCount)"]
        for (code, count) in outcome.rejected.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            lines.append("  \(code): \(count)")
        }
        return lines.joined(separator: "\n")
    }
}
