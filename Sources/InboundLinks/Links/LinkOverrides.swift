package import Time

/// The values that an event states explicitly about its link (docs/events.md, *Fields*). Each replaces the URL's value
/// before any rule is applied.
package struct LinkOverrides: Equatable, Sendable {
    package var targetURL: String?
    /// One ref per element. This is the first source of refs.
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
