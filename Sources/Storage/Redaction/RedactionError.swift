/// Why nothing was redacted.
package enum RedactionError: Error, Equatable, Sendable, CustomStringConvertible {
    case isRunning

    package var description: String {
        switch self {
        case .isRunning: "another program is redacting this database; wait until it has finished"
        }
    }
}
