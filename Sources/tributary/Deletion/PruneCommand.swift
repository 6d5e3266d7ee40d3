import ArgumentParser
import InboundLinks
import Time
import Reporting
import Settings
import Storage
import Timelines

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Delete events and rejected events that are older than the retention period.",
        discussion: """
            The daemon does this in the background, after retention.days and rejected.days. Run this command to do it \
            now, for one app, or for another age. Months that are too old as a whole are dropped; other old events are \
            deleted row by row. New events are stored meanwhile. docs/privacy.md says what is deleted when.

              tributary prune --dry-run
              tributary prune --older-than 90d --yes
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(
        help: "Delete events that happened longer ago than this, such as 400d (default: the setting retention.days)."
    )
    var olderThan: String?

    @Option(help: "Delete only data of this app.", completion: AppIDs.completion)
    var app: String?

    @Flag(help: "Only show what would be deleted.")
    var dryRun = false

    @OptionGroup var format: RecordFormat

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        let settings = try await RetentionSettings(SettingsReader(file: database.file))
        var policy = RetentionPolicy(events: settings.events, rejectedEvents: settings.rejectedEvents)
        if let olderThan {
            policy.events = try Duration.option(
                "--older-than",
                olderThan,
                in: .seconds(86_400)...ReportInstant.longestAgo,
                suchAs: "400d"
            )
        }
        let now = Timestamp.now
        try await database.withPool { [policy] pool in
            var selected: App?
            if let app { selected = try await AppStore(pool: pool).app(id: app) }
            try await ClockCheck.run(pool)
            let store = RetentionStore(pool: pool, packed: TimelineRemoval())
            if dryRun || !yes {
                let plan = try await Progress.whileWaiting("counting") {
                    try await store.plan(policy, app: selected, now: now)
                }
                if dryRun {
                    StandardError.write("this would be deleted; nothing was changed")
                    plan.record.print(as: format.form)
                    return
                }
                try Confirmation.ask(
                    "Delete \(plan.counts["event"]) events before \(plan.before?.rfc3339 ?? "") permanently?",
                    answer: "yes",
                    yes: false
                )
            }
            let receipt = try await DeletionProgressLine.with {
                try await store.run(policy, app: selected, isThorough: true, now: now, progress: $0)
            }
            guard let receipt else {
                StandardError.write("nothing is older than the retention period")
                return
            }
            receipt.record.print(as: format.form)
        }
    }
}

extension RetentionPlan {
    fileprivate var record: Record {
        Record(
            [("before", .optional(before?.rfc3339)), ("dropped_months", .list(months))]
                + counts.values.map { ($0.name, .number(Int64($0.count))) }
        )
    }
}
