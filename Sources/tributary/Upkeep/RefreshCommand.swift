import ArgumentParser
import InboundLinks
import Postgres
import Reporting
import Storage
import Timelines

struct RefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Update the figures that BI tools read.",
        discussion: """
            The daemon does this every minute (figures.interval). Run it by hand if no daemon runs, or to have the \
            figures immediately after an import. docs/bi.md describes the views.

              tributary refresh                      count new events, in every app
              tributary refresh --app shop --full    compute all figures of an app again
              tributary refresh --check              compare all figures with the events
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "Only this app (default: every app).", completion: AppIDs.completion)
    var app: String?

    @Flag(help: "Compute all figures again, not only those that new events may have changed.")
    var full = false

    @Flag(help: "Compute all figures again and compare; change nothing. Ends with status 70 if they differ.")
    var check = false

    func validate() throws {
        if full, check { throw ValidationError("--full changes figures and --check does not; choose one") }
    }

    func run() async throws {
        try await database.withPool { pool in
            let store = AppStore(pool: pool)
            let apps = if let app { [try await store.app(id: app)] } else { try await store.list() }
            var differ = 0
            var failures: [(id: String, status: CommandFailure.Status)] = []
            for app in apps {
                do {
                    differ += try await run(app, on: pool)
                } catch {
                    guard apps.count > 1, !Self.isOfAllApps(error),
                        let failure = CommandFailure(error, of: TributaryCommand.self)
                    else { throw error }
                    StandardError.write("tributary: \(app.profile.id): \(Redaction.redact(failure.message))")
                    failures.append((app.profile.id, failure.status))
                }
            }
            if let first = failures.first {
                let ids = failures.map(\.id).joined(separator: ", ")
                throw CommandFailure(first.status, "not \(check ? "checked" : "refreshed"): the figures of \(ids)")
            }
            if differ > 0 {
                throw CommandFailure(
                    .internalError,
                    "\(differ) periods differ from their events; 'tributary refresh --full' computes their figures again"
                )
            }
        }
    }

    /// Whether no other app can be refreshed either.
    private static func isOfAllApps(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return error is CancellationError }
        return error.isUnavailable && !error.isOfAWorker || [.cancelled, .closed].contains(error.kind)
    }

    /// - Returns: how many periods differ.
    private func run(_ app: App, on pool: PostgresPool) async throws -> Int {
        let refresher = try FigureRefresher(app: app)
        let id = app.profile.id
        try await TimelinePacker(app: app, pool: pool).shortenDelta()
        if check {
            let differences = try await Progress.whileWaiting("checking \(id)") {
                try await pool.withConnection { connection in
                    try refresher.whileAlone(waiting: true, on: connection) { try refresher.check(on: $0) } ?? []
                }
            }
            for difference in differences.map(\.description).sorted() { print("\(id): \(difference)") }
            if differences.isEmpty { print("\(id): all figures match the events") }
            return differences.count
        }
        let refreshed = try await refresh(refresher, id, on: pool)
        print("\(id): \(refreshed == 0 ? "nothing new" : "\(refreshed) periods refreshed")")
        return 0
    }

    private func refresh(_ refresher: FigureRefresher, _ id: String, on pool: PostgresPool) async throws -> Int {
        try await pool.withConnection { [full] connection in
            try refresher.whileAlone(waiting: true, on: connection) { connection in
                try refresher.scanChanges(fully: full, on: connection)
                var progress = Progress()
                var refreshed = 0
                var leftOut: Set<PeriodFigures> = []
                while let step = try refresher.refreshNext(.all, on: connection) {
                    refreshed += step.refreshed
                    leftOut.formUnion(step.leftOut)
                    progress.show(
                        "periods of \(id)",
                        done: refreshed,
                        fraction: Double(refreshed) / Double(refreshed + step.remaining)
                    )
                }
                progress.finish()
                for figures in leftOut.map(\.description).sorted() {
                    StandardError.write("warning: \(id): no \(figures): \(PeriodFigures.reasonToLeaveOut)")
                }
                return refreshed
            } ?? 0
        }
    }
}
