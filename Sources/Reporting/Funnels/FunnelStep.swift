import Events

/// A step of a funnel. An event of any of its alternatives serves it.
struct FunnelStep: Hashable, Sendable {
    /// In the given order; different, at least one.
    let alternatives: [FunnelAlternative]

    static let defaultSteps: [FunnelStep] = [
        FunnelStep(.inboundLink), FunnelStep(.authentication), FunnelStep(.conversion(nil)),
    ]

    init(_ event: FunnelEvent) {
        alternatives = [FunnelAlternative(event)]
    }

    /// Reads `install`, or several events separated by `|`: `install|conversion:register[platform=ios]`.
    ///
    /// - Parameter reader: knows the declared properties.
    /// - Throws: `ReportError.usage` for an unknown alternative, or one that is given twice.
    init(
        parsing text: String,
        field: String,
        reader: ParameterReader
    ) throws(ReportError) {
        var alternatives: [FunnelAlternative] = []
        for name in BracketedText.split(text, at: "|") {
            let alternative = try FunnelAlternative(parsing: name, field: field, reader: reader)
            guard !alternatives.contains(alternative) else {
                throw .invalid(field, "'\(name)' is given twice in '\(text)'")
            }
            alternatives.append(alternative)
        }
        self.alternatives = alternatives
    }

    var types: Set<EventType> {
        alternatives.reduce(into: []) { $0.formUnion($1.event.types) }
    }
}

extension FunnelStep: CustomStringConvertible {
    /// The step as it is written in a request.
    var description: String {
        alternatives.map(\.description).joined(separator: "|")
    }
}
