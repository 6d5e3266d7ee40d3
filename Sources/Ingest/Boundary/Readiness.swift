/// Whether the daemon can do its work now.
package struct Readiness: Equatable, Sendable {
    /// A value for operators. A name that ends in `_bytes` or `_seconds` states the unit.
    package enum Detail: Equatable, Sendable {
        case text(String)
        case number(Int64)
        case flag(Bool)
    }

    /// Why the daemon is not ready, as sentences that are safe to show to anyone. Empty: it is ready.
    package var reasons: [String]
    /// Shown under `details`, in this order: `("spool_bytes", .number(0))`.
    package var details: [(name: String, value: Detail)]

    package var isReady: Bool {
        reasons.isEmpty
    }

    package init(reasons: [String] = [], details: [(name: String, value: Detail)] = []) {
        self.reasons = reasons
        self.details = details
    }

    package static func == (first: Readiness, second: Readiness) -> Bool {
        first.reasons == second.reasons
            && first.details.elementsEqual(second.details) { $0.name == $1.name && $0.value == $1.value }
    }
}
