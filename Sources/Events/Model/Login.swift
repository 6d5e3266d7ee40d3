package import InboundLinks

/// The result of a login (docs/links.md, *Login results*).
package struct Login: Equatable, Sendable {
    package var outcome: LoginOutcome
    package var errorCode: Int64?
    package var errorMessage: String?
    /// The raw callback, redacted.
    package var redactedCallback: String?

    package init(
        outcome: LoginOutcome = .granted,
        errorCode: Int64? = nil,
        errorMessage: String? = nil,
        redactedCallback: String? = nil
    ) {
        self.outcome = outcome
        self.errorCode = errorCode
        self.errorMessage = errorMessage
        self.redactedCallback = redactedCallback
    }
}
