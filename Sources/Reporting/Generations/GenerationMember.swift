import Timelines

/// Somebody who installed: 24 bytes, because there may be millions.
struct GenerationMember {
    /// The time of the first install ever, in microseconds; `never` of a stranger.
    var install = Self.never
    /// The post that the install is credited to.
    var post = Code.none
    /// What the chains that begin with this person are grouped by: for the refs of a touch the code of their list,
    /// else the number of the group.
    var group = Self.nothing
    /// How many were posted in the range.
    var posts: UInt32 = 0
    /// Whether the person installed in the range and meets conditions. All others only link those who do.
    var isCounted = false

    static let never = Int64.max
    /// The property is missing.
    static let nothing = Int32.min
    /// The install has no touch.
    static let direct = Int32.min + 1
    /// Conditions leave out who is in these chains.
    static let leftOut = Int32.min + 2
}

/// What conversions in the range of somebody who installed in it were worth: one for each currency, and more if the
/// sum is too large for one.
struct GenerationWorth {
    var member: Int32
    var currency: Code
    /// In millionths.
    var value: Int64
    var conversions: UInt32

    /// Returns false, and adds nothing, if the sum would be too large.
    mutating func add(_ value: Int64) -> Bool {
        let (sum, count) = (
            self.value.addingReportingOverflow(value), conversions.addingReportingOverflow(1)
        )
        guard !sum.overflow, !count.overflow else { return false }
        (self.value, conversions) = (sum.partialValue, count.partialValue)
        return true
    }
}
