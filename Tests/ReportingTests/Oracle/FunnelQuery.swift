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
        /// When the report is asked for: decides who is `open`.
        var now: Timestamp
        /// As in `--steps`; distinct.
        var steps: [String] = ["inbound_link", "authentication", "conversion"]
        var grouping: Grouping = .ungrouped
        var window: Duration = .days(7)
        /// Of two; only with a first.
        var secondGrouping: Grouping = .ungrouped
        var order = FunnelOrder.sequential
        /// By the step that they start from, from 1.
        var stepWindows: [Int: Duration] = [:]
        /// As in `--exclude`.
        var exclusions: [String] = []

        var groupings: [Grouping] { [grouping, secondGrouping].filter { $0 != .ungrouped } }

        /// The short form of the rules is enough.
        var isPlain: Bool { order == .sequential && stepWindows.isEmpty && exclusions.isEmpty }

        /// From 1.
        func name(ofStep step: Int) -> String {
            order == .any ? "\(step) of \(steps.count)" : steps[step - 1]
        }
    }
}
