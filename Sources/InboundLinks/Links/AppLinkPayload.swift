import JSONReading

/// The content of the JSON of an App Link (`al_applink_data`) or of older app link arguments (`fb_applink_args`)
/// (docs/links.md, *Forms of a link*).
struct AppLinkPayload {
    var targetURL: String?
    var refs: [String]
    /// An `fb_ref` inside the payload, which Android's SDK reads from `referer_data`.
    var fbRefs: [String]
    var appID: String?
    var hasAccessToken: Bool
    var promoCode: String?
    var refererApp: String?
    var refererURL: String?
    var paid: Bool
    var testTraffic: Bool

    /// Nil if the value is not an object, or has an unknown version.
    init?(appLinkData root: JSONNode) {
        guard root.kind == .object else { return nil }
        if let version = root["version"], version.kind != .null {
            guard version.string == "1.0" || version.number.map({ DecimalSpelling.of($0) }) == "1" else { return nil }
        }
        self.init(root)
    }

    /// Nil if the value is not an object, or is not an app link of version 2.
    init?(applinkArgs root: JSONNode) {
        guard root.kind == .object else { return nil }
        if let version = root["version"], version.kind != .null, version.identifier != "2" { return nil }
        if let method = root["bridge_args"]?["method"], method.kind != .null, method.string != "applink" { return nil }
        self.init(root["method_args"])
    }

    private init(_ node: JSONNode?) {
        let extras = node?["extras"]
        targetURL = node?["target_url"]?.filledText
        refs = node?["ref"]?.refs ?? []
        fbRefs = node?["fb_ref"]?.refs ?? node?["referer_data"]?["fb_ref"]?.refs ?? []
        appID = extras?["fb_app_id"]?.identifier
        let token = extras?["fb_access_token"]
        hasAccessToken = token?.string?.isEmpty == false || token?.number != nil
        promoCode = extras?["deeplink_context"].flatMap { Self.promoCode(in: $0) }
        paid = ["campaign_ids", "acs_token", "ad_id"].contains {
            node?[$0]?.isFilled ?? false || extras?[$0]?.isFilled ?? false
        }
        testTraffic = node?["test_deeplink"]?.isTruthy ?? false || extras?["test_deeplink"]?.isTruthy ?? false
        for key in ["referer_app_link", "referer_data"] {
            if let referer = node?[key], let app = Referer.stated(referer["app_name"]?.filledText),
                let url = Referer.stated(referer["url"]?.filledText)
            {
                refererApp = app
                refererURL = url
                break
            }
        }
    }

    /// The context is JSON in a string on iOS, an object on Android.
    private static func promoCode(in context: JSONNode) -> String? {
        if context.kind == .object { return context["promo_code"]?.identifier }
        guard let text = context.string, let document = try? JSONDocument(reading: text.utf8) else { return nil }
        return document.root["promo_code"]?.identifier
    }
}
