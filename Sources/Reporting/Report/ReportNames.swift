/// Names of rows that are not a group of their own.
enum ReportNames {
    /// Events without a ref, referer and so on.
    static let none = "(none)"
    /// The groups beyond a limit, together.
    static let others = "(others)"
    /// Installs and conversions that no touch is credited with.
    static let direct = "direct"
    /// All groups together.
    static let total = "total"

    static let all = [none, others, direct, total]
}

/// The order of names, by bytes: the same on every machine.
func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
}
