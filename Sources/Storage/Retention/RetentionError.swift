/// Why retention removed nothing.
package enum RetentionError: Error, Equatable, CustomStringConvertible {
    /// Another program is removing old data in this database.
    case isRunning

    package var description: String {
        switch self {
        case .isRunning: "another program is removing old events in this database; try again later"
        }
    }
}
