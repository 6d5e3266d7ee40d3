import Text

/// Why a question is not saved, found, deleted or restored.
package enum QuestionError: Error, Equatable, Sendable {
    /// The app has a question of this name, and it was not to be replaced.
    case exists(String)
    /// The app has no question of this name.
    ///
    /// - Parameter closest: the name of one that was likely meant.
    case unknown(String, closest: String?)
    /// A deleted question cannot be restored, because another one has its name.
    case taken(String)
    /// The app has no deleted question of this name.
    ///
    /// - Parameter closest: the name of one that was likely meant.
    case notDeleted(String, closest: String?)
    /// The app has as many questions as it may have.
    case tooMany(limit: Int)
    /// The app has as many schedules as it may have.
    case tooManySchedules(limit: Int)
    /// The question is not sent, or not watched, so nothing can be ended.
    case notScheduled(String, isWatch: Bool)
}

extension QuestionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exists(let name): "there is a question '\(name)' already"
        case .unknown(let name, let closest):
            "there is no question '\(name)'; "
                + (closest.map { "did you mean '\($0)'?" } ?? "'tributary question list' lists them")
        case .taken(let name):
            "the name '\(name)' is taken: there is another question of this name; delete that one first"
        case .notDeleted(let name, let closest):
            "there is no deleted question '\(name)' that can be restored"
                + (closest.map { "; did you mean '\($0)'?" } ?? "")
        case .tooMany(let limit): "an app has at most \(limit) questions; delete one that is not needed"
        case .tooManySchedules(let limit): "an app has at most \(limit) schedules; end one that is not needed"
        case .notScheduled(let name, let isWatch):
            "there is no such \(isWatch ? "watch" : "schedule") of the question '\(name)'; "
                + "'tributary question show \(name)' lists what there is"
        }
    }
}
