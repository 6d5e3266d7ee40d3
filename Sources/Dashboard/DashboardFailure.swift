/// Why a view has no figures.
package enum DashboardFailure: Error, Equatable, Sendable {
    /// A parameter in the URL is wrong. The sentence says which and why, for the person at the browser.
    case invalid(String)
    /// The database is unavailable.
    case unavailable
    case timedOut
}

extension DashboardFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalid(let message): message
        case .unavailable: "The database is unavailable. Reload the page in a moment."
        case .timedOut: "The report took too long. Choose a shorter range."
        }
    }
}
