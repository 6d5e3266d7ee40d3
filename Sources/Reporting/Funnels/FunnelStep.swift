import Events

/// A step of a funnel: an event of any of these serves it.
struct FunnelStep: Hashable, Sendable {
    /// In the order in which they were given; distinct, at least one.
    let alternatives: [FunnelEvent]

    static let defaultSteps: [FunnelStep] = [
        FunnelStep(.inboundLink), FunnelStep(.authentication), FunnelStep(.conversion(nil)),
    ]

    init(_ event: FunnelEvent) {
        alternatives = [event]
    }

    /// Reads `install`, or several separated by `|`: `install|conversion:register`.
    ///
    /// - Throws: `ReportError.usage` for an alternative that is unknown or stands twice.
    init(parsing text: String, field: String) throws(ReportError) {
        var alternatives: [FunnelEvent] = []
        for name in text.split(separator: "|", omittingEmptySubsequences: false).map(String.init) {
            guard let event = FunnelEvent(name: name) else {
                throw .unknown("step", name, field: field, allowed: FunnelEvent.names)
            }
            guard !alternatives.contains(event) else { throw .invalid(field, "'\(name)' stands twice in '\(text)'") }
            alternatives.append(event)
        }
        self.alternatives = alternatives
    }

    var types: Set<EventType> {
        alternatives.reduce(into: []) { $0.formUnion($1.types) }
    }

    // The order of the alternatives is a spelling.
    static func == (first: FunnelStep, second: FunnelStep) -> Bool {
        Set(first.alternatives) == Set(second.alternatives)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(Set(alternatives))
    }
}

extension FunnelStep: CustomStringConvertible {
    /// As it is asked for.
    var description: String {
        alternatives.map(\.description).joined(separator: "|")
    }
}
