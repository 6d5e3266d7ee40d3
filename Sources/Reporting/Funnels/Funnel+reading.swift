extension Funnel {
    /// Reads the parameters that funnels share.
    ///
    /// - Parameters:
    ///   - steps: the steps of a report with fixed steps; nil to read them.
    ///   - groupings: the groupings of a report with fixed ones; nil to read them.
    /// - Throws: `ReportError.usage`.
    init(
        reading reader: inout ParameterReader,
        steps: [FunnelStep]? = nil,
        groupings: [EventGrouping]? = nil
    ) throws(ReportError) {
        if let steps {
            self.init(steps: steps)
        } else {
            self.init(steps: try Self.steps(reading: &reader))
        }
        let names = groupings?.map(\.rawValue) ?? reader.list("by", default: [EventGrouping.none.rawValue])
        window = try reader.duration("window", default: ReportDuration(days: 7))
        order = try reader.choice("order", default: .sequential)
        if reader.isGiven("step-window") { try readStepWindows(&reader) }
        if reader.isGiven("exclude") { try readExclusions(&reader) }
        // The allowed groupings depend on the events that can start a chain.
        let keys = reader.groupings(where: isAllowed)
        try group(
            by: names,
            among: keys,
            known: EventGrouping.allCases + reader.properties,
            field: groupings == nil ? "by" : "steps"
        )
        filter = try EventFilter(reading: &reader, keys: keys.filter { $0 != .none && $0.period == nil })
    }

    private static func steps(reading reader: inout ParameterReader) throws(ReportError) -> [FunnelStep] {
        let names = reader.bracketedList("steps", default: FunnelStep.defaultSteps.map(\.description))
        var steps: [FunnelStep] = []
        for (index, name) in names.enumerated() {
            let step: FunnelStep
            do {
                step = try FunnelStep(parsing: name, field: "steps", reader: reader)
            } catch {
                guard names.count > 1, case .usage(let message, let field, let allowed) = error else { throw error }
                throw .usage(message: "\(message) (step \(index + 1))", field: field, allowed: allowed)
            }
            steps.append(step)
        }
        guard (2...stepLimit).contains(steps.count) else {
            throw .invalid("steps", "a funnel has 2 to \(stepLimit) steps, not \(steps.count)")
        }
        return steps
    }

    /// Whether any event that serves one of the starting steps can have a key.
    private func isAllowed(_ key: EventGrouping) -> Bool {
        startingSteps.contains { $0.alternatives.contains { key.isAllowed(for: $0.event) } }
    }

    /// Sets the groupings: `none`, one, or two.
    ///
    /// - Parameters:
    ///   - allowed: the keys that events that start a chain can have.
    ///   - known: all keys.
    ///   - field: the parameter to blame if no event that starts a chain has a grouping.
    /// - Throws: `ReportError.usage`.
    private mutating func group(
        by names: [String],
        among allowed: [EventGrouping],
        known: [EventGrouping],
        field: String
    ) throws(ReportError) {
        guard names.count <= 2 else { throw .invalid("by", "takes one grouping or two, not \(names.count)") }
        for name in names {
            guard let grouping = known.first(where: { $0.rawValue == name }) else {
                throw .unknown("value", name, field: "by", allowed: known.map(\.rawValue))
            }
            guard grouping != .none || names.count == 1 else {
                throw .invalid("by", "'none' cannot be combined with others")
            }
            guard !groupings.contains(grouping) else { throw .invalid("by", "'\(name)' is given twice") }
            guard allowed.contains(grouping) else {
                throw .invalid(
                    field,
                    "\(startingSteps.map(\.description).joined(separator: ", ")) events have no \(name)",
                    allowed: field == "by" ? allowed.map(\.rawValue) : []
                )
            }
            if grouping != .none { groupings.append(grouping) }
        }
    }

    /// Reads `1:1h,2:3d`: at most an hour from the first step to the second, and three days from the second to the
    /// third.
    private mutating func readStepWindows(_ reader: inout ParameterReader) throws(ReportError) {
        let field = "step-window"
        let last = steps.count - 1
        for element in reader.list(field, default: []) {
            let parts = element.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let step = Int(parts[0]) else {
                throw .invalid(
                    field,
                    "'\(element)' is not a step's number and a duration, as 1:1h: from step 1 to step 2 at most 1 hour"
                )
            }
            guard (1...last).contains(step) else {
                throw .invalid(
                    field,
                    "'\(element)': a funnel of \(steps.count) steps has step windows from 1 to \(last)"
                )
            }
            guard stepWindows[step - 1] == nil else { throw .invalid(field, "step \(step) is given twice") }
            let limit = try ReportDuration(parsing: parts[1], field: field)
            guard limit.duration <= window.duration else {
                throw .invalid(field, "'\(element)' is longer than the window of the whole funnel, \(window.text)")
            }
            stepWindows[step - 1] = limit
        }
        guard order != .any else {
            throw .invalid(field, "goes with the orders sequential and strict; with order any there is no next step")
        }
    }

    private mutating func readExclusions(_ reader: inout ParameterReader) throws(ReportError) {
        let field = "exclude"
        // An event that every longer chain needs would cut every longer chain.
        let needed = order == .any ? steps[...] : steps[1..<steps.count - 1]
        for element in reader.bracketedList(field, default: []) {
            for event in try FunnelStep(parsing: element, field: field, reader: reader).alternatives {
                guard !exclusions.contains(event) else { throw .invalid(field, "'\(event)' is given twice") }
                guard !needed.contains(where: { $0.alternatives.contains(event) }) else {
                    let which = order == .any ? "a step" : "a step between the first and the last"
                    throw .invalid(field, "'\(event)' is \(which), which cannot be excluded")
                }
                exclusions.append(event)
            }
        }
    }
}
