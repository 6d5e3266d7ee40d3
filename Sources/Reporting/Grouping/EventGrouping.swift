/// The property of the event that starts a chain by which a funnel is grouped.
enum EventGrouping: String, CaseIterable, Sendable {
    case none
    case channel
    /// An event with several refs starts in the group of each.
    case ref
    case refererApp = "referer_app"
    case platform
    /// The date of the start in the report's time zone.
    case day
    case targetURL = "target_url"
    /// The short link, as `host/slug`.
    case link

    /// The groupings of events of one kind.
    static func allowed(for event: FunnelEvent) -> [EventGrouping] {
        switch event {
        case _ where event.isTouch: allCases
        case .feedPost: [.none, .ref, .platform, .day]
        default: [.none, .platform, .day]
        }
    }

    /// The groupings of any event that serves one of the steps.
    static func allowed(for steps: some Sequence<FunnelStep>) -> [EventGrouping] {
        let found = Set(steps.flatMap(\.alternatives).flatMap { allowed(for: $0) })
        return allCases.filter(found.contains)
    }
}
