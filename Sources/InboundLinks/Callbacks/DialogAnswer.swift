import JSONReading
import Text

/// The content of a callback, wherever it is: in the query, the fragment, or the JSON of the bridge.
struct DialogAnswer {
    /// The code that says "the person closed the dialog".
    static let cancelled: Int64 = 4201

    let isAppRequest: Bool
    /// False for a bridge call with broken JSON or without an action id.
    let isReadable: Bool
    let isCancelHost: Bool
    /// Whether `bridge_args` itself contains an error.
    let hasBridgeError: Bool
    let errorCode: Int64?
    /// Whether there is a numeric error code other than 0.
    let hasError: Bool
    let deniesAccess: Bool
    /// In lower case.
    let gesture: String?
    let postID: String?
    let errorMessage: String?

    init(_ parts: URLParts) {
        let parameters = Parameters(of: parts, readsFragment: true)
        isAppRequest = parameters[.request] != nil
        let ownScheme = parts.appIDDigits != nil
        isCancelHost = parts.hostIs("cancel") && (ownScheme || parts.schemeIs("fbconnect"))

        var bridgeError: JSONNode?
        var results: JSONNode?
        if ownScheme, parts.hostIs("bridge") {
            let arguments = parameters.json(.bridgeArgs)
            results = parameters.json(.methodResults)
            isReadable =
                arguments?["action_id"]?.identifier != nil
                && (results != nil || !parameters.has(.methodResults))
            if let error = arguments?["error"], error.isFilled || error.kind == .object { bridgeError = error }
        } else {
            isReadable = true
            results = parameters.json(.methodResults)
        }
        hasBridgeError = bridgeError != nil

        let codes =
            if let bridgeError {
                [bridgeError["code"] ?? bridgeError["error_code"] ?? bridgeError].map(\.identifier)
            } else {
                [parameters[.errorCode], results?["error_code"]?.identifier]
            }
        let spelling = codes.lazy.compactMap { $0?.trimmed }.first { Self.isNumber($0) }
        errorCode = spelling.flatMap { Int64($0) }
        hasError = spelling != nil && errorCode != 0

        let errors = [
            parameters[.error], parameters[.errorType], results?["error"]?.string, results?["error_type"]?.string,
        ]
        deniesAccess = errors.contains { $0 == "access_denied" || $0 == "OAuthAccessDeniedException" }

        gesture =
            (parameters[.completionGesture] ?? parameters[.completionGestureExtra]
            ?? results?["completionGesture"]?.filledText
            ?? results?["com.facebook.platform.extra.COMPLETION_GESTURE"]?.filledText)?.trimmed.lowercasedASCII
        postID =
            [ParameterName.postID, .postIDBridge, .postIDExtra].lazy
            .compactMap { Self.somebodys(parameters[$0]) }.first
            ?? ["post_id", "postId", "com.facebook.platform.extra.POST_ID"].lazy
            .compactMap { Self.somebodys(results?[$0]?.identifier) }.first
        errorMessage =
            parameters[.errorMsg] ?? parameters[.errorMessage] ?? parameters[.errorDescription]
            ?? Self.message(in: bridgeError) ?? Self.message(in: bridgeError?["user_info"]) ?? Self.message(in: results)
    }

    /// The id; nil if it is a placeholder, which JavaScript and Objective-C write for a missing id.
    private static func somebodys(_ id: String?) -> String? {
        id.flatMap { JunkID.matches($0) ? nil : $0 }
    }

    private static func message(in node: JSONNode?) -> String? {
        ["error_msg", "error_message", "error_description", "message", "NSLocalizedDescription"].lazy
            .compactMap { node?[$0]?.filledText }.first
    }

    /// Whether the text is a whole number, even one that does not fit in 64 bits.
    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit)
    }
}
