/// The state of a ``KeyRing``: what it knows, and what a request does next. It does no reading and no waiting.
///
/// A reading of the keys:
///
/// | reading | input | next reading | effect |
/// |---|---|---|---|
/// | none | ``step(askedAt:hasWaited:now:readsForUnknown:finding:)`` needs newer keys | running | it is started |
/// | running | ``readingIsLate(_:)`` | late | the waiters resume; nothing waits for it any more |
/// | running, late | ``readingEnded(_:askedAt:now:)`` | none | a new table or failure is kept; the waiters resume |
///
/// The answer to a request depends on the age of the table, and on the last failure:
///
/// | key | if | step |
/// |---|---|---|
/// | in the table | the table is younger than ``refreshAge`` | known |
/// | in the table | the table is younger than ``maximumAge``, or the request has waited | known, and start a reading |
/// | in the table | the reading is late, or one has just failed | known, and start a reading |
/// | in the table | otherwise | wait for a reading |
/// | not in the table | the table was asked for after the request came | unknown |
/// | not in the table | a reading that began after the request came failed, or the reading is late | unavailable |
/// | not in the table | otherwise | wait for a reading |
struct KeyRingState: Sendable {
    typealias Waiter = CheckedContinuation<Void, Never>
    typealias Instant = ContinuousClock.Instant

    /// From this age on, a request starts a new reading; the table still answers.
    static let refreshAge: Duration = .milliseconds(250)
    /// From this age on, the table answers only if a new one cannot be read. It is below one second, because a revoked
    /// key must be refused within a second.
    static let maximumAge: Duration = .milliseconds(750)

    struct Reading: Sendable {
        var number: Int
        /// How long it waits before it asks the database.
        var pause: Duration
        /// Whether it has taken too long. No request waits for it any more.
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
        /// Wait until the current reading has ended or is late, and ask again.
        case wait
        case unavailable(any Error)
    }

    private(set) var table: KeyTable?
    /// When the database was asked for the table; nil for a table from the archive.
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
    ///   - askedAt: when the request came. A key may have been made just before, so an unknown key needs a reading that
    ///     began after this time.
    ///   - hasWaited: whether the request has already waited for a reading. A known key does not wait twice.
    ///   - readsForUnknown: whether to read for a key that is not in the table. With several databases, it is in the
    ///     ring of another one.
    ///   - find: returns the key that the request needs.
    /// - Returns: what to do, and a reading that the caller starts first.
    mutating func step(
        askedAt: Instant,
        hasWaited: Bool,
        now: Instant,
        readsForUnknown: Bool = true,
        finding find: (KeyTable) -> KeyTable.Entry?
    ) -> (step: Step, starts: Reading?) {
        if let entry = table.flatMap(find) {
            let age = tableAskedAt.map { now - $0 } ?? .seconds(Int64.max)
            if age < Self.refreshAge { return (.known(entry), nil) }
            let starts = reading == nil ? startReading(now) : nil
            if hasWaited || age < Self.maximumAge || reading?.isLate == true { return (.known(entry), starts) }
            // A reading has just failed. The database is asked again, but the request does not wait for it.
            if let failure, now - failure.endedAt < Self.maximumAge { return (.known(entry), starts) }
            return (.wait, starts)
        }
        if let tableAskedAt, tableAskedAt >= askedAt { return (.unknown, nil) }
        if let failure, failure.askedAt >= askedAt { return (.unavailable(failure.error), nil) }
        if reading?.isLate == true { return (.unavailable(KeyRingError.tookTooLong), nil) }
        return (.wait, reading == nil && readsForUnknown ? startReading(now) : nil)
    }

    /// Adds a request that waits for the current reading.
    ///
    /// - Returns: false if there is no reading to wait for any more.
    mutating func enqueue(_ waiter: Waiter) -> Bool {
        guard let reading, !reading.isLate else { return false }
        self.reading?.waiters.append(waiter)
        return true
    }

    /// A reading has taken too long.
    ///
    /// - Returns: the waiters, for the caller to resume.
    mutating func readingIsLate(_ number: Int) -> [Waiter] {
        guard reading?.number == number else { return [] }
        defer { reading?.waiters = [] }
        reading?.isLate = true
        return reading?.waiters ?? []
    }

    /// A reading has ended.
    ///
    /// - Returns: the waiters, for the caller to resume.
    mutating func readingEnded(_ result: Result<KeyTable, any Error>, askedAt: Instant, now: Instant) -> [Waiter] {
        switch result {
        case .success(let table):
            self.table = table
            tableAskedAt = askedAt
            failure = nil
        case .failure(let error):
            // With these keys, events would go to another database under the app number that they have in this one.
            if case SpoolError.ofAnotherDatabase = error { (table, tableAskedAt) = (nil, nil) }
            failure = Failure(askedAt: askedAt, endedAt: now, error: error)
        }
        lastReadingEndedAt = now
        lastReadingTook = now - askedAt
        defer { reading = nil }
        return reading?.waiters ?? []
    }

    /// Pauses before the next reading, so that readings take at most a tenth of the time however many unknown keys are
    /// tried. The pause is at least 50 ms, and at most ``refreshAge``.
    private mutating func startReading(_ now: Instant) -> Reading {
        readings += 1
        let gap = min(max(lastReadingTook * 9, .milliseconds(50)), Self.refreshAge)
        let pause = lastReadingEndedAt.map { max(.zero, gap - (now - $0)) } ?? .zero
        let reading = Reading(number: readings, pause: pause)
        self.reading = reading
        return reading
    }
}
