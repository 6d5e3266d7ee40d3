package import Time

/// Somebody who signs in to the dashboard.
package struct User: Equatable, Sendable {
    package var number: Int64
    /// In small letters.
    package var email: String
    package var hasPassword: Bool
    /// By the apps' ids. Roles that were not accepted are among them only if a proxy vouches for the user.
    package var roles: [Role]

    /// What the user may do in one app.
    package struct Role: Equatable, Sendable {
        package var appID: String
        package var appName: String
        package var role: AppRole

        package init(appID: String, appName: String, role: AppRole) {
            self.appID = appID
            self.appName = appName
            self.role = role
        }
    }

    package init(number: Int64, email: String, hasPassword: Bool, roles: [Role]) {
        self.number = number
        self.email = email
        self.hasPassword = hasPassword
        self.roles = roles
    }

    /// Nil if the user has none there.
    package func role(in appID: String) -> AppRole? { roles.first { $0.appID == appID }?.role }
}

/// A user as an app knows them.
package struct AppUser: Equatable, Sendable {
    package var email: String
    package var role: AppRole
    /// Whether the user has accepted the role, by the link of an invitation. Whom a proxy signs in needs no link.
    package var isAccepted: Bool
    /// In any app, to five minutes. Nil: never.
    package var lastSeenAt: Timestamp?

    package init(email: String, role: AppRole, isAccepted: Bool, lastSeenAt: Timestamp?) {
        self.email = email
        self.role = role
        self.isAccepted = isAccepted
        self.lastSeenAt = lastSeenAt
    }
}
