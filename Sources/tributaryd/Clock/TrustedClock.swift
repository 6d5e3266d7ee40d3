import CoreMetrics
import Ingest
import Logging
import Synchronization
import Time

/// The wall clock as long as it can be trusted (``ClockTrust``). It dates events, and decides which data is old.
final class TrustedClock: Sendable {
    private let wall: @Sendable () -> Timestamp
    private let elapsed: @Sendable () -> Int64
    private let logger: Logger
    private let trust: Mutex<ClockTrust>

    /// - Parameters:
    ///   - elapsed: microseconds since any fixed point in time. Nobody can set this clock.
    init(
        wall: @escaping @Sendable () -> Timestamp = { .now },
        elapsed: @escaping @Sendable () -> Int64 = TrustedClock.sinceStart(),
        logger: Logger
    ) {
        self.wall = wall
        self.elapsed = elapsed
        self.logger = logger
        trust = Mutex(ClockTrust(wall: wall().microseconds - elapsed()))
    }

    /// Counts the time that the machine sleeps too.
    static func sinceStart() -> @Sendable () -> Int64 {
        let start = ContinuousClock.now
        return { (ContinuousClock.now - start).wholeMicroseconds }
    }

    /// The time, for events.
    ///
    /// - Throws: `ClockFault` if the clock cannot be trusted.
    func now() throws(ClockFault) -> Timestamp {
        let time = wall()
        let offset = time.microseconds - elapsed()
        if trust.withLock({ $0.isStillTrusted(wall: offset) }) { return time }
        examine()
        if let fault { throw fault }
        return time
    }

    /// Why the clock cannot be trusted; nil if it can.
    var fault: ClockFault? {
        switch trust.withLock({ $0.state }) {
        case .trusted: nil
        case .jumped(let difference):
            ClockFault(
                reason:
                    "the clock of this machine was set by \(TimeDifference(microseconds: difference)), and nothing confirms the new time"
            )
        case .differs(let difference):
            ClockFault(
                reason:
                    "the clock of this machine is \(TimeDifference(microseconds: difference)) ahead of the database's, "
                    + "and it is not known which is right"
            )
        }
    }

    /// How many seconds the wall clock is ahead of the database's; nil if they have not been compared.
    var skewSeconds: Double? {
        let offset = wall().microseconds - elapsed()
        return trust.withLock { $0.skew(wall: offset) }.map { Double($0) / 1e6 }
    }

    /// Notes the database's clock.
    ///
    /// - Parameter lead: how many microseconds the database's clock is ahead of a clock, which is passed to it.
    func compare(by lead: (_ clock: @escaping @Sendable () -> Int64) async throws -> Int64?) async rethrows {
        guard let offset = try await lead(elapsed) else { return }
        trust.withLock { $0.compare(database: offset) }
        examine()
    }

    /// Decides again whether the clock can be trusted, and logs what has changed.
    func examine() {
        let offset = wall().microseconds - elapsed()
        for change in trust.withLock({ $0.examine(wall: offset) }) { log(change) }
    }

    private func log(_ change: ClockTrust.Change) {
        switch change {
        case .distrusted(.jumped(let difference)):
            logger.error(
                "this machine's clock was set; events are refused until the database confirms the time",
                metadata: ["by": "\(TimeDifference(microseconds: difference))"]
            )
        case .distrusted(.differs(let difference)):
            logger.error(
                "this machine's clock and the database's differ; events are refused until they agree",
                metadata: ["ahead": "\(TimeDifference(microseconds: difference))"]
            )
        case .distrusted(.trusted): break
        case .returned:
            logger.notice("this machine's clock shows the earlier time again; events are accepted")
        case .confirmed(let difference):
            logger.warning(
                "the database confirms the time of this machine's clock, so the earlier time was wrong; events are accepted",
                metadata: ["set_by": "\(TimeDifference(microseconds: difference))"]
            )
        case .agreed:
            logger.notice("the database's clock agrees now, so it was wrong before; events are accepted")
        case .skewed(let difference):
            logger.warning(
                "this machine's clock and the database's differ; synchronise both with a time server",
                metadata: ["ahead": "\(TimeDifference(microseconds: difference))"]
            )
        case .unskewed:
            logger.notice("this machine's clock and the database's agree again")
        }
    }
}
