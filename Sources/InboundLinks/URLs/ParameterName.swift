/// The parameters of links and callbacks that have a meaning for us (docs/links.md). All others are never decoded.
enum ParameterName: UInt8 {
    case accessToken, acsToken, actionIDs, actionTypes, adID, aggregationID, appCenter, appLinkData, appRequestType
    case applinkArgs, bookmarkPosition, bridgeArgs, campaignIDs, clickTime, completionGesture,
        completionGestureExtra
    case errorCode, errorDescription, errorMessage, errorMsg, error, errorReason, errorType, fbRef, fbSource, fbclid,
        grantedScopes
    case methodResults, notificationType, postID, postIDBridge, postIDExtra, ref, request, requestIDs, signedRequest,
        state
    case targetURL, testDeeplink
    case authenticationToken, code, idToken
    case clickID
    /// `action_object_map`, `action_type_map`, `action_ref_map` and their like.
    case actionMap
    /// Any other `error…`, such as `error_subcode`.
    case otherError

    /// Whether the value is a JSON object.
    var isJSON: Bool {
        switch self {
        case .appLinkData, .applinkArgs, .bridgeArgs, .methodResults: true
        default: false
        }
    }

    init?(_ bytes: [UInt8], _ range: Range<Int>) {
        guard let first = bytes[range].first else { return nil }
        let name: ParameterName? =
            switch first {
            case UInt8(ascii: "a"): Self.beginningWithA(bytes, range)
            case UInt8(ascii: "e"): Self.beginningWithE(bytes, range)
            case UInt8(ascii: "f"): Self.beginningWithF(bytes, range)
            case UInt8(ascii: "c"): Self.beginningWithC(bytes, range)
            case UInt8(ascii: "p"), UInt8(ascii: "r"), UInt8(ascii: "s"): Self.beginningWithPToS(bytes, range)
            case UInt8(ascii: "b") where ("bridge_args" as StaticString).matches(bytes, range): .bridgeArgs
            case UInt8(ascii: "g") where ("granted_scopes" as StaticString).matches(bytes, range): .grantedScopes
            case UInt8(ascii: "i") where ("id_token" as StaticString).matches(bytes, range): .idToken
            case UInt8(ascii: "m") where ("method_results" as StaticString).matches(bytes, range): .methodResults
            case UInt8(ascii: "n") where ("notif_t" as StaticString).matches(bytes, range): .notificationType
            case UInt8(ascii: "t") where ("target_url" as StaticString).matches(bytes, range): .targetURL
            case UInt8(ascii: "t") where ("test_deeplink" as StaticString).matches(bytes, range): .testDeeplink
            default: nil
            }
        guard let name else { return nil }
        self = name
    }

    private static func beginningWithA(_ bytes: [UInt8], _ range: Range<Int>) -> ParameterName? {
        func isText(_ text: StaticString) -> Bool { text.matches(bytes, range) }
        if isText("access_token") { return .accessToken }
        if isText("al_applink_data") { return .appLinkData }
        if isText("app_request_type") { return .appRequestType }
        if isText("acs_token") { return .acsToken }
        if isText("authentication_token") { return .authenticationToken }
        if isText("ad_id") { return .adID }
        guard range.count > 11,
            ("action_" as StaticString).matches(bytes, range.lowerBound..<range.lowerBound + 7),
            ("_map" as StaticString).matches(bytes, range.upperBound - 4..<range.upperBound)
        else { return nil }
        return .actionMap
    }

    private static func beginningWithE(_ bytes: [UInt8], _ range: Range<Int>) -> ParameterName? {
        func isText(_ text: StaticString) -> Bool { text.matches(bytes, range) }
        guard range.count >= 5,
            ("error" as StaticString).matches(bytes, range.lowerBound..<range.lowerBound + 5)
        else { return nil }
        if range.count == 5 { return .error }
        if isText("error_code") { return .errorCode }
        if isText("error_msg") { return .errorMsg }
        if isText("error_message") { return .errorMessage }
        if isText("error_description") { return .errorDescription }
        if isText("error_reason") { return .errorReason }
        if isText("error_type") { return .errorType }
        return .otherError
    }

    private static func beginningWithF(_ bytes: [UInt8], _ range: Range<Int>) -> ParameterName? {
        func isText(_ text: StaticString) -> Bool { text.matches(bytes, range) }
        if isText("fb_source") { return .fbSource }
        if isText("fb_ref") { return .fbRef }
        if isText("fb_action_ids") { return .actionIDs }
        if isText("fb_action_types") { return .actionTypes }
        if isText("fbclid") { return .fbclid }
        if isText("fb_bmpos") { return .bookmarkPosition }
        if isText("fb_appcenter") { return .appCenter }
        if isText("fb_applink_args") { return .applinkArgs }
        if isText("fb_click_time_utc") { return .clickTime }
        if isText("fb_aggregation_id") { return .aggregationID }
        return nil
    }

    private static func beginningWithC(_ bytes: [UInt8], _ range: Range<Int>) -> ParameterName? {
        func isText(_ text: StaticString) -> Bool { text.matches(bytes, range) }
        if isText("campaign_ids") { return .campaignIDs }
        if isText("code") { return .code }
        if isText("click_id") { return .clickID }
        if isText("completionGesture") { return .completionGesture }
        if isText("com.facebook.platform.extra.COMPLETION_GESTURE") { return .completionGestureExtra }
        if isText("com.facebook.platform.extra.POST_ID") { return .postIDExtra }
        return nil
    }

    private static func beginningWithPToS(_ bytes: [UInt8], _ range: Range<Int>) -> ParameterName? {
        func isText(_ text: StaticString) -> Bool { text.matches(bytes, range) }
        if isText("ref") { return .ref }
        if isText("request_ids") { return .requestIDs }
        if isText("request") { return .request }
        if isText("post_id") { return .postID }
        if isText("postId") { return .postIDBridge }
        if isText("signed_request") { return .signedRequest }
        if isText("state") { return .state }
        return nil
    }
}
