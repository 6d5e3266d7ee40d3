import Redirects

extension LinkField {
    /// How a form shows the field.
    enum Control {
        case text, address, area, time, checkbox
        case choice([String])
    }

    /// The fields in the order of the form, by the heading above them.
    static let groups: [(heading: String, fields: [LinkField])] = [
        ("", ["target_url", "slug", "ref"]),
        ("The app and phones", ["app_url", "mobile_url", "fallback"]),
        ("Preview", ["title", "description", "image_url", "site_name", "og_type"]),
        (
            "More",
            ["channel", "campaign", "forward_query", "append_click_id", "expires_at", "expired_url", "note"]
        ),
    ].map { heading, names in (heading, names.compactMap(LinkField.named)) }

    static let ofForm = groups.flatMap(\.fields)

    var control: Control {
        switch value {
        case .text(_, .plain(let limit)): limit < LinkLimits.description ? .text : .area
        case .text(_, let kind): kind.isAddress ? .address : .text
        case .choice(let path, let words): .choice(Link.blank[keyPath: path] == nil ? [""] + words : words)
        case .flag: .checkbox
        case .time: .time
        case .host, .slug, .list: .text
        }
    }

    var isCheckbox: Bool { if case .flag = value { true } else { false } }

    /// Whether the box is ticked in a form for a new link.
    var isOnAtFirst: Bool { if case .flag(let path) = value { Link.blank[keyPath: path] } else { false } }
}
