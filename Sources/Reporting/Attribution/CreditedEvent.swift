import Time

/// An install or a conversion that touches get credit for.
struct CreditedEvent: Equatable {
    /// Position in `PersonTimeline.events`.
    var position: Int
    var time: Timestamp
    var isInstall: Bool
    /// In millionths of the app's currency; 0 for installs, and for conversions in another currency.
    var value: Int64
}
