package import Time

/// What an event states about its link explicitly (docs/events.md, *Fields*). Each value wins over what the URL says, before
/// anything is concluded from it.
package struct LinkOverrides: Equatable, Sendable {
    package var targetURL: String?
    /// One ref an element; the first source of refs that is asked.
    package var refs: [String] = []
    package var channel: Channel?
    package var refererApp: String?
    package var refererURL: String?
    package var authenticated: Bool?
    package var deferred: Bool?
    package var clickedAt: Timestamp?
    package var paid: Bool?

    package static let none = LinkOverrides()

    package init(
        targetURL: String? = nil,
        refs: [String] = [],
        channel: Channel? = nil,
        refererApp: String? = nil,
        refererURL: String? = nil,
        authenticated: Bool? = nil,
        deferred: Bool? = nil,
        clickedAt: Timestamp? = nil,
        paid: Bool? = nil
    ) {
        self.targetURL = targetURL
        self.refs = refs
        self.channel = channel
        self.refererApp = refererApp
        self.refererURL = refererURL
        self.authenticated = authenticated
        self.deferred = deferred
        self.clickedAt = clickedAt
        self.paid = paid
    }
}
