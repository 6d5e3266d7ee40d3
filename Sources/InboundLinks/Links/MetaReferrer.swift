import JSONReading
import Text
package import Time

/// What Meta adds to the install referrer of somebody who came by one of its ads: the campaign, encrypted
/// (docs/events.md, *Ads of Meta*).
package struct MetaReferrer: Equatable, Sendable {
    /// The ciphertext, with its tag of 16 bytes at the end; nil if it is not hexadecimal.
    package var data: [UInt8]?
    package var nonce: [UInt8]?
    /// When the ad was tapped or seen.
    package var actedAt: Timestamp?
    /// Whether the ad was only seen.
    package var isView = false

    /// - Parameter referrer: what Google Play's library gives, or the text of Meta's own provider, which is JSON.
    /// - Returns: nil if there is no such data in it.
    package init?(in referrer: String) {
        var values: [String: String] = [:]
        let content: JSONNode
        if let root = Self.object(referrer) {
            guard let node = Self.content(of: root) else { return nil }
            content = node
            for name in Self.names { values[name] = Self.text(root[name]) }
        } else {
            let parameters = Parameters(
                of: URLParts(bytes: [UInt8(ascii: "?")] + InstallReferrer.decoded(referrer)),
                readsFragment: false,
                keeping: Self.names.union(["utm_content"])
            )
            guard let text = parameters.keptValue(of: "utm_content"),
                // Some apps pass it on with a layer of percent-encodings more.
                let node = Self.object(text) ?? Self.decoded(text).flatMap(Self.object)
            else { return nil }
            content = node
            for name in Self.names { values[name] = parameters.keptValue(of: name) }
        }
        guard let source = content["source"].flatMap(Self.object), let data = source["data"]?.string,
            let nonce = source["nonce"]?.string,
            !data.isEmpty
        else { return nil }
        self.data = [UInt8](hexadecimal: data)
        self.nonce = [UInt8](hexadecimal: nonce)
        func value(_ name: String) -> String? { values[name] ?? Self.text(content[name]) }
        actedAt = ["actual_timestamp", "t"].lazy.compactMap(value).compactMap(ClickTime.read).first
        isView = value("is_ct") == "0"
    }

    /// What Meta's own provider says beside the referrer.
    private static let names: Set<String> = ["is_ct", "actual_timestamp"]

    private static func object(_ text: String) -> JSONNode? {
        guard text.utf8.first(where: { !$0.isBlank }) == UInt8(ascii: "{") else { return nil }
        guard let root = try? JSONDocument(reading: text.utf8, maximumDepth: 32).root, root.kind == .object else {
            return nil
        }
        return root
    }

    /// An object or its text.
    private static func object(_ node: JSONNode) -> JSONNode? {
        node.kind == .object ? node : node.string.flatMap(object)
    }

    private static func decoded(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        return PercentDecoding.bytes(bytes, 0..<bytes.count, plusIsSpace: true)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// `utm_content`, an object or its text; or the object itself.
    private static func content(of root: JSONNode) -> JSONNode? {
        guard let node = root["utm_content"] else { return root }
        return object(node)
    }

    private static func text(_ node: JSONNode?) -> String? {
        guard let node else { return nil }
        return node.string ?? node.number ?? node.bool.map { $0 ? "1" : "0" }
    }
}
