extension LinkReading {
    /// The members that `tributary inspect` prints, in the order of docs/command-line.md, *inspect*. If the text is not
    /// an inbound link, they are only its kind and its redacted URL.
    package var inspection: [(String, InspectionValue)] {
        let kind = ("kind", InspectionValue.string(self.kind))
        switch self {
        case .inboundLink(let link): return [kind] + link.inspection
        case .loginResult(let redactedURL), .invalid(let redactedURL):
            return [kind, ("redacted_url", .string(redactedURL))]
        }
    }
}

extension InboundLink {
    fileprivate var inspection: [(String, InspectionValue)] {
        [
            ("form", .string(form.rawValue)),
            ("app_id", .optional(appID)),
            ("scheme_suffix", .optional(schemeSuffix)),
            ("target_url", .optional(targetURL)),
            ("authenticated", .bool(authenticated)),
            ("channel", .string(channel.rawValue)),
            ("rule", .string(rule.rawValue)),
            ("refs", .list(refs)),
            ("fb_source", .optional(fbSource)),
            ("action_ids", .list(actionIDs)),
            ("action_types", .list(actionTypes)),
            ("request_ids", .list(requestIDs)),
            ("referer_app", .optional(refererApp)),
            ("referer_url", .optional(refererURL)),
            ("deferred", .bool(deferred)),
            ("paid", .bool(paid)),
            ("test_traffic", .bool(testTraffic)),
            ("promo_code", .optional(promoCode)),
            ("fbclid", .optional(fbclid)),
            ("click_id", .optional(clickID)),
            ("redacted_url", .optional(redactedURL)),
        ]
    }
}
