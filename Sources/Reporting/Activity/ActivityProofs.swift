/// What the current person did in each period, for a list of people.
struct ActivityProofs {
    private var before: Evidence?
    private var beginning: Evidence?
    private var periods: [Evidence?]

    init(periods: Int) { self.periods = Array(repeating: nil, count: periods) }

    mutating func clear() { self = ActivityProofs(periods: periods.count) }

    mutating func add(_ evidence: Evidence, _ moment: ActivityMarks.Moment) {
        if moment.isBefore { Self.add(evidence, to: &before) }
        if moment.isInBeginning { Self.add(evidence, to: &beginning) }
        if let period = moment.periodInRange { Self.add(evidence, to: &periods[period]) }
    }

    private static func add(_ evidence: Evidence, to sum: inout Evidence?) {
        guard var known = sum else { return sum = evidence }
        known += evidence
        sum = known
    }

    /// What a person did in a period, or, if the person is gone in it, in the one before.
    func proof(of count: ActivityCounts.Count, at period: Int) -> Evidence? {
        guard count == .dormant else { return periods[period] }
        guard period > 0 else { return before }
        var last = periods[period - 1]
        if period == 1, let beginning { Self.add(beginning, to: &last) }
        return last
    }
}

extension ActivityCounts.Count {
    /// Nil for the figures of other reports.
    init?(_ figure: PeopleFigure) {
        switch figure {
        case .new: self = .new
        case .returning: self = .returning
        case .resurrected: self = .resurrected
        case .dormant: self = .dormant
        default: return nil
        }
    }
}
