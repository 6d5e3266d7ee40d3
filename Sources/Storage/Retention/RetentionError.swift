/// Why nothing was removed.
package enum RetentionError: Error, Equatable, CustomStringConvertible {
    /// Another program is at it.
    case isRunning

    package var description: String {
        switch self {
        case .isRunning: "another program is removing old events in this database; try again later"
        }
    }
}
