/// Conditions of a view that one of its reports cannot mean. Figures that leave them out would be taken for those of
/// the conditions, so a dash stands in their place. So it does for those of a report that is refused as a whole.
struct Unmet {
    /// Empty: the report is refused.
    private let keys: String
    private let reason: String

    /// - Returns: nil if the report can mean all conditions.
    init?(_ filters: Filters, by report: String) {
        if let reason = Filters.reasonAgainstPeople(of: report), !filters.ofPeople.isEmpty {
            (keys, self.reason) = ("what people did", reason)
            return
        }
        let unmet = filters.unmet(by: report)
        guard !unmet.isEmpty else { return nil }
        keys = unmet.map { $0.replacing("_", with: " ") }.joined(separator: " and ")
        let known = filters.keys(of: report)
        let counted = known.contains("channel") ? "a touch" : "a post"
        reason =
            known.isEmpty
            ? "the report \(report) takes no filters" : "\(counted) has \(unmet.count == 1 ? "none" : "neither")"
    }

    init(refusal reason: String) { (keys, self.reason) = ("", reason) }

    /// Beside a dash.
    var note: String { keys.isEmpty ? "too many to count" : "not filtered by \(keys): \(reason)" }

    /// In the place of figures.
    var sentence: String {
        guard !keys.isEmpty else { return "These figures are missing: \(reason)." }
        return "Not filtered by \(keys): \(reason). Take the filter off to see these figures."
    }

    /// Below a table that has other figures as well.
    func sentence(of columns: [String]) -> String {
        "Not filtered by \(keys), and so left empty: \(columns.joined(separator: ", ")). They are of posts; \(reason)."
    }
}
