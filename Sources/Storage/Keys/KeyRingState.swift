/// What a ``KeyRing`` knows and what it does next, without the reading itself.
struct KeyRingState: Sendable {
    typealias Waiter = CheckedContinuation<Void, Never>
    typealias Instant = ContinuousClock.Instant

    /// From this age on a ring is read anew, while it goes on to answer.
    static let refreshAge: Duration = .milliseconds(250)
    /// A ring of this age answers only where a new one cannot be had. Below a second, in which a revoked key must have
    /// become useless.
    static let maximumAge: Duration = .milliseconds(750)

    struct Reading: Sendable {
        var number: Int
        /// How long it waits before it asks the database.
        var pause: Duration
        /// Nobody waits for it any longer.
        var isLate = false
        var waiters: [Waiter] = []
    }

    struct Failure: Sendable {
        /// When the database was asked.
        var askedAt: Instant
        var endedAt: Instant
        var error: any Error
    }

    enum Step: Sendable {
        case known(KeyTable.Entry)
        case unknown
        /// Until the reading that is under way has ended or is late.
        case wait
        case unavailable(any Error)
    }

    private(set) var table: KeyTable?
    /// When the database was asked for the table; nil for one of the archive.
    private var tableAskedAt: Instant?
    private(set) var reading: Reading?
    private var failure: Failure?
    private var lastReadingEndedAt: Instant?
    private var lastReadingTook: Duration = .zero
    private var readings = 0

    init(archived table: KeyTable?) {
        self.table = table
    }

    /// - Parameters:
    ///   - askedAt: when the request came. A key may have been made a moment before, so an unknown one asks for a reading
    ///     since.
    ///   - hasWaited: whether the request has waited for a reading. A known key does not wait twice.
    /// - Returns: what to do, and a reading to start first.
    mutating func step(
        for hash: [UInt8],
        askedAt: Instant,
        hasWaited: Bool,
        now: Instant
    ) -> (step: Step, starts: Reading?) {
        if let entry = table?.entry(of: hash) {
            let age = tableAskedAt.map { now - $0 } ?? .seconds(Int64.max)
            if age < Self.refreshAge { return (.known(entry), nil) }
            let starts = reading == nil ? startReading(now) : nil
            if hasWaited || age < Self.maximumAge || reading?.isLate == true { return (.known(entry), starts) }
            // The database has just been seen to be away: it is asked again, but nobody waits for it.
            if let failure, now - failure.endedAt < Self.maximumAge { return (.known(entry), starts) }
            return (.wait, starts)
        }
        if let tableAskedAt, tableAskedAt >= askedAt { return (.unknown, nil) }
        if let failure, failure.askedAt >= askedAt { return (.unavailable(failure.error), nil) }
        if reading?.isLate == true { return (.unavailable(KeyRingError.tookTooLong), nil) }
        return (.wait, reading == nil ? startReading(now) : nil)
    }

    /// - Returns: false where there is nothing to wait for any longer.
    mutating func enqueue(_ waiter: Waiter) -> Bool {
        guard let reading, !reading.isLate else { return false }
        self.reading?.waiters.append(waiter)
        return true
    }

    /// - Returns: who waited.
    mutating func readingIsLate(_ number: Int) -> [Waiter] {
        guard reading?.number == number else { return [] }
        defer { reading?.waiters = [] }
        reading?.isLate = true
        return reading?.waiters ?? []
    }

    /// - Returns: who waited.
    mutating func readingEnded(_ result: Result<KeyTable, any Error>, askedAt: Instant, now: Instant) -> [Waiter] {
        switch result {
        case .success(let table):
            self.table = table
            tableAskedAt = askedAt
            failure = nil
        case .failure(let error):
            // What came by these keys would be stored in another database, by the number that their app has here.
            if case SpoolError.ofAnotherDatabase = error { (table, tableAskedAt) = (nil, nil) }
            failure = Failure(askedAt: askedAt, endedAt: now, error: error)
        }
        lastReadingEndedAt = now
        lastReadingTook = now - askedAt
        defer { reading = nil }
        return reading?.waiters ?? []
    }

    /// However many unknown keys are tried, reading takes at most a tenth of the time, and less where it is quick.
    private mutating func startReading(_ now: Instant) -> Reading {
        readings += 1
        let gap = min(max(lastReadingTook * 9, .milliseconds(50)), Self.refreshAge)
        let pause = lastReadingEndedAt.map { max(.zero, gap - (now - $0)) } ?? .zero
        let reading = Reading(number: readings, pause: pause)
        self.reading = reading
        return reading
    }
}
