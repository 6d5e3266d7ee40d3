/// The content of a login's callback (docs/links.md, *Login results*). Tokens and codes are redacted in every field.
package struct LoginReading: Equatable, Sendable {
    package var outcome: LoginOutcome
    /// The error code if it is a number, even 0.
    package var errorCode: Int64?
    package var errorMessage: String?
    package var redactedURL: String
}
