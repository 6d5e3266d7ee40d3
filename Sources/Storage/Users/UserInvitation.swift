/// A role that somebody shall accept.
package struct UserInvitation: Equatable, Sendable {
    var user: Int64
    package var email: String
    var app: Int32
    package var role: User.Role
    /// A user's address, or as `Actor` says it.
    package var invitedBy: String
    /// Whether the user enters the password that they have. Else they choose one.
    package var asksPassword: Bool

    package init(
        user: Int64 = 0,
        email: String,
        app: Int32 = 0,
        role: User.Role,
        invitedBy: String,
        asksPassword: Bool
    ) {
        self.user = user
        self.email = email
        self.app = app
        self.role = role
        self.invitedBy = invitedBy
        self.asksPassword = asksPassword
    }
}

/// What became of an invitation.
package enum Acceptance: Equatable, Sendable {
    /// The user, and the app of the role.
    case accepted(User, appID: String)
    /// The user has another password. The invitation stays.
    case wrongPassword
    /// The token is unknown, used or too old.
    case unknown
}
