/// Fields that a form without scripts sends one by one, and that the address bar has as one parameter of the reports.
enum JoinedFields {
    /// The steps of a funnel, which become `steps`.
    static let steps = (1...8).map { "step\($0)" }
    static let defaultSteps = ["inbound_link", "authentication", "conversion"]
    /// The keys of a breakdown, which become `by`.
    static let keys = ["key1", "key2"]

    /// A view's own fields with those that were sent one by one as one parameter; nil if none was.
    static func joined(_ given: [(name: String, value: String)]) -> [(name: String, value: String)]? {
        joined(steps, as: "steps", unless: defaultSteps, given) ?? joined(keys, as: "by", unless: nil, given)
    }

    /// - Parameter usual: values that need no parameter.
    private static func joined(
        _ fields: [String],
        as name: String,
        unless usual: [String]?,
        _ given: [(name: String, value: String)]
    ) -> [(name: String, value: String)]? {
        let chosen = fields.compactMap { field in given.first { $0.name == field }?.value }
        guard !chosen.isEmpty else { return nil }
        let others = given.filter { !fields.contains($0.name) && $0.name != name }
        return chosen == usual ? others : [(name, chosen.joined(separator: ","))] + others
    }
}
