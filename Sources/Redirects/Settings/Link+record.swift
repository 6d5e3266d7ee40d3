package import InboundLinks
import Time

extension Link {
    /// All fields, in the order of ``LinkFields/names``. Null where there is no value.
    package var record: [(String, InspectionValue)] {
        [
            ("host", .string(host)),
            ("slug", .string(slug)),
            ("target_url", .optional(targetURL)),
            ("mobile_url", .optional(mobileURL)),
            ("app_url", .optional(appURL)),
            ("fallback", .string(fallback.rawValue)),
            ("ref", .list(refs)),
            ("channel", .optional(channel?.rawValue)),
            ("title", .optional(preview.title)),
            ("description", .optional(preview.description)),
            ("image_url", .optional(preview.imageURL)),
            ("site_name", .optional(preview.siteName)),
            ("og_type", .optional(preview.ogType)),
            ("forward_query", .bool(forwardQuery)),
            ("append_click_id", .bool(appendClickID)),
            ("campaign", .optional(campaign)),
            ("expires_at", .optional(expiresAt?.rfc3339)),
            ("expired_url", .optional(expiredURL)),
            ("disabled", .bool(disabled)),
            ("note", .optional(note)),
            ("created_at", .optional(createdAt?.rfc3339)),
            ("updated_at", .optional(updatedAt?.rfc3339)),
        ]
    }

    /// Host, slug and the fields that are not as in a new link. ``LinkFields`` reads them back.
    package var givenFields: [(String, InspectionValue)] {
        zip(record, Link(host: "", slug: "").record).filter { $0.1 != $1.1 }.map { $0.0 }
    }

    /// The fields that ``givenFields`` has in addition to host, slug and times, as a JSON object. Links for which it is
    /// the same lead to the same places.
    package var content: String {
        let own: Set = ["host", "slug", "created_at", "updated_at"]
        return InspectionValue.object(givenFields.filter { !own.contains($0.0) }, indented: false)
    }
}
