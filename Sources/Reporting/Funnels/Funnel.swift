import Events
import InboundLinks

/// A funnel as asked for.
struct Funnel: Equatable, Sendable {
    var steps: [FunnelStep]
    var grouping: EventGrouping
    var window: ReportDuration

    static let stepLimit = 8

    /// - Throws: `ReportError.usage` for steps that are unknown, repeated, fewer than 2 or more than 8.
    static func steps(reading reader: inout ParameterReader) throws(ReportError) -> [FunnelStep] {
        let names = reader.list("steps", default: FunnelStep.defaultSteps.map(\.description))
        var steps: [FunnelStep] = []
        for name in names {
            guard let step = FunnelStep(name: name) else {
                throw .unknown("step", name, field: "steps", allowed: FunnelStep.names)
            }
            guard !steps.contains(step) else { throw .invalid("steps", "'\(name)' stands twice") }
            steps.append(step)
        }
        guard (2...stepLimit).contains(steps.count) else {
            throw .invalid("steps", "a funnel has 2 to \(stepLimit) steps, not \(steps.count)")
        }
        return steps
    }

    /// - Throws: `ReportError.usage` for a grouping that the first step does not have.
    static func grouping(
        reading reader: inout ParameterReader,
        firstStep: FunnelStep,
        default defaultValue: EventGrouping = .none
    ) throws(ReportError) -> EventGrouping {
        let grouping = try reader.choice("by", default: defaultValue)
        let allowed = EventGrouping.allowed(for: firstStep)
        guard allowed.contains(grouping) else {
            throw .usage(
                message: "by: \(firstStep) events have no \(grouping.rawValue)",
                field: "by",
                allowed: allowed.map(\.rawValue)
            )
        }
        return grouping
    }

    func demand(in range: ReportRange) -> TimelineDemand {
        TimelineDemand(
            types: steps.reduce(into: []) { $0.formUnion($1.types) },
            touchesFrom: range.from,
            eventsFrom: range.from,
            through: range.to.advanced(by: window.duration),
            needsRefs: grouping == .ref,
            needsReferers: grouping == .refererApp,
            needsTargets: grouping == .targetURL
        )
    }
}
