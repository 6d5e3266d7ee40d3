/// Decides whether the wall clock can date events. Two witnesses speak for it: the time that has passed since it was
/// last trusted, by a clock that nobody sets, and the database's clock.
///
/// All times are offsets in microseconds: the clock minus the time since the daemon's start. So an offset stays the
/// same as long as nobody sets the clock.
///
/// | the wall clock fits the time that passed | and the database's clock | then |
/// |---|---|---|
/// | yes | yes, or it is not known | trusted |
/// | yes | no, but it did before | trusted: the database's clock was set |
/// | yes | no, and it never did | not trusted: one of the two is wrong |
/// | no | yes | trusted again: the earlier time was wrong |
/// | no | no, or it is not known | not trusted |
struct ClockTrust: Sendable {
    /// A smaller difference is reported, but events are accepted.
    static let tolerance: Int64 = 3_600_000_000
    /// From this difference on, a warning is logged. It ends below half of it.
    static let skewLimit: Int64 = 5_000_000

    enum State: Equatable, Sendable {
        case trusted
        /// The wall clock was set by this number of microseconds, and nothing confirms the new time.
        case jumped(by: Int64)
        /// The wall clock has been this number of microseconds ahead of the database's since the start.
        case differs(by: Int64)
    }

    /// A change for the log.
    enum Change: Equatable, Sendable {
        case distrusted(State)
        /// The wall clock is where it was before.
        case returned
        /// The database confirms the new time, so the time before was wrong by this number of microseconds.
        case confirmed(by: Int64)
        /// The database's clock now agrees with this machine's, which was not set.
        case agreed
        /// The wall clock is this number of microseconds ahead of the database's, more than the limit.
        case skewed(by: Int64)
        case unskewed
    }

    private(set) var state = State.trusted
    /// The offset of the wall clock when it was last trusted.
    private var trusted: Int64
    /// The offset of the database's clock; nil if it is not known.
    private var database: Int64?
    /// Whether both clocks have agreed since the start.
    private var hasAgreed = false
    private var isSkewed = false

    init(wall: Int64) {
        trusted = wall
    }

    /// Whether nothing has changed since ``examine(wall:)`` trusted the clock. Every request asks this.
    func isStillTrusted(wall: Int64) -> Bool {
        state == .trusted && Self.areClose(wall, trusted)
    }

    /// How far the wall clock is ahead of the database's; nil if that is not known.
    func skew(wall: Int64) -> Int64? {
        database.map { wall - $0 }
    }

    /// Notes the database's clock.
    mutating func compare(database offset: Int64) {
        database = offset
    }

    /// Decides again.
    mutating func examine(wall: Int64) -> [Change] {
        var changes: [Change] = []
        let former = state
        let fitsTime = Self.areClose(wall, trusted)
        let fitsDatabase = database.map { Self.areClose(wall, $0) }
        switch (fitsTime, fitsDatabase) {
        case (true, nil):
            // Without the database, its last word stands.
            if case .jumped = former { state = .trusted }
        case (true, true?):
            state = .trusted
        case (true, false?):
            state = hasAgreed ? .trusted : .differs(by: wall - (database ?? wall))
        case (false, true?):
            state = .trusted
        case (false, _):
            state = .jumped(by: wall - trusted)
        }
        switch (former, state) {
        case (_, .trusted) where !fitsTime: changes.append(.confirmed(by: wall - trusted))
        case (.jumped, .trusted): changes.append(.returned)
        case (.differs, .trusted): changes.append(.agreed)
        case (.trusted, .jumped), (.trusted, .differs): changes.append(.distrusted(state))
        case (.trusted, .trusted), (.jumped, _), (.differs, _): break
        }
        if state == .trusted {
            // Follows a clock that a time server corrects by small steps.
            trusted = wall
            if fitsDatabase == true { hasAgreed = true }
        }
        return changes + skewChange(wall)
    }

    private mutating func skewChange(_ wall: Int64) -> [Change] {
        guard let skew = skew(wall: wall) else { return [] }
        if !isSkewed, skew.magnitude > Self.skewLimit.magnitude {
            isSkewed = true
            return [.skewed(by: skew)]
        }
        if isSkewed, skew.magnitude < Self.skewLimit.magnitude / 2 {
            isSkewed = false
            return [.unskewed]
        }
        return []
    }

    private static func areClose(_ first: Int64, _ second: Int64) -> Bool {
        first.distance(to: second).magnitude <= tolerance.magnitude
    }
}
