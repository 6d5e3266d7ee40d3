/// Why history was not read again.
package enum RereadError: Error, Equatable, Sendable, CustomStringConvertible {
    case isRunning

    package var description: String {
        switch self {
        case .isRunning: "another program is reading the history of this app again; wait until it has finished"
        }
    }
}
