/// The key in a request's `Authorization` header. It is never logged and never part of an answer.
///
/// Every route accepts `Bearer <key>` (RFC 6750 section 2.1). Reports accept `Basic` (RFC 7617) too, because
/// spreadsheets and BI tools often have no other way to send a secret outside of the URL. There, the key is the
/// password, or the user name if the password is empty.
struct PresentedKey {
    /// The longest key, in bytes. It limits the work of hashing.
    static let maximumBytes = 512

    let text: String

    /// - Parameter values: the values of all `Authorization` fields.
    init(_ values: [String], for need: KeyNeed) throws(Problem) {
        guard values.count == 1 else { throw .missingKey(need) }
        // Works on bytes: every request has a key, and characters cost twice as much.
        let value = values[0][...].utf8.trimmingBlanks
        let scheme = value.prefix { $0 != UInt8(ascii: " ") }
        let credentials = value[scheme.endIndex...].trimmingBlanks
        let key: [UInt8]
        switch Substring(scheme).lowercased() {
        case "bearer": key = Array(credentials)
        case "basic" where need.takesBasic: key = Self.key(ofBasic: Substring(credentials))
        default: throw .missingKey(need)
        }
        guard !key.isEmpty else { throw .missingKey(need) }
        guard key.count <= Self.maximumBytes, key.allSatisfy(Self.isKeyByte) else { throw .unknownKey(need) }
        text = String(decoding: key, as: UTF8.self)
    }

    /// The key in Basic credentials; empty if there is none.
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

extension Substring.UTF8View {
    /// Without the blanks and tabs around it (RFC 9110 section 5.6.3).
    fileprivate var trimmingBlanks: Substring.UTF8View {
        func isBlank(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var view = self
        while isBlank(view.first) { view = view.dropFirst() }
        while isBlank(view.last) { view = view.dropLast() }
        return view
    }
}

extension KeyNeed {
    fileprivate var takesBasic: Bool { isMet(by: .read) }
}

extension Problem {
    static func missingKey(_ need: KeyNeed) -> Problem {
        var problem = Problem(
            .missingKey,
            "Send \(need.phrase) as `Authorization: Bearer <key>`"
                + (need.takesBasic ? ", or as the password of Basic authentication." : "."),
            field: "Authorization"
        )
        problem.takesBasic = need.takesBasic
        return problem
    }

    static func unknownKey(_ need: KeyNeed) -> Problem {
        var problem = Problem(
            .unknownKey,
            "The key is unknown, revoked or expired; send \(need.phrase) that is valid.",
            field: "Authorization"
        )
        problem.takesBasic = need.takesBasic
        return problem
    }
}
