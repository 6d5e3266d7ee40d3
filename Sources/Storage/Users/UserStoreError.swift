/// Why something about a user was refused. The descriptions are for users.
package enum UserStoreError: Error, Equatable, CustomStringConvertible {
    case invalidEmail(String)
    /// Says what a password must be.
    case weakPassword(String)
    case unknownUser(String, app: String)
    /// Somebody is a user of the app with another role. Inviting does not change it.
    case isUser(String, String, app: String)
    /// A user lowers their own role.
    case ownRole
    /// Too many passwords are being checked, or there is no memory for it.
    case busy

    package var description: String {
        switch self {
        case .invalidEmail(let text): "'\(text)' is no e-mail address, such as ann@example.com"
        case .weakPassword(let reason): reason
        case .unknownUser(let email, let app): "'\(email)' is no user of the app '\(app)'"
        case .isUser(let email, let role, let app): "'\(email)' is \(role) of '\(app)' already"
        case .ownRole: "nobody lowers their own role; ask another manager to do it"
        case .busy: "too many people are signing in right now; try again in some seconds"
        }
    }
}
