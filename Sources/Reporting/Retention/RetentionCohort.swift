/// The event by whose time `retention` puts a person into a cohort.
enum RetentionCohort: Hashable, Sendable {
    /// The person's first touch ever.
    case touch
    /// The first install ever.
    case install
    /// The first time that the person was authenticated.
    case authentication
    /// The first conversion ever, of any name or of this one.
    case conversion(String?)
    /// The first touch of the range, whatever the person did before.
    case touchInRange

    static let names = ["touch", "install", "authentication", "conversion", "conversion:NAME", "touch_in_range"]

    /// Nil for an unknown name.
    init?(name: String) {
        switch name {
        case "touch": self = .touch
        case "install": self = .install
        case "authentication": self = .authentication
        case "touch_in_range": self = .touchInRange
        default:
            guard case .conversion(let goal) = RetentionReturns(name: name) else { return nil }
            self = .conversion(goal)
        }
    }

    var isTouch: Bool { self == .touch || self == .touchInRange }
}

extension RetentionCohort: CustomStringConvertible {
    var description: String {
        switch self {
        case .touch: "touch"
        case .install: "install"
        case .authentication: "authentication"
        case .conversion(nil): "conversion"
        case .conversion(let name?): "conversion:\(name)"
        case .touchInRange: "touch_in_range"
        }
    }
}

/// The events that `retention` counts as a return.
enum RetentionReturns: Hashable, Sendable {
    case any
    case touch
    /// A conversion of any name, or of this one.
    case conversion(String?)

    static let names = ["any", "touch", "conversion", "conversion:NAME"]

    /// Nil for an unknown name.
    init?(name: String) {
        switch name {
        case "any": self = .any
        case "touch": self = .touch
        default:
            guard case .conversion(let goal)? = FunnelEvent(name: name) else { return nil }
            self = .conversion(goal)
        }
    }
}

extension RetentionReturns: CustomStringConvertible {
    var description: String {
        switch self {
        case .any: "any"
        case .touch: "touch"
        case .conversion(let goal): "\(FunnelEvent.conversion(goal))"
        }
    }
}

/// In which periods a return makes somebody retained in the n-th one.
enum ReturnRule: String, CaseIterable, Sendable {
    /// In the n-th itself.
    case on
    /// In any from the first to the n-th.
    case within
    /// In the n-th or any later one: unbounded, or rolling retention.
    case after

    func counts(_ number: Int, of period: Int) -> Bool {
        switch self {
        case .on: number == period
        case .within: number <= period
        case .after: number >= period
        }
    }

    /// - Parameters:
    ///   - returns: bit n − 1 is set if somebody came back in the n-th period.
    ///   - last: the last period of the set.
    ///   - isSeenSince: whether that somebody came back in it or later.
    /// - Returns: bit n − 1 is set if that somebody is retained in the n-th period, up to `last`.
    func retained(in returns: UInt64, last: Int, _ isSeenSince: Bool) -> UInt64 {
        guard self != .on else { return returns }
        var retained = returns
        if self == .after, isSeenSince { retained |= 1 << UInt64(last - 1) }
        for shift: UInt64 in [1, 2, 4, 8, 16, 32] {
            retained |= self == .within ? retained << shift : retained >> shift
        }
        return retained & (.max >> UInt64(64 - last))
    }
}
