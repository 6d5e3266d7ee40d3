import JSONReading
import Text

/// Recognises the results of logins (docs/links.md, *Login results*). They must never enter a funnel as a tap.
enum LoginResult {
    /// Whether a URL is the result of a login.
    ///
    /// - Parameters:
    ///   - parts: the URL, redacted.
    ///   - outer: its parameters.
    ///   - original: the URL as received. Redaction changes the length of a code, and may break the JSON of an App
    ///     Link.
    static func matches(_ parts: URLParts, _ outer: Parameters, original: String) -> Bool {
        if let data = outer.json(.appLinkData) {
            if holdsLogin(data) { return true }
        } else if outer.has(.appLinkData) {
            let unredacted = Parameters(of: URLParts(original), readsFragment: false)
            if let data = unredacted.json(.appLinkData), holdsLogin(data) { return true }
        }
        if parts.hostIs("authorize") { return !statesTarget(outer) && holdsAnswer(outer) }
        if parts.schemeIs("fbconnect") {
            let all = Parameters(of: parts, readsFragment: true)
            return !statesTarget(all) && holdsAnswer(all)
        }
        guard outer.isFilled(.code), outer.has(.state) || holdsError(outer) else { return false }
        return isRedirect(URLParts(original))
    }

    /// Whether there is a target, as a parameter or in the JSON of an App Link.
    private static func statesTarget(_ parameters: Parameters) -> Bool {
        parameters[.targetURL] != nil
            || parameters.json(.appLinkData).flatMap { AppLinkPayload(appLinkData: $0) }?.targetURL != nil
            || parameters.json(.applinkArgs).flatMap { AppLinkPayload(applinkArgs: $0) }?.targetURL != nil
    }

    private static func holdsLogin(_ data: JSONNode) -> Bool {
        data["extras"]?["fb_login"]?.isFilled ?? false
    }

    private static func holdsError(_ parameters: Parameters) -> Bool {
        [.error, .errorCode, .errorDescription, .errorMessage, .errorMsg, .errorType, .otherError]
            .contains { parameters.has($0) }
    }

    private static func holdsAnswer(_ parameters: Parameters) -> Bool {
        [.accessToken, .code, .idToken, .authenticationToken, .grantedScopes, .signedRequest, .state]
            .contains { parameters.has($0) } || holdsError(parameters)
    }

    /// Whether a URL with a `code` came from a login: it ends in Facebook's `#_=_`, or the code is too long for a
    /// voucher. A mark of Facebook's says that it is a link after all.
    private static func isRedirect(_ parts: URLParts) -> Bool {
        guard let start = parts.queryStart else { return false }
        let bytes = parts.bytes
        let end = bytes[start..<parts.whole.upperBound].firstIndex(of: UInt8(ascii: "#")) ?? parts.whole.upperBound
        var hasLongCode = false
        for pair in bytes[start..<end].split(separator: UInt8(ascii: "&")) {
            let keyEnd = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let key = PercentDecoding.text(bytes, pair.startIndex..<keyEnd, plusIsSpace: false) else { continue }
            if key.hasPrefix("fb_") || key == "fbclid" || key == "al_applink_data" { return false }
            guard key == "code", keyEnd < pair.endIndex,
                let code = PercentDecoding.text(bytes, keyEnd + 1..<pair.endIndex, plusIsSpace: true)
            else { continue }
            hasLongCode = code.unicodeScalars.count >= minimumCode
        }
        return hasLongCode || ("#_=_" as StaticString).matches(bytes, end..<parts.whole.upperBound)
    }

    /// The least number of characters of a code without Facebook's fragment. A voucher such as `SUMMER24` is shorter.
    static let minimumCode = 20
}
