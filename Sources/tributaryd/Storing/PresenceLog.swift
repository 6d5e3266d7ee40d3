/// Decides when the log says that the database is away, or available again.
///
/// On a full disk that changes with every event. So each of the two is said at most once a minute, and what holds in
/// the end is said by the latest then.
struct PresenceLog {
    typealias Instant = ContinuousClock.Instant

    private static let pause: Duration = .seconds(60)

    /// What was said last. At the start, nobody thinks that the database is away.
    private var said = true
    private var next: [Bool: Instant] = [:]

    /// Call it at each change, and now and then.
    ///
    /// - Parameter isPresent: whether the database is present now.
    /// - Returns: whether the log must say so now.
    mutating func says(_ isPresent: Bool, at now: Instant) -> Bool {
        guard isPresent != said, next[isPresent].map({ $0 <= now }) ?? true else { return false }
        said = isPresent
        next[isPresent] = now.advanced(by: Self.pause)
        return true
    }
}
