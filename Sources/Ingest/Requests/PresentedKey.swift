/// The key that a request presents in `Authorization`. Never logged, never answered.
///
/// `Bearer <key>` (RFC 6750 section 2.1) for every call. Reports take `Basic` (RFC 7617) too: spreadsheets and BI tools
/// often know no other way to send a secret that is not part of the URL. The key is the password, or, where that is empty,
/// the user name.
struct PresentedKey {
    /// Longer ones are no keys of ours; what is hashed is bounded.
    static let maximumBytes = 512

    let text: String

    /// - Parameter values: of all fields `Authorization`.
    init(_ values: [String], for scope: KeyScope) throws(Problem) {
        if values.count == 1, let key = Self.key(ofPlainBearer: values[0]) {
            text = key
            return
        }
        guard let value = values.first?.trimmingBlanks, !value.isEmpty, values.count == 1 else {
            throw .missingKey(scope)
        }
        let scheme = value.prefix { $0 != " " }
        let credentials = value.dropFirst(scheme.count).trimmingBlanks
        let key: [UInt8]
        switch scheme.lowercased() {
        case "bearer": key = Array(credentials.utf8)
        case "basic" where scope == .read: key = Self.key(ofBasic: credentials)
        default: throw .missingKey(scope)
        }
        guard !key.isEmpty else { throw .missingKey(scope) }
        guard key.count <= Self.maximumBytes, key.allSatisfy(Self.isKeyByte) else { throw .unknownKey(scope) }
        text = String(decoding: key, as: UTF8.self)
    }

    /// As nearly all senders write it, byte by byte: nil for what has to be looked at more closely.
    private static func key(ofPlainBearer value: String) -> String? {
        let scheme = "Bearer "
        let key = value.utf8.dropFirst(scheme.utf8.count)
        guard value.utf8.starts(with: scheme.utf8), (1...maximumBytes).contains(key.count), key.allSatisfy(isKeyByte)
        else { return nil }
        return String(Substring(key))
    }

    /// Empty where there is none.
    private static func key(ofBasic credentials: some StringProtocol) -> [UInt8] {
        guard let decoded = Base64.bytes(of: credentials), let colon = decoded.firstIndex(of: UInt8(ascii: ":")) else {
            return []
        }
        let password = decoded[(colon + 1)...]
        return Array(password.isEmpty ? decoded[..<colon] : password)
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
    static func missingKey(_ scope: KeyScope) -> Problem {
        var problem = Problem(
            .missingKey,
            "Send the app's \(scope.rawValue) key as `Authorization: Bearer <key>`"
                + (scope == .read ? ", or by Basic authentication as the password." : "."),
            field: "Authorization"
        )
        problem.takesBasic = scope == .read
        return problem
    }

    static func unknownKey(_ scope: KeyScope) -> Problem {
        var problem = Problem(.unknownKey, "The key is unknown, revoked or expired.", field: "Authorization")
        problem.takesBasic = scope == .read
        return problem
    }
}
