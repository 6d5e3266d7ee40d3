/// How a login ended. Give either its callback URL as received, or the outcome.
public struct TributaryLogin: Sendable, Equatable {
    /// The outcome of a login (docs/links.md, *Login results*). Only `granted` authenticates the person.
    public enum Outcome: String, Sendable, Encodable {
        case granted
        case cancelled
        case denied
        case failed
    }

    /// The URL that the login called back with. Tributary redacts every token and code before it stores the URL.
    public var callbackURL: String?
    /// Wins over what the URL says.
    public var outcome: Outcome?
    public var errorCode: Int?
    public var errorMessage: String?

    public init(callbackURL: String) {
        self.callbackURL = callbackURL
    }

    public init(outcome: Outcome, errorCode: Int? = nil, errorMessage: String? = nil) {
        self.outcome = outcome
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }
}

extension TributaryLogin {
    static let fields: [ClientField<TributaryLogin>] = [
        ClientField("url", \.callbackURL),
        ClientField("outcome", \.outcome),
        ClientField("error_code", \.errorCode),
        ClientField("error_message", \.errorMessage),
    ]
}
