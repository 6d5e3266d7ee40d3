import InboundLinks
package import JSONReading
import Text
import Time

/// Reads the fields of a link from a JSON object. A null removes the field.
package enum LinkFields {
    /// The fields that a link has in JSON, in the order of docs/redirects.md.
    package static let names = [
        "host", "slug", "target_url", "mobile_url", "app_url", "fallback", "ref", "channel", "title", "description",
        "image_url", "site_name", "og_type", "forward_query", "append_click_id", "campaign", "expires_at",
        "expired_url", "disabled", "note", "created_at", "updated_at",
    ]

    /// Changes a field of a link.
    ///
    /// - Returns: whether there is a field of this name. `refs` is another spelling of `ref`.
    package static func set(_ name: String, to value: JSONNode, of link: inout Link) throws(LinkFault) -> Bool {
        switch name {
        case "host":
            guard let host = try LinkValue.text(value, name).flatMap(LinkHost.normalised) else {
                throw LinkFault(.invalidValue, name, "host must be the name of a host")
            }
            link.host = host
        case "slug":
            guard let text = try LinkValue.text(value, name) else {
                throw LinkFault(.invalidSlug, name, "slug is empty")
            }
            link.slug = try Slug.checked(text)
        case "target_url": link.targetURL = try LinkValue.text(value, name)
        case "mobile_url": link.mobileURL = try LinkValue.text(value, name)
        case "app_url": link.appURL = try LinkValue.text(value, name)
        case "fallback": link.fallback = try LinkValue.choice(value, name, default: .store)
        case "ref", "refs": link.refs = try LinkValue.list(value, "ref")
        case "channel":
            link.channel = value.kind == .null ? nil : try LinkValue.choice(value, name, default: Channel.other)
        case "title": link.preview.title = try LinkValue.text(value, name)
        case "description": link.preview.description = try LinkValue.text(value, name)
        case "image_url": link.preview.imageURL = try LinkValue.text(value, name)
        case "site_name": link.preview.siteName = try LinkValue.text(value, name)
        case "og_type": link.preview.ogType = try LinkValue.text(value, name)
        case "forward_query": link.forwardQuery = try LinkValue.bool(value, name, default: true)
        case "append_click_id": link.appendClickID = try LinkValue.bool(value, name, default: false)
        case "campaign": link.campaign = try LinkValue.text(value, name)
        case "expires_at": link.expiresAt = try LinkValue.time(value, name)
        case "expired_url": link.expiredURL = try LinkValue.text(value, name)
        case "disabled": link.disabled = try LinkValue.bool(value, name, default: false)
        case "note": link.note = try LinkValue.text(value, name)
        case "created_at": link.createdAt = try LinkValue.time(value, name)
        case "updated_at": link.updatedAt = try LinkValue.time(value, name)
        default: return false
        }
        return true
    }
}
