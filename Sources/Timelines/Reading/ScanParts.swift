/// The parts of a plan that no connection has taken.
///
/// A part of the delta gets its size when a connection takes it: at first its share, and then a share of what is left
/// among the connections that are there. Each part passes over the whole delta, so there should be few.
struct ScanParts {
    /// The parts that cannot be divided, the next one last.
    private var whole: [ScanPart]
    private var delta = DeltaScan.Part.whole
    /// How many connections are expected.
    private let readers: Int

    /// - Parameter whole: the parts that cannot be divided, those that take longest first.
    init(_ whole: [ScanPart], readers: Int) {
        self.whole = whole.reversed()
        self.readers = readers
    }

    var isEmpty: Bool { whole.isEmpty && delta.isEmpty }

    /// The next part for a connection; nil if there is none.
    ///
    /// - Parameters:
    ///   - present: how many connections are there.
    ///   - hasShare: whether the connection has read a share of the delta. Is set to true if it gets one.
    mutating func next(among present: Int, hasShare: inout Bool) -> ScanPart? {
        // Two connections finish soonest if they begin with the halves of the delta. More of them divide it while some
        // read what cannot be divided.
        if readers > 2 || delta.isEmpty, let part = whole.popLast() { return part }
        guard !delta.isEmpty else { return nil }
        let share = DeltaScan.Part.whole.size.dividedRoundingUp(by: readers)
        let size = hasShare ? max(share, delta.size.dividedRoundingUp(by: present)) : share
        hasShare = true
        return .delta(delta.removeFirst(size))
    }
}

extension Int {
    fileprivate func dividedRoundingUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
