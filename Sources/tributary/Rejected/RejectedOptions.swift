import ArgumentParser
import Events
import Time
import Postgres
import Storage
import Timelines

/// Which rejected events a command means.
struct RejectedOptions: ParsableArguments {
    @Option(help: "Only of this app.")
    var app: String?

    @Option(help: ArgumentHelp("Only with this code; may be repeated.", valueName: "code"))
    var code: [String] = []

    @Option(help: "Only received at or after this time: RFC 3339, or a date in UTC.")
    var from: String?

    @Option(help: "Only received before this time: RFC 3339, or a date in UTC.")
    var to: String?

    init() {}

    /// - Throws: `CommandFailure` for a code that there is not.
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
                "no event is rejected as '\(code)'" + Suggestion.sentence(for: code, among: codes)
            )
        }
        let (from, to) = (try time(from, "--from"), try time(to, "--to"))
        if let from, let to, from >= to { throw CommandFailure(.usage, "--from must lie before --to") }
    }

    func filter(_ pool: PostgresPool) async throws -> RejectedEventFilter {
        var filter = RejectedEventFilter()
        if let app { filter.appNumber = try await AppStore(pool: pool).app(id: app).number }
        if !code.isEmpty { filter.codes = code }
        filter.from = try time(from, "--from")
        filter.to = try time(to, "--to")
        return filter
    }

    private func time(_ text: String?, _ name: String) throws -> Timestamp? {
        guard let text else { return nil }
        guard let time = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") else {
            throw CommandFailure(
                .usage,
                "\(name) takes a date such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z, not '\(text)'"
            )
        }
        return time
    }

    /// The id of a rejected event, as the list shows it.
    static func id(_ text: String) throws -> EventID {
        guard let id = EventID(text) else {
            throw CommandFailure(.usage, "'\(text)' is no id of a rejected event; 'tributary rejected list' shows them")
        }
        return id
    }
}
