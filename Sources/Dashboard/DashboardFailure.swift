/// Why a view has no figures.
package enum DashboardFailure: Error, Equatable, Sendable {
    /// A sentence for the person who asked, about what the address bar says.
    case invalid(String)
    /// The database is away.
    case unavailable
    case timedOut
    /// The app was deleted.
    case unknownApp
}

extension DashboardFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalid(let message): message
        case .unavailable: "The database is away. Reload the page in a moment."
        case .timedOut: "That took too long. Ask for a shorter range."
        case .unknownApp: "The app of this key is gone."
        }
    }
}
