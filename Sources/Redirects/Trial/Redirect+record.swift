import Events
package import InboundLinks

extension Redirect {
    /// The members that `tributary link try` prints, in the order of docs/redirects.md, *Trying a link*.
    package var record: [(String, InspectionValue)] {
        [
            ("outcome", .string(outcome.rawValue)),
            ("reason", .string(reason.rawValue)),
            ("counted", .bool(isCounted)),
            ("hit", .string(hit.rawValue)),
            ("status", .number(Int64(status))),
            ("location", .optional(location)),
            ("device", .optional(device?.rawValue)),
            ("platform", .optional(platform?.rawValue)),
            ("click_id", .optional(sharedClickID)),
            ("referer_app", .optional(refererApp)),
            ("referer_url", .optional(refererURL)),
        ]
    }
}
