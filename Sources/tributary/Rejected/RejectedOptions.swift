import ArgumentParser
import Events
import Time
import Postgres
import Reporting
import Storage
import Timelines

/// The rejected events that a command works on.
struct RejectedOptions: ParsableArguments {
    static let codes = CompletionKind.list(Rejection.Code.allCases.map(\.rawValue))

    @Option(help: "Only events of this app.", completion: AppIDs.completion)
    var app: String?

    @Option(
        help: ArgumentHelp("Only events with this code; may be repeated.", valueName: "code"),
        completion: codes
    )
    var code: [String] = []

    @Option(help: "Only events received from this time on: a date in UTC, today, how long ago (7d), or RFC 3339.")
    var from: String?

    @Option(help: "Only events received before this time.")
    var to: String?

    init() {}

    /// - Throws: `CommandFailure` for an unknown code.
    init(app: String?, code: [String]) throws {
        self.app = app
        self.code = code
        from = nil
        to = nil
        try check()
    }

    var isEmpty: Bool { app == nil && code.isEmpty && from == nil && to == nil }

    /// - Throws: `CommandFailure` for wrong usage.
    func check() throws {
        let codes = Rejection.Code.allCases.map(\.rawValue)
        for code in code where !codes.contains(code) {
            throw CommandFailure(
                .usage,
                "there is no rejection code '\(code)'" + Suggestion.sentence(for: code, among: codes)
            )
        }
        let (from, to) = (try time(from, "from"), try time(to, "to"))
        if let from, let to, from >= to { throw CommandFailure(.usage, "--from must lie before --to") }
    }

    func filter(_ pool: PostgresPool) async throws -> RejectedEventFilter {
        var filter = RejectedEventFilter()
        if let app { filter.appNumber = try await AppStore(pool: pool).app(id: app).number }
        if !code.isEmpty { filter.codes = code }
        filter.from = try time(from, "from")
        filter.to = try time(to, "to")
        return filter
    }

    /// The same forms as a report's range takes, in UTC.
    private func time(_ text: String?, _ name: String) throws -> Timestamp? {
        guard let text, let zone = ReportTimeZone("UTC") else { return nil }
        return try ReportInstant.parse(text, field: name, zone: zone, now: .now)
    }

    /// The id of a rejected event, as the list shows it.
    static func id(_ text: String) throws -> EventID {
        guard let id = EventID(text) else {
            throw CommandFailure(
                .usage,
                "'\(text)' is not the id of a rejected event; 'tributary rejected list' shows the ids"
            )
        }
        return id
    }
}
