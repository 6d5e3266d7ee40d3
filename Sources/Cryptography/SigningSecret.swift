import Foundation

/// The key that signs requests to a receiver, as Standard Webhooks has it: `whsec_`, then 24 to 64 bytes in base 64.
package struct SigningSecret: Equatable, Sendable {
    /// How long the former secret signs beside a new one.
    package static let overlap = Duration.seconds(86_400)

    package let text: String
    private let key: [UInt8]

    /// Nil for any other text.
    package init?(_ text: String) {
        let prefix = "whsec_"
        guard text.hasPrefix(prefix), let key = Data(base64Encoded: String(text.dropFirst(prefix.count))),
            (24...64).contains(key.count)
        else { return nil }
        self.text = text
        self.key = Array(key)
    }

    /// 24 random bytes.
    package static func generate() -> String {
        var random = SystemRandomNumberGenerator()
        return "whsec_"
            + Data((0..<24).map { _ in UInt8.random(in: .min ... .max, using: &random) }).base64EncodedString()
    }

    /// `v1,`, then the signature in base 64.
    package func signature(of body: some Sequence<UInt8>, id: String, at seconds: Int64) -> String {
        let signed = Array("\(id).\(seconds).".utf8) + Array(body)
        return "v1," + Data(HMAC.sha256(of: signed, key: key)).base64EncodedString()
    }

    /// The headers of a request.
    ///
    /// - Parameters:
    ///   - secrets: while a secret is being changed, both sign.
    ///   - seconds: since 1970.
    package static func headers(
        _ secrets: [SigningSecret],
        body: [UInt8],
        id: String,
        at seconds: Int64
    ) -> [(name: String, value: String)] {
        [
            ("webhook-id", id), ("webhook-timestamp", String(seconds)),
            ("webhook-signature", secrets.map { $0.signature(of: body, id: id, at: seconds) }.joined(separator: " ")),
        ]
    }
}
