/// The result of reading a raw link (docs/links.md, *Forms of a link*).
package enum LinkReading: Equatable, Sendable {
    case inboundLink(InboundLink)
    /// The result of a login. It must never enter a funnel.
    case loginResult(redactedURL: String)
    /// The text cannot be a URL.
    case invalid(redactedURL: String)

    /// The name of the case in the output of `tributary inspect`.
    package var kind: String {
        switch self {
        case .inboundLink: "inbound_link"
        case .loginResult: "login_result"
        case .invalid: "invalid"
        }
    }
}
