/// How long events and rejected events are kept, and whether the daemon removes old ones.
package struct RetentionSettings: Equatable, Sendable {
    /// The retention period: older events are rejected, and stored ones are removed. Default 400 days.
    package var events: Duration
    /// Rejected events that were received longer ago are removed; nil: never. Default 30 days.
    package var rejectedEvents: Duration?
    /// Whether the daemon removes old events and old rejected events. Default yes.
    package var isAutomatic: Bool
    /// The time between two checks of the daemon. Default one hour.
    package var interval: Duration

    package init(_ settings: SettingsReader) async throws(SettingsError) {
        let day = Duration.seconds(86_400)
        events = day * (try await Self.days(settings))
        // 0: never removed.
        let rejectedDays = try await settings.integer("rejected.days")
        rejectedEvents = rejectedDays == 0 ? nil : day * rejectedDays
        isAutomatic = try await settings.toggle("retention.automatic")
        interval = .seconds(try await settings.integer("retention.interval"))
    }

    /// The retention period in days, for programs that need no other setting of it.
    package static func days(_ settings: SettingsReader) async throws(SettingsError) -> Int {
        try await settings.integer("retention.days")
    }
}
