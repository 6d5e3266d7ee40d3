import ArgumentParser
import JSONReading
import Storage
import Timelines

struct RedactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Find stored secrets, such as access tokens, by today's rules, and replace them by REDACTED.",
        discussion: """
            Secrets are replaced when an event is received. This command reads what is stored again by the rules of \
            this version: events, dead letters, and the spools on this machine. It prints how many values it found, \
            by month and column, and never a value. Packed timelines and figures are made again if they need it.

            Run it after an upgrade whose rules find more, once every daemon is upgraded. Events are received \
            meanwhile. If it is interrupted, run it again; what is done is not done again. docs/privacy.md says more.

              tributary redact --dry-run
              tributary redact
              tributary redact --app shop --format json
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "Search only data of this app (default: every app).", completion: AppIDs.completion)
    var app: String?

    @Flag(help: "Only show what would be redacted.")
    var dryRun = false

    @Option(help: "text or json.")
    var format: RecordFormat.Form = .text

    func run() async throws {
        try await database.withPool { pool in
            let apps = AppStore(pool: pool)
            let selected: App? = if let app { try await apps.app(id: app) } else { nil }
            let spools = try await database.spools(of: pool)
            try spools.checkAccess()
            let store = RedactionStore(pool: pool, spools: spools)
            let found = try await DeletionProgressLine.with {
                try await store.run(app: selected, isDryRun: dryRun, progress: $0)
            }
            // First: what follows may fail, and a second run would not find them again.
            print(found)
            if !dryRun {
                for id in found.appsToRebuild {
                    let packer = TimelinePacker(app: try await apps.app(id: id), pool: pool)
                    _ = try await Progress.whileWaiting("packing the events of \(id) again") {
                        try await packer.rebuildIfMarked()
                    }
                }
            }
        }
    }

    private func print(_ found: RedactionFindings) {
        switch format {
        case .text:
            for (place, count) in found.rows {
                let month = place.month.isEmpty ? "       " : place.month
                StandardOutput.print("\(month)  \(place.table).\(place.column)  \(count)")
            }
            let verb = dryRun ? "to redact; nothing was changed" : "redacted"
            StandardOutput.print("\(found.total.named("value")) \(verb)")
        case .json: StandardOutput.print(json(found))
        }
    }

    private func json(_ found: RedactionFindings) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("dry_run", dryRun)
            writer.member("values", found.total)
            writer.key("findings")
            writer.array { writer in
                for (place, count) in found.rows {
                    writer.object { writer in
                        writer.member("table", place.table)
                        writer.member("column", place.column)
                        writer.member("month", place.month.isEmpty ? nil : place.month)
                        writer.member("values", count)
                    }
                }
            }
            writer.member("rebuilt_apps", dryRun ? [] : found.appsToRebuild)
        }
        return writer.text
    }
}
