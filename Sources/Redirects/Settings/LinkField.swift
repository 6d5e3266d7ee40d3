import InboundLinks
package import Time

/// A field of a link, declared once: JSON and CSV, the rows of PostgreSQL, the table in memory, the rules, the
/// dashboard's form and the link's page follow from ``all``.
package struct LinkField: Sendable {
    package typealias Path<FieldValue> = any WritableKeyPath<Link, FieldValue> & Sendable

    /// Where the field is in a ``Link``, and what it is.
    package enum Value: Sendable {
        /// ``Link/host`` and ``Link/slug``, which name the link.
        case host, slug
        case text(Path<String?>, Text)
        /// One of some words.
        case choice(Path<String?>, [String])
        case list(Path<[String]>)
        case flag(Path<Bool>)
        case time(Path<Timestamp?>)
    }

    /// What a text must be (``LinkRules``).
    package enum Text: Sendable {
        /// A web page that visitors are sent to.
        case page
        /// A web page, or a place in an app.
        case appAddress
        case image
        /// - Parameter limit: in bytes.
        case plain(limit: Int)
        /// What the stores accept as a campaign.
        case campaign

        package var isAddress: Bool {
            switch self {
            case .page, .appAddress, .image: true
            case .plain, .campaign: false
            }
        }
    }

    /// In JSON, in CSV, and the column's in PostgreSQL.
    package let name: String
    package let value: Value
    /// What people see in the dashboard; empty if they do not see the field there.
    package let label: String
    package let hint: String

    private init(_ name: String, _ value: Value, _ label: String = "", hint: String = "") {
        (self.name, self.value, self.label, self.hint) = (name, value, label, hint)
    }

    /// In the order of docs/redirects.md and of `sql/fragments/link_fields.sql`.
    package static let all: [LinkField] = [
        LinkField("host", .host),
        LinkField("slug", .slug, "Slug", hint: "The end of the short link. Left empty, it is random."),
        LinkField(
            "target_url",
            .text(\.targetURL, .page),
            "Target",
            hint: "The web page that the link stands for. Without a website, leave it empty."
        ),
        LinkField("mobile_url", .text(\.mobileURL, .page), "Mobile page", hint: "Left empty, it is the target."),
        LinkField(
            "app_url",
            .text(\.appURL, .appAddress),
            "Place in the app",
            hint: "What the app opens, such as myapp://item/42."
        ),
        LinkField(
            "fallback",
            .choice(\.fallbackName, Link.Fallback.allCases.map(\.rawValue)),
            "Phones without the app",
            hint: "Where they go first."
        ),
        LinkField("ref", .list(\.refs), "Refs", hint: "Categories for the reports, with commas between them."),
        LinkField(
            "channel",
            .choice(\.channelName, Channel.allCases.map(\.rawValue)),
            "Channel",
            hint: "If empty, Tributary derives it from each click."
        ),
        LinkField(
            "title",
            .text(\.preview.title, .plain(limit: LinkLimits.name)),
            "Title",
            hint: "Left empty, it is the app's name."
        ),
        LinkField(
            "description",
            .text(\.preview.description, .plain(limit: LinkLimits.description)),
            "Description"
        ),
        LinkField("image_url", .text(\.preview.imageURL, .image), "Image", hint: "Its address."),
        LinkField(
            "site_name",
            .text(\.preview.siteName, .plain(limit: LinkLimits.name)),
            "Site",
            hint: "Left empty, it is the app's name."
        ),
        LinkField(
            "og_type",
            .text(\.preview.ogType, .plain(limit: LinkLimits.ogType)),
            "Type",
            hint: "Of Open Graph. Left empty, it is website."
        ),
        LinkField("forward_query", .flag(\.forwardQuery), "Pass the visitor's parameters on to the web page"),
        LinkField("append_click_id", .flag(\.appendClickID), "Give the web page the click's id"),
        LinkField(
            "campaign",
            .text(\.campaign, .campaign),
            "Campaign",
            hint: "For the stores, at most 30 characters. Left empty, it is the slug."
        ),
        LinkField("expires_at", .time(\.expiresAt), "Ends at"),
        LinkField(
            "expired_url",
            .text(\.expiredURL, .page),
            "Page after the end",
            hint: "Where visitors go then. Left empty, they read that the link has ended."
        ),
        LinkField("disabled", .flag(\.disabled)),
        LinkField("note", .text(\.note, .plain(limit: LinkLimits.note)), "Note", hint: "Only you see it."),
        LinkField("created_at", .time(\.createdAt), "Created"),
        LinkField("updated_at", .time(\.updatedAt), "Changed"),
    ]

    package static let names = all.map(\.name)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// - Parameter name: `refs` is another spelling of `ref`.
    package static func named(_ name: String) -> LinkField? { byName[name == "refs" ? "ref" : name] }
}

extension Link {
    /// A link of which nothing was said.
    package static let blank = Link(host: "", slug: "")

    fileprivate var fallbackName: String? {
        get { fallback.rawValue }
        set { fallback = newValue.flatMap(Fallback.init(rawValue:)) ?? Self.blank.fallback }
    }

    fileprivate var channelName: String? {
        get { channel?.rawValue }
        set { channel = newValue.flatMap(Channel.init(rawValue:)) }
    }
}
