package import Storage

/// What the dashboard asks the database for about who is signed in: sessions, users, and what is shared with strangers.
package protocol AccountSource: Sendable {
    /// Begins a session.
    ///
    /// - Returns: the session's id; nil if the key is not a valid read key.
    func beginSession(key: String) async throws(DashboardFailure) -> String?

    /// - Parameters:
    ///   - browser: what the browser says of itself.
    ///   - isVouched: whether a proxy has named the user.
    func beginSession(of user: User, browser: String, isVouched: Bool) async throws(DashboardFailure) -> String

    /// Whose a session is, and the app that it looks at; nil if the session has ended.
    func caller(ofSession id: String) async throws(DashboardFailure) -> Caller?

    /// Ends a session, on every daemon.
    func endSession(_ id: String) async throws(DashboardFailure)

    /// Ends a session of a user, if it is one of theirs.
    func endSession(_ number: Int64, of user: User) async throws(DashboardFailure)

    /// The sessions of a user, the newest first.
    func sessions(of user: User) async throws(DashboardFailure) -> [UserSession]

    /// Lets a session look at another app.
    ///
    /// - Returns: false if its user has no role there.
    func chooseApp(_ appID: String, in session: String) async throws(DashboardFailure) -> Bool

    /// Whether there is any user.
    func hasUsers() async throws(DashboardFailure) -> Bool

    /// Nil for a wrong password and for an unknown address alike.
    func user(email: String, password: String) async throws(DashboardFailure) -> User?

    /// Whom a proxy has signed in; nil unless they are invited.
    func user(email: String) async throws(DashboardFailure) -> User?

    /// Nil if the invitation is unknown, used or too old.
    func invitation(_ token: String) async throws(DashboardFailure) -> UserInvitation?

    /// - Throws: `DashboardFailure.invalid` for a new password that is too weak.
    func accept(_ token: String, password: String) async throws(DashboardFailure) -> Acceptance

    /// Changes a password, and ends the other sessions of the user.
    ///
    /// - Returns: false if the old password is wrong.
    /// - Throws: `DashboardFailure.invalid` for a password that is too weak.
    func changePassword(
        of user: User,
        from old: String,
        to new: String,
        keeping session: String?
    ) async throws(DashboardFailure) -> Bool

    func users(of app: App) async throws(DashboardFailure) -> [AppUser]

    /// - Returns: the token of an invitation; nil if the user has accepted this role before.
    /// - Throws: `DashboardFailure.invalid` for a text that is no address, and for a user of the app with another role.
    func invite(_ email: String, as role: AppRole, to app: App) async throws(DashboardFailure) -> String?

    /// - Throws: `DashboardFailure.invalid` for somebody who is no user of the app, or lowers their own role.
    func setRole(_ role: AppRole, of email: String, in app: App) async throws(DashboardFailure)

    /// - Throws: `DashboardFailure.invalid` for somebody who is no user of the app.
    func remove(_ email: String, from app: App) async throws(DashboardFailure)

    /// What is shared with whoever has its address, the newest first.
    func sharedPages(of app: App) async throws(DashboardFailure) -> [SharedPage]

    /// - Returns: the secret of the address.
    /// - Throws: `DashboardFailure.invalid` for a question that is not there, or a number of days that is refused.
    func share(_ question: String, days: Int, of app: App) async throws(DashboardFailure) -> String

    /// Does nothing if there is no such page.
    func endShare(_ number: Int64, of app: App) async throws(DashboardFailure)

    /// What is at a secret address; nil if nothing is, or not any more.
    func sharedQuestion(_ secret: String) async throws(DashboardFailure) -> (app: App, question: String)?
}
