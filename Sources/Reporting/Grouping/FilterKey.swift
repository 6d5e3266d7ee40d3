/// A property that `--where` knows.
protocol FilterKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// All values, if there are few that never change; nil for texts.
    var closedValues: [String]? { get }
}
