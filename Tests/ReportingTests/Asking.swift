import Events
import Time
@testable import Reporting
@testable import Storage

/// Runs a report over events in memory, by name and parameters, like the command line.
enum Asking {
    static func app(
        currency: String = "USD",
        timeZone: String = "UTC",
        properties: [AppProperty] = []
    ) -> App {
        var profile = AppProfile(id: "game", name: "Game")
        profile.currency = currency
        profile.timeZone = timeZone
        var app = App(number: 1, profile: profile)
        app.properties = properties
        return app
    }

    static func request(
        _ name: String,
        _ parameters: KeyValuePairs<String, String> = [:],
        now: Timestamp = OracleEvents.time(100 * OracleEvents.day),
        app: App = app()
    ) throws(ReportError) -> ReportRequest {
        try ReportRequest.parse(
            name: name,
            parameters: parameters.map { ($0.key, $0.value) },
            origin: .commandLine,
            app: app,
            now: now
        )
    }

    /// The cells of the rows, empty ones as "".
    static func rows(_ request: ReportRequest, of events: MemoryEvents) throws -> [[String]] {
        try events.telling(request).table(over: MemoryTimelines(events, query: request.query)).rows.texts
    }

    static func rows(_ request: ReportRequest, of events: [Event]) throws -> [[String]] {
        try rows(request, of: MemoryEvents(events))
    }

    /// The same for the first ten days of `OracleEvents`.
    static func rows(
        _ name: String,
        _ parameters: KeyValuePairs<String, String> = [:],
        of events: MemoryEvents
    ) throws -> [[String]] {
        let span: [(String, String)] = [
            ("from", OracleEvents.span.from.rfc3339), ("to", OracleEvents.span.to.rfc3339),
        ]
        let request = try ReportRequest.parse(
            name: name,
            parameters: span + parameters.map { ($0.key, $0.value) },
            origin: .commandLine,
            app: app(),
            now: OracleEvents.time(100 * OracleEvents.day)
        )
        return try rows(request, of: events)
    }

    static func rows(
        _ name: String,
        _ parameters: KeyValuePairs<String, String> = [:],
        of events: [Event]
    ) throws -> [[String]] {
        try rows(name, parameters, of: MemoryEvents(events))
    }
}
