/// A property that `--where` knows.
protocol FilterKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// All values, if there are few that never change; nil for texts.
    var closedValues: [String]? { get }
    /// What names its values that only events can tell; nil if the values are closed.
    var namedKind: NamedValue.Kind? { get }
    /// What help texts add to the names of all keys.
    static var others: String { get }
}

extension FilterKey {
    static var others: String { "" }
}

extension EventGrouping {
    static var others: String { ", or a declared property ('tributary app property')" }
}
