/// The groups that a range shows beside another range: those that the other one shows; then, if that shows all it has,
/// its own up to the limit.
struct ShownBeside {
    /// By their bytes, because two spellings of é are equal as strings.
    private let names: Set<[UInt8]>
    /// How many groups of its own the range may show.
    private let ownLimit: Int

    /// - Parameters:
    ///   - names: those of the other range's rows.
    ///   - special: the names of rows that stand for no single group.
    ///   - limit: how many groups the other range shows at most.
    init(_ names: some Sequence<ReportCell>, besides special: [String], _ limit: Int) {
        self.names = Set(names.map { Array(($0.plainText ?? "").utf8) })
        // A property has `(others)` of its own, so only the count tells whether the other range shows all it has.
        ownLimit = max(0, limit - self.names.subtracting(special.map { Array($0.utf8) }).count)
    }

    /// - Parameter largest: the range's own groups that it would show alone.
    func groups<Group>(of all: some Sequence<Group>, largest: [Group], name: (Group) -> String) -> [Group] {
        all.filter { names.contains(Array(name($0).utf8)) }
            + largest.filter { !names.contains(Array(name($0).utf8)) }.prefix(ownLimit)
    }
}
