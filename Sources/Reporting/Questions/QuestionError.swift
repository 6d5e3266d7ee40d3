import Text

/// Why a question is not saved, found or deleted.
package enum QuestionError: Error, Equatable, Sendable {
    /// The app has a question of this name, and it was not to be replaced.
    case exists(String)
    /// The app has no question of this name.
    ///
    /// - Parameter closest: the name of one that was likely meant.
    case unknown(String, closest: String?)
    /// The app has as many questions as it may have.
    case tooMany(limit: Int)
}

extension QuestionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exists(let name): "there is a question '\(name)' already"
        case .unknown(let name, let closest):
            "there is no question '\(name)'" + (closest.map { "; did you mean '\($0)'?" } ?? "")
        case .tooMany(let limit): "an app has at most \(limit) questions; delete one that is not needed"
        }
    }
}
