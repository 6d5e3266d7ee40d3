import Storage
import Synchronization
import Time

/// Counts of received events, for each app and each second of the last five minutes. Only this daemon's events count.
package final class LiveIngest: Sendable {
    /// Events of one second.
    package struct Counts: Equatable, Sendable {
        package var accepted = 0
        package var duplicates = 0
        package var rejected = 0

        package init(accepted: Int = 0, duplicates: Int = 0, rejected: Int = 0) {
            self.accepted = accepted
            self.duplicates = duplicates
            self.rejected = rejected
        }

        static func += (counts: inout Counts, other: Counts) {
            counts.accepted += other.accepted
            counts.duplicates += other.duplicates
            counts.rejected += other.rejected
        }
    }

    /// A ring buffer: the counts of a second are at the index of that second modulo the length.
    private struct Ring {
        var counts = Array(repeating: Counts(), count: LiveIngest.seconds)
        var latest: Int64
        var codes: [String: Int] = [:]
        /// The last event that was accepted.
        var last: Last?

        mutating func advance(to second: Int64) {
            guard second > latest else { return }
            for passed in max(latest + 1, second - Int64(LiveIngest.seconds) + 1)...second {
                counts[LiveIngest.slot(of: passed)] = Counts()
            }
            latest = second
        }
    }

    /// An event that was accepted.
    struct Last: Equatable {
        var second: Int64
        var type: String
    }

    static let seconds = 300
    /// After so many seconds without an event, the dot at the top of each page is yellow.
    static let lateFrom: Int64 = 3_600

    /// The index of a second. Seconds before 1970 work too, because a clock may never have been set.
    private static func slot(of second: Int64) -> Int {
        let rest = Int(second % Int64(seconds))
        return rest < 0 ? rest + seconds : rest
    }

    /// Seconds after which the database is asked again. Open pages ask every two seconds.
    private static let milestoneAge: Int64 = 5
    private static let freshnessAge: Int64 = 60

    private let clock: @Sendable () -> Int64
    private let milestones = Mutex<[Int32: (reached: Set<AppMilestone>, second: Int64)]>([:])
    /// When the last event of an app was received by any daemon, as far as pages have read it, and when one did so;
    /// both in seconds since 1970.
    private let received = Mutex<[Int32: (last: Int64?, second: Int64)]>([:])
    private let rings = Mutex<[Int32: Ring]>([:])

    /// - Parameter clock: seconds since 1970; default, the wall clock.
    package init(clock: @escaping @Sendable () -> Int64 = { LiveIngest.now }) {
        self.clock = clock
    }

    /// - Parameters:
    ///   - codes: the codes of the rejected events.
    ///   - type: of the last event of the batch; nil if it has none.
    package func record(_ counts: Counts, codes: [String], lastType type: String? = nil, ofApp app: Int32) {
        let second = clock()
        rings.withLock { rings in
            var ring = rings.removeValue(forKey: app) ?? Ring(latest: second)
            ring.advance(to: second)
            ring.counts[Self.slot(of: second)] += counts
            if counts.accepted > 0, let type { ring.last = Last(second: second, type: type) }
            for code in codes { ring.codes[code, default: 0] += 1 }
            rings[app] = ring
        }
    }

    /// What has happened in the app. What was seen once stays, and when all is seen, nobody is asked any more.
    ///
    /// - Returns: nil if the database does not answer, and never did.
    func milestones(of app: App, from source: any DashboardSource) async -> Set<AppMilestone>? {
        let second = clock()
        let known = milestones.withLock { $0[app.number] }
        if let known {
            let isComplete = known.reached.count == AppMilestone.allCases.count
            if isComplete || second < known.second + Self.milestoneAge { return known.reached }
        }
        guard let fresh = try? await source.milestones(of: app) else { return known?.reached }
        let reached = fresh.union(known?.reached ?? [])
        milestones.withLock { $0[app.number] = (reached, second) }
        return reached
    }

    /// How far the app's events have arrived, in words; nil if that cannot be read.
    func freshness(of app: App, from source: any DashboardSource) async -> String? {
        guard let known = await source.freshness(of: app) else { return nil }
        let second = clock()
        let last = known.receivedAt.map { $0.microseconds / 1_000_000 }
        received.withLock {
            $0[app.number] = ([last, $0[app.number]?.last].compactMap(\.self).max(), second)
        }
        return known.words
    }

    /// Reads when the last event was received, unless a page has done so within a minute.
    func learnAge(of app: App, from source: any DashboardSource) async {
        let known = received.withLock { $0[app.number] }
        if let known, clock() < known.second + Self.freshnessAge { return }
        _ = await freshness(of: app, from: source)
    }

    /// Seconds since the last event that is known; nil if none is.
    func age(ofApp app: Int32) -> Int64? {
        let known = [received.withLock { $0[app]?.last }, last(ofApp: app)?.second].compactMap(\.self).max()
        return known.map { max(0, clock() - $0) }
    }

    /// The last event that was accepted since the daemon started.
    func last(ofApp app: Int32) -> Last? { rings.withLock { $0[app]?.last } }

    /// The counts of the whole seconds before the current one, the oldest first, and the rejections since the daemon
    /// started.
    func recent(ofApp app: Int32) -> (counts: [Counts], codes: [(code: String, count: Int)]) {
        let second = clock()
        return rings.withLock { rings in
            guard var ring = rings[app] else { return (Array(repeating: Counts(), count: Self.seconds - 1), []) }
            ring.advance(to: second)
            rings[app] = ring
            let counts = (1..<Int64(Self.seconds)).map { age in
                ring.counts[Self.slot(of: second - Int64(Self.seconds) + age)]
            }
            return (
                counts,
                ring.codes.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map {
                    ($0.key, $0.value)
                }
            )
        }
    }
}
