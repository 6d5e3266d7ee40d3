/// Why no stored rows were rewritten.
package enum RewriteError: Error, Equatable, Sendable, CustomStringConvertible {
    case isRedacting
    case isRereading
    /// Copied events would stay as they were.
    case isMoving

    package var description: String {
        switch self {
        case .isRedacting: "another program is redacting this database; wait until it has finished"
        case .isMoving: "an app is moving to another database; wait until it has moved, and do it there"
        case .isRereading: "another program is reading the history of this app again; wait until it has finished"
        }
    }
}
