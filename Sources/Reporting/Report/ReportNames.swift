/// Names of rows that stand for no group of their own.
enum ReportNames {
    /// What has no ref, referer and the like.
    static let none = "(none)"
    /// Installs and conversions that no touch is credited with.
    static let direct = "direct"
    /// All groups together.
    static let total = "total"
}

/// The order of names, by their bytes: the same on every machine.
func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
}
