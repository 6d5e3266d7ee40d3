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
        let whole = URLParts(original)
        return !hasFacebookMark(whole) && isRedirect(whole)
    }

    /// Whether there is a target, as a parameter or in the JSON of an App Link.
    static func statesTarget(_ parameters: Parameters) -> Bool {
        parameters[.targetURL] != nil
            || parameters.json(.appLinkData).flatMap { AppLinkPayload(appLinkData: $0) }?.targetURL != nil
            || parameters.json(.applinkArgs).flatMap { AppLinkPayload(applinkArgs: $0) }?.targetURL != nil
    }

    private static func holdsLogin(_ data: JSONNode) -> Bool {
        data["extras"]?["fb_login"]?.isFilled ?? false
    }

    private static func holdsError(_ parameters: Parameters) -> Bool {
        [.error, .errorCode, .errorDescription, .errorMessage, .errorMsg, .errorReason, .errorType, .otherError]
            .contains { parameters.has($0) }
    }

    private static func holdsAnswer(_ parameters: Parameters) -> Bool {
        [.accessToken, .code, .idToken, .authenticationToken, .grantedScopes, .signedRequest, .state]
            .contains { parameters.has($0) } || holdsError(parameters)
    }

    /// Whether the query holds a mark of Facebook's, which says that the URL is a link after all.
    static func hasFacebookMark(_ parts: URLParts) -> Bool {
        queryPairs(of: parts).contains { pair in
            guard let key = key(of: pair, in: parts) else { return false }
            return key.hasPrefix("fb_") || key == "fbclid" || key == "al_applink_data"
        }
    }

    /// Whether a URL with a `code` came from a login: it ends in Facebook's `#_=_`, or the code is too long for a
    /// voucher.
    static func isRedirect(_ parts: URLParts) -> Bool {
        guard let start = parts.queryStart else { return false }
        var code: String?
        for pair in queryPairs(of: parts) where key(of: pair, in: parts) == "code" {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            code = PercentDecoding.text(parts.bytes, equals + 1..<pair.endIndex, plusIsSpace: true) ?? code
        }
        guard let code else { return false }
        // A redacted one is read again when a dead letter is retried.
        return code.unicodeScalars.count >= minimumCode || code == "REDACTED"
            || ("#_=_" as StaticString).matches(parts.bytes, queryEnd(of: parts, from: start)..<parts.whole.upperBound)
    }

    private static func queryPairs(of parts: URLParts) -> [ArraySlice<UInt8>] {
        guard let start = parts.queryStart else { return [] }
        return parts.bytes[start..<queryEnd(of: parts, from: start)].split(separator: UInt8(ascii: "&"))
    }

    private static func queryEnd(of parts: URLParts, from start: Int) -> Int {
        parts.bytes[start..<parts.whole.upperBound].firstIndex(of: UInt8(ascii: "#")) ?? parts.whole.upperBound
    }

    private static func key(of pair: ArraySlice<UInt8>, in parts: URLParts) -> String? {
        let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        return PercentDecoding.text(parts.bytes, pair.startIndex..<end, plusIsSpace: false)
    }

    /// The least number of characters of a code without Facebook's fragment. A voucher such as `SUMMER24` is shorter.
    static let minimumCode = 20
}
