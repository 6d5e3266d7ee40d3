/// How long what is kept, and whether the daemon sees to it.
package struct RetentionSettings: Equatable, Sendable {
    /// Events that happened longer ago are refused, and go. Default 400 days.
    package var events: Duration
    /// Rejected events that were received longer ago go; nil: they stay until they are purged. Default 30 days.
    package var rejectedEvents: Duration?
    /// Whether the daemon removes what is too old. Default yes.
    package var isAutomatic: Bool
    /// How often the daemon looks. Default every hour.
    package var interval: Duration

    package init(_ settings: SettingsReader) async throws(SettingsError) {
        let day = Duration.seconds(86_400)
        events = day * (try await settings.integer("retention.days", default: 400, in: 1...36_500))
        // 0: for ever.
        let rejectedDays = try await settings.integer("rejected.days", default: 30, in: 0...36_500)
        rejectedEvents = rejectedDays == 0 ? nil : day * rejectedDays
        isAutomatic = try await settings.toggle("retention.automatic", default: true)
        interval = .seconds(try await settings.integer("retention.interval", default: 3_600, in: 1...86_400))
    }
}
