/// Why a view has no figures.
package enum DashboardFailure: Error, Equatable, Sendable {
    /// A parameter in the URL is wrong. The sentence says which and why, for the person at the browser.
    case invalid(String)
    /// The database is away.
    case unavailable
    case timedOut
    /// The report waited in vain for a lock of somebody else.
    ///
    /// - Parameter holder: who has it, and on what; nil if that is not known.
    case busy(holder: String?)
}

extension DashboardFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalid(let message): message
        case .unavailable: "The database is away. Try again in a moment; Live shows what still arrives."
        case .busy(let holder):
            "The database is busy with \(holder ?? "a change of its tables"), so the report could not begin. "
                + "Try again in a moment."
        case .timedOut: "The report took too long. Choose a shorter range."
        }
    }

    /// Whether the same request may be answered later.
    var mayPass: Bool {
        switch self {
        case .invalid: false
        case .unavailable, .timedOut, .busy: true
        }
    }
}
