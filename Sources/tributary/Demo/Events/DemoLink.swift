import Text

/// Links in the spellings that Facebook and its SDKs use (docs/links.md, *Forms of a link*).
enum DemoLink {
    static let appID = "123456789012345"
    static let namespace = "recipebox"
    static let site = "https://recipes.example"
    /// The app's own scheme, beside `fb<APPID>`.
    static let scheme = "recipebox"
    static let facebookApp: [String: DemoValue] = ["url": "fb:///?app_id=\(appID)", "app_name": "Facebook"]

    /// `fb<APPID><suffix>://authorize#…`. With a token, the person is logged in.
    static func authorize(target: String, token: String?, suffix: String = "", inQuery: Bool = false) -> String {
        var parameters: [(String, String)] = []
        if let token {
            parameters = [("expires_in", "0"), ("access_token", token)]
        }
        parameters.append(("target_url", target))
        return "fb\(appID)\(suffix)://authorize\(inQuery ? "?" : "#")" + query(parameters)
    }

    /// `…?al_applink_data={…}`.
    ///
    /// - Parameters:
    ///   - members: the members of the JSON object beside its target.
    ///   - isDecoded: whether the JSON is not percent-encoded, as backends log it that decode URLs.
    static func appLink(
        _ address: String,
        target: String,
        members: [String: DemoValue] = [:],
        isDecoded: Bool = false
    ) -> String {
        var members = members
        members["target_url"] = .text(target)
        let json = DemoJSON.text(.object(members), slashes: .escaped)
        let mark = address.contains("?") ? "&" : "?"
        return "\(address)\(mark)al_applink_data=\(isDecoded ? json : PercentEncoding.encoded(json))"
    }

    /// `…?fb_applink_args={…}`. With the Unix time of the tap, in seconds, it is a deferred link.
    static func appLinkArguments(_ address: String, target: String, refs: [String], tappedAt: Int64?) -> String {
        let arguments: [String: DemoValue] = [
            "version": .number(2),
            "bridge_args": .object(["method": "applink"]),
            "method_args": .object(["ref": .text(refs.joined(separator: ",")), "target_url": .text(target)]),
        ]
        let clickTime = tappedAt.map { "&fb_click_time_utc=\($0)" } ?? ""
        return "\(address)?fb_applink_args=\(PercentEncoding.encoded(DemoJSON.text(.object(arguments))))\(clickTime)"
    }

    /// The app's page on Facebook.
    static func canvas(_ parameters: [(String, String)]) -> String {
        "https://apps.facebook.com/\(namespace)/" + (parameters.isEmpty ? "" : "?" + query(parameters))
    }

    static func query(_ parameters: [(String, String)]) -> String {
        parameters.map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }.joined(separator: "&")
    }
}
