package import InboundLinks
package import JSONReading

/// A setting of an app's links, declared once: what is stored and read, `tributary app show`, the log of changes and
/// trials follow from ``all``.
package struct LinkAppField: Sendable {
    private typealias Path<Value> = any WritableKeyPath<LinkApp, Value> & Sendable

    /// The column's in PostgreSQL, and wherever the setting is shown.
    package let name: String
    /// The option's, with `_` in place of `-`.
    let option: String
    package let value: @Sendable (LinkApp) -> InspectionValue
    package let set: @Sendable (JSONNode, inout LinkApp) throws(LinkFault) -> Void

    /// In the order of the parameters of `sql/statements/update_app.sql`.
    package static let all: [LinkAppField] = [
        list("bundle_ids", \.bundleIDs, option: "bundle_id"),
        text("iphone_store_id", \.iPhoneStoreID),
        text("ipad_store_id", \.iPadStoreID),
        LinkAppField("deep_linking", { .bool($0.deepLinking) }) { json, app throws(LinkFault) in
            app.deepLinking = try LinkValue.bool(json, "deep_linking", default: true)
        },
        text("android_package", \.androidPackage),
        list("android_certs", \.androidCertificates, option: "android_cert"),
        text("apple_team_id", \.appleTeamID),
        text("apple_provider_token", \.appleProviderToken),
        LinkAppField("ios_carry", { .string($0.iosCarry.rawValue) }) { json, app throws(LinkFault) in
            app.iosCarry = try LinkValue.choice(json, "ios_carry", default: .off)
        },
        LinkAppField("page_words", { .optional($0.pageWords.isEmpty ? nil : $0.pageWords.json) }) {
            json,
            app throws(LinkFault) in
            app.pageWords = try PageWords(json: json, field: "page_words")
        },
        text("page_color", \.pageColor),
        text("page_logo", \.pageLogo),
    ]

    private init(
        _ name: String,
        option: String? = nil,
        _ value: @escaping @Sendable (LinkApp) -> InspectionValue,
        set: @escaping @Sendable (JSONNode, inout LinkApp) throws(LinkFault) -> Void
    ) {
        (self.name, self.option, self.value, self.set) = (name, option ?? name, value, set)
    }

    private static func text(_ name: String, _ path: Path<String?>) -> LinkAppField {
        LinkAppField(name, { .optional($0[keyPath: path]) }) { json, app throws(LinkFault) in
            app[keyPath: path] = try LinkValue.text(json, name)
        }
    }

    private static func list(_ name: String, _ path: Path<[String]>, option: String) -> LinkAppField {
        LinkAppField(name, option: option, { .list($0[keyPath: path]) }) { json, app throws(LinkFault) in
            app[keyPath: path] = try LinkValue.list(json, option)
        }
    }
}
