/// The parameters of links and callbacks that mean something to us (DOMAIN.md). All others are never decoded.
enum ParameterName: UInt8 {
    case accessToken, acsToken, actionIDs, actionTypes, adID, aggregationID, appCenter, appLinkData, appRequestType
    case applinkArgs, bookmarkPosition, bridgeArgs, campaignIDs, clickTime, code, completionGesture,
        completionGestureExtra
    case errorCode, errorDescription, errorMessage, errorMsg, error, errorType, fbRef, fbSource, fbclid, grantedScopes
    case methodResults, notificationType, postID, postIDBridge, postIDExtra, ref, request, requestIDs, signedRequest,
        state
    case targetURL, testDeeplink
    /// `action_object_map`, `action_type_map`, `action_ref_map` and their like.
    case actionMap
    /// Any other `error…`, such as `error_reason`.
    case otherError

    /// Those whose value is a JSON object.
    var isJSON: Bool {
        switch self {
        case .appLinkData, .applinkArgs, .bridgeArgs, .methodResults: true
        default: false
        }
    }

    init?(_ bytes: [UInt8], _ range: Range<Int>) {
        guard let first = bytes[range].first else { return nil }
        let candidates: [(StaticString, ParameterName)] =
            switch first {
            case UInt8(ascii: "a"): Self.beginningWithA
            case UInt8(ascii: "e"): Self.beginningWithE
            case UInt8(ascii: "f"): Self.beginningWithF
            case UInt8(ascii: "b"), UInt8(ascii: "c"), UInt8(ascii: "g"), UInt8(ascii: "m"), UInt8(ascii: "n"),
                UInt8(ascii: "p"), UInt8(ascii: "r"), UInt8(ascii: "s"), UInt8(ascii: "t"):
                Self.beginningElsewise
            default: []
            }
        for (text, name) in candidates where text.matches(bytes, range) {
            self = name
            return
        }
        let start = range.lowerBound
        if first == UInt8(ascii: "a"), range.count > 11,
            ("action_" as StaticString).matches(bytes, start..<start + 7),
            ("_map" as StaticString).matches(bytes, range.upperBound - 4..<range.upperBound)
        {
            self = .actionMap
        } else if first == UInt8(ascii: "e"), range.count > 5,
            ("error" as StaticString).matches(bytes, start..<start + 5)
        {
            self = .otherError
        } else {
            return nil
        }
    }

    private static let beginningWithA: [(StaticString, ParameterName)] = [
        ("access_token", .accessToken), ("acs_token", .acsToken), ("ad_id", .adID),
        ("al_applink_data", .appLinkData), ("app_request_type", .appRequestType),
    ]

    private static let beginningWithE: [(StaticString, ParameterName)] = [
        ("error", .error), ("error_code", .errorCode), ("error_msg", .errorMsg), ("error_message", .errorMessage),
        ("error_description", .errorDescription), ("error_type", .errorType),
    ]

    private static let beginningWithF: [(StaticString, ParameterName)] = [
        ("fb_action_ids", .actionIDs), ("fb_action_types", .actionTypes), ("fb_aggregation_id", .aggregationID),
        ("fb_appcenter", .appCenter), ("fb_applink_args", .applinkArgs), ("fb_bmpos", .bookmarkPosition),
        ("fb_click_time_utc", .clickTime), ("fb_ref", .fbRef), ("fb_source", .fbSource), ("fbclid", .fbclid),
    ]

    private static let beginningElsewise: [(StaticString, ParameterName)] = [
        ("bridge_args", .bridgeArgs), ("campaign_ids", .campaignIDs), ("code", .code),
        ("completionGesture", .completionGesture),
        ("com.facebook.platform.extra.COMPLETION_GESTURE", .completionGestureExtra),
        ("com.facebook.platform.extra.POST_ID", .postIDExtra), ("granted_scopes", .grantedScopes),
        ("method_results", .methodResults), ("notif_t", .notificationType), ("post_id", .postID),
        ("postId", .postIDBridge), ("ref", .ref), ("request", .request), ("request_ids", .requestIDs),
        ("signed_request", .signedRequest), ("state", .state), ("target_url", .targetURL),
        ("test_deeplink", .testDeeplink),
    ]
}
