/// Decides when a daemon starts its private cluster again, and when it restarts it because PostgreSQL's programs were
/// upgraded under it. Pure: time and facts come from outside.
package struct ClusterCare {
    package typealias Instant = ContinuousClock.Instant

    /// What the daemon must do now.
    package enum Action: Equatable, Sendable {
        case nothing
        /// Start the server. The next start counts as an attempt after this one.
        case start
        /// Compare the versions of server and programs, and report by ``compared(running:installed:at:)``.
        case compare(process: Int32)
    }

    /// The pause between the first two starts. Each further pause is twice as long.
    private static let firstPause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(30)
    /// A server that has run for this long was started well: the next start is made immediately.
    private static let provingTime: Duration = .seconds(60)
    /// A package manager replaces file after file. So the same difference must be seen twice, this far apart.
    private static let settlingTime: Duration = .seconds(1)

    private let comparisonPause: Duration
    private var starts = 0
    private var lastStart: Instant?
    private var nextComparison: Instant?
    /// The installed version of the last comparison, if it differed.
    private var seen: String?
    /// The installed version for which the server was restarted last. If the difference remains, another restart would
    /// not help.
    private var restartedFor: String?

    /// - Parameter comparisonPause: the time between two comparisons of versions.
    package init(comparisonPause: Duration = .seconds(5)) {
        self.comparisonPause = comparisonPause
    }

    /// - Parameters:
    ///   - process: the server; nil if it does not run.
    ///   - isDoubtful: whether the database refuses work although the server runs. Then versions are compared at once.
    package mutating func next(process: Int32?, isDoubtful: Bool, at now: Instant) -> Action {
        guard let process else { return nextStart(at: now) }
        if let lastStart, now - lastStart > Self.provingTime { starts = 0 }
        let due = nextComparison ?? now
        // A comparison runs programs: at most one a second.
        guard now >= due || isDoubtful && now + comparisonPause - Self.settlingTime >= due else { return .nothing }
        nextComparison = now + comparisonPause
        return .compare(process: process)
    }

    private mutating func nextStart(at now: Instant) -> Action {
        if let lastStart, starts > 0 {
            let pause = min(Self.firstPause * (1 << min(starts - 1, 10)), Self.longestPause)
            guard now >= lastStart + pause else { return .nothing }
        }
        starts += 1
        lastStart = now
        return .start
    }

    /// - Returns: whether the server must be restarted now.
    package mutating func compared(running: String, installed: String, at now: Instant) -> Bool {
        guard running != installed else {
            seen = nil
            return false
        }
        guard installed != restartedFor else { return false }
        guard seen == installed else {
            seen = installed
            nextComparison = now + Self.settlingTime
            return false
        }
        seen = nil
        restartedFor = installed
        return true
    }

    /// The restart that ``compared(running:installed:at:)`` asked for failed: the next comparisons may ask again.
    package mutating func restartFailed() { restartedFor = nil }
}
