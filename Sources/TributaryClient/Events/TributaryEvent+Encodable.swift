import Foundation

/// The JSON of docs/events.md, *Fields*.
extension TributaryEvent: Encodable {
    /// Those of every event.
    static let fields: [ClientField<TributaryEvent>] = [
        ClientField("event_id") { $0.id.uuidString.lowercased() },
        ClientField("occurred_at") { $0.occurredAt.rfc3339 },
        ClientField("user_id", \.person.userID),
        ClientField("device_id", \.person.deviceID),
        ClientField("click_id", \.person.clickID),
        ClientField("platform", \.platform),
        ClientField("app_version", \.appVersion),
        ClientField("country", \.country),
        ClientField("language", \.language),
        ClientField("properties") { $0.properties.isEmpty ? nil : $0.properties },
        ClientField("type") { $0.type },
    ]
    /// Those of an ``Content/install`` beside them.
    static let installFields: [ClientField<TributaryEvent>] = [
        ClientField("limit_ad_tracking") { if case .install(let limited, _) = $0.content { limited } else { nil } },
        ClientField("url") { if case .install(_, let link) = $0.content { link } else { nil } },
        ClientField("install_referrer", \.installReferrer),
        ClientField("referrer_clicked_at") { $0.referrerClickedAt?.rfc3339 },
        ClientField("install_began_at") { $0.installBeganAt?.rfc3339 },
    ]
    /// Those of a ``Content/conversion``.
    static let conversionFields: [ClientField<TributaryEvent>] = [
        ClientField("name") { if case .conversion(let name, _, _) = $0.content { name } else { nil } },
        ClientField("value") { if case .conversion(_, let value, _) = $0.content { value } else { nil } },
        ClientField("currency") { if case .conversion(_, _, let currency) = $0.content { currency } else { nil } },
    ]

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        try container.encode(self, as: Self.fields)
        switch content {
        case .inboundLink(let link), .linkClick(let link): try container.encode(link, as: TributaryLink.fields)
        case .feedPost(let post): try container.encode(post, as: TributaryFeedPost.fields)
        case .install: try container.encode(self, as: Self.installFields)
        case .authentication: if let login { try container.encode(login, as: TributaryLogin.fields) }
        case .conversion: try container.encode(self, as: Self.conversionFields)
        case .appOpen: break
        }
    }

    private var type: String {
        switch content {
        case .inboundLink: "inbound_link"
        case .linkClick: "link_click"
        case .feedPost: "feed_post"
        case .install: "install"
        case .authentication: "authentication"
        case .conversion: "conversion"
        case .appOpen: "app_open"
        }
    }
}

extension Date {
    /// RFC 3339 in UTC, with milliseconds: `2026-01-31T09:30:00.123Z`.
    var rfc3339: String {
        formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
