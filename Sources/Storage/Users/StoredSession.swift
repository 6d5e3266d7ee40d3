import Cryptography
package import Time

/// Who is signed in to the dashboard, and the app that they look at.
package struct StoredSession: Equatable, Sendable {
    /// By what somebody is signed in.
    package enum Holder: Equatable, Sendable {
        case key(prefix: String)
        case user(User)
    }

    package var holder: Holder
    /// Of the key; for a user the one that they chose last, else the first of their roles.
    package var appID: String
    /// Whether a proxy has named the user. Roles that were not accepted count then, too.
    package var isVouched: Bool

    package init(holder: Holder, appID: String, isVouched: Bool = false) {
        self.holder = holder
        self.appID = appID
        self.isVouched = isVouched
    }
}

/// A session of a user, as they see it in a list.
package struct UserSession: Equatable, Sendable {
    package var number: Int64
    package var beganAt: Timestamp
    /// To five minutes.
    package var lastSeenAt: Timestamp
    /// A few words; empty if nothing is known.
    package var browser: String
    /// Whether a proxy has named the user; else it began with the password.
    package var isVouched: Bool
    var hash: [UInt8]

    /// In a word.
    package var way: String { isVouched ? "proxy" : "password" }

    /// Whether it is the session of an id.
    package func isCurrent(_ id: String) -> Bool { areEqualInConstantTime(hash, AppKey.hash(id)) }
}
