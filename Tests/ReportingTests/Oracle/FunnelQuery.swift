import Events
import Time

extension Oracle {
    enum FunnelOrder: String, CaseIterable {
        case sequential
        case strict
        case any
    }

    enum FunnelTable: CaseIterable {
        case steps
        case besidePrevious
        case times
    }

    struct FunnelQuery {
        var span: Span
        /// When the report is requested: decides who is `open`.
        var now: Timestamp
        /// As in `--steps`.
        var steps: [String] = ["inbound_link", "authentication", "conversion"]
        var grouping: Grouping = .ungrouped
        var window: Duration = .days(7)
        /// The second of two groupings; only with a first one.
        var secondGrouping: Grouping = .ungrouped
        var order = FunnelOrder.sequential
        /// By the number of the step before, from 1.
        var stepWindows: [Int: Duration] = [:]
        /// As in `--exclude`.
        var exclusions: [String] = []

        /// How many groups are shown, if there may be any number.
        var limit = 50

        /// "Counts only starts whose window is over when the report is asked for": `--matured`.
        var isMatured = false

        /// Of a query about the preceding range: the range that it is beside, which has the dates of groups.
        var datedLike: Span?

        var groupings: [Grouping] { [grouping, secondGrouping].filter { $0 != .ungrouped } }

        /// Whether the short form of the rules is enough.
        var isPlain: Bool { order == .sequential && stepWindows.isEmpty && exclusions.isEmpty }

        /// - Parameter step: counted from 1.
        func name(ofStep step: Int) -> String {
            order == .any ? "\(step) of \(steps.count)" : steps[step - 1]
        }
    }
}
