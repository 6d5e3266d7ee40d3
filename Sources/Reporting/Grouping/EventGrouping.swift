/// What a funnel's groups are: a property of the event that serves the first step.
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

    /// Those that a funnel with this first step can have.
    static func allowed(for step: FunnelStep) -> [EventGrouping] {
        switch step {
        case _ where step.isTouch: allCases
        case .feedPost: [.none, .ref, .platform, .day]
        default: [.none, .platform, .day]
        }
    }
}
