/// How a raw link reads (docs/links.md, *Forms of a link*).
package enum LinkReading: Equatable, Sendable {
    case inboundLink(InboundLink)
    /// The end of a login, which must never enter a funnel.
    case loginResult(redactedURL: String)
    /// Nothing that could be a URL.
    case invalid(redactedURL: String)

    /// The word for it on the wire.
    package var kind: String {
        switch self {
        case .inboundLink: "inbound_link"
        case .loginResult: "login_result"
        case .invalid: "invalid"
        }
    }
}
