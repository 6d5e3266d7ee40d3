import JSONReading
import Text

/// What a login's callback says, wherever it says it: in the query, the fragment, or the data inside an App Link.
struct LoginAnswer {
    /// Whether a parameter that begins with `error` is there, even an empty one.
    private let holdsError: Bool
    private let hasCode: Bool
    /// Whether there is a credential other than a code.
    let hasToken: Bool
    /// Whether an error is stated. The code 0 is none.
    let hasError: Bool
    let errorCode: Int64?
    let errorMessage: String?
    /// The texts of all errors, in lower case.
    private let errors: [String]

    /// Nil if the answer does not say how the login ended. The first rule that applies decides.
    var outcome: LoginOutcome? {
        if errorCode == DialogAnswer.cancelled || errors.contains(where: { $0.contains("cancel") }) {
            return .cancelled
        }
        if errors.contains(where: { ["access_denied", "user_denied", "oauthaccessdeniedexception"].contains($0) }) {
            return .denied
        }
        if hasError { return .failed }
        if hasToken || hasCode { return .granted }
        return holdsError ? .failed : nil
    }

    init(_ parameters: Parameters) {
        self.init {
            parameters[$0]
        } holds: {
            parameters.has($0)
        }
    }

    /// The data of an App Link: an object, the same as a text, or a query in a text.
    init(_ login: JSONNode) {
        guard let text = login.string else {
            self.init(object: login)
            return
        }
        let bytes = Array(text.utf8)
        let decoded = PercentDecoding.bytes(bytes, bytes.indices, plusIsSpace: false) ?? bytes
        if let document = (try? JSONDocument(reading: bytes)) ?? (try? JSONDocument(reading: decoded)),
            document.root.kind == .object
        {
            self.init(object: document.root)
        } else {
            self.init(Parameters(of: URLParts("?" + text), readsFragment: false))
        }
    }

    private init(object: JSONNode) {
        self.init {
            object[$0.key]?.identifier
        } holds: {
            object[$0.key].map { $0.kind != .null } ?? false
        }
    }

    private init(_ value: (ParameterName) -> String?, holds: (ParameterName) -> Bool) {
        func isFilled(_ name: ParameterName) -> Bool { value(name).map { !$0.isEmpty } ?? false }
        let texts: [ParameterName] = [
            .error, .errorReason, .errorType, .errorDescription, .errorMessage, .errorMsg, .otherError,
        ]
        errors = texts.compactMap { value($0)?.trimmed.lowercasedASCII }
        let code = value(.errorCode)?.trimmed
        errorCode = code.flatMap { Int64($0) }
        hasError = texts.contains(where: isFilled) || code.map { !$0.isEmpty && Int64($0) != 0 } ?? false
        holdsError = texts.contains(where: holds) || (holds(.errorCode) && errorCode != 0)
        hasCode = isFilled(.code)
        let tokens: [ParameterName] = [.accessToken, .idToken, .authenticationToken, .grantedScopes, .signedRequest]
        hasToken = tokens.contains(where: isFilled)
        let messages: [ParameterName] = [.errorMsg, .errorMessage, .errorDescription]
        errorMessage = messages.compactMap { value($0) }.first { !$0.isEmpty }
    }
}

extension ParameterName {
    /// The name in the data of a login.
    fileprivate var key: String {
        switch self {
        case .error: "error"
        case .errorCode: "error_code"
        case .errorReason: "error_reason"
        case .errorType: "error_type"
        case .errorDescription: "error_description"
        case .errorMessage: "error_message"
        case .errorMsg: "error_msg"
        case .code: "code"
        case .accessToken: "access_token"
        case .idToken: "id_token"
        case .authenticationToken: "authentication_token"
        case .grantedScopes: "granted_scopes"
        case .signedRequest: "signed_request"
        default: ""
        }
    }
}
