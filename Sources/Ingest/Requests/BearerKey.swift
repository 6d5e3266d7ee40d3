import HTTPTypes

/// The key of `Authorization: Bearer <key>` (RFC 6750 section 2.1). Never logged, never answered.
struct BearerKey {
    /// Longer ones are no keys of ours; what is hashed is bounded.
    static let maximumBytes = 512

    let text: String

    init(_ headers: HTTPFields) throws(Problem) {
        let values = headers[values: .authorization]
        guard let value = values.first?.trimmingBlanks, !value.isEmpty else {
            throw Problem(.missingKey, "Send the app's key as `Authorization: Bearer <key>`.", field: "Authorization")
        }
        let scheme = value.prefix { $0 != " " }
        let key = value.dropFirst(scheme.count).trimmingBlanks
        guard scheme.lowercased() == "bearer", !key.isEmpty, values.count == 1 else {
            throw Problem(.missingKey, "Send the app's key as `Authorization: Bearer <key>`.", field: "Authorization")
        }
        guard key.utf8.count <= Self.maximumBytes, key.utf8.allSatisfy(Self.isKeyByte) else {
            throw .unknownKey
        }
        text = String(key)
    }

    /// The bytes of a `token68` (RFC 9110 section 11.2).
    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default:
            false
        }
    }
}

extension Problem {
    static var unknownKey: Problem {
        Problem(.unknownKey, "The key is unknown, revoked or expired.", field: "Authorization")
    }
}
