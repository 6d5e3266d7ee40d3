/// What is wrong with a link or with an app's settings for links.
package struct LinkFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// Stable codes: clients switch on them.
    package enum Code: String, CaseIterable, Sendable {
        case invalidJSON = "invalid_json"
        case invalidText = "invalid_text"
        case invalidType = "invalid_type"
        case invalidValue = "invalid_value"
        case unknownField = "unknown_field"
        case duplicateField = "duplicate_field"
        case tooLarge = "too_large"
        case invalidSlug = "invalid_slug"
        case reservedSlug = "reserved_slug"
        /// Another link of this host has the slug, or had it before it was deleted.
        case slugTaken = "slug_taken"
        /// Not an address that a visitor may be sent to.
        case invalidURL = "invalid_url"
        /// A target on a host of short links: visitors would go round in circles.
        case linkLoop = "link_loop"
        /// The link leads nowhere: it has no target, and the app is in no store.
        case missingTarget = "missing_target"
    }

    package var code: Code
    /// As it is spelled in JSON.
    package var field: String
    /// A sentence for the owner. Never contains a value of the link.
    package var message: String

    package init(_ code: Code, _ field: String, _ message: String) {
        self.code = code
        self.field = field
        self.message = message
    }

    package var description: String { message }
}
