import JSONReading
import Text

/// Reads the callbacks of logins (docs/links.md, *Login results*). Pure; accepts any text.
package enum LoginReader {
    /// Reads a callback.
    ///
    /// - Parameter url: the URL that the login called, as received.
    /// - Returns: nil if the URL is not the result of a login, or does not say how the login ended.
    package static func read(_ url: String) -> LoginReading? {
        // Redacted before it is decoded: decoding removes the delimiters that show where a secret ends.
        let redacted = Redaction.redact(url, loginResult: true)
        let parts = URLParts(redacted)
        guard parts.couldBeURL, !parts.bytes.contains(0) else { return nil }
        let parameters = Parameters(of: parts, readsFragment: true)

        let answer: LoginAnswer
        if let login = fbLogin(parameters, original: url) {
            answer = LoginAnswer(login)
        } else {
            answer = LoginAnswer(parameters)
            guard !LoginResult.statesTarget(parameters) else { return nil }
            let isLoginHost = parts.hostIs("authorize") || parts.schemeIs("fbconnect")
            guard isLoginHost || isRedirect(answer, original: url) else { return nil }
        }
        guard let outcome = answer.outcome else { return nil }
        return LoginReading(
            outcome: outcome,
            errorCode: answer.errorCode,
            errorMessage: answer.errorMessage.map { Redaction.redact($0, loginResult: true) },
            redactedURL: redacted
        )
    }

    /// The data of a login inside an App Link. Redaction may break its JSON, so the original is read then.
    private static func fbLogin(_ parameters: Parameters, original: String) -> JSONNode? {
        guard parameters.has(.appLinkData) else { return nil }
        let data =
            parameters.json(.appLinkData)
            ?? Parameters(of: URLParts(original), readsFragment: false).json(.appLinkData)
        guard let login = data?["extras"]?["fb_login"], login.isFilled else { return nil }
        return login
    }

    /// Whether a URL with another host is a login's redirect. The sender says that it is one, but a mark of Facebook's
    /// says that it is a link, and a short code is a voucher.
    private static func isRedirect(_ answer: LoginAnswer, original: String) -> Bool {
        let parts = URLParts(original)
        guard !LoginResult.hasFacebookMark(parts) else { return false }
        return answer.hasError || answer.hasToken || LoginResult.isRedirect(parts)
    }
}
