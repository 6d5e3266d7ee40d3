import Text

/// The placeholders of templates, ad networks and format strings: `{gps_adid}`, `${USER_ID}`, `%USER_ID%`, `__IDFA__`.
/// Such a text is an id that the sender forgot to fill in.
enum UnfilledPlaceholder {
    static func matches(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        if holdsTemplate(id) { return true }
        guard let first = id.first, id.count >= 2, let last = id.last else { return false }
        let inner = 1..<id.count - 1
        switch first {
        case UInt8(ascii: "{"): return last == UInt8(ascii: "}") && isBraced(id, inner)
        case UInt8(ascii: "$"):
            if id[1] == UInt8(ascii: "("), last == UInt8(ascii: ")") { return isName(id, 2..<id.count - 1) }
            if id[1] == UInt8(ascii: "["), last == UInt8(ascii: "]") { return isName(id, 2..<id.count - 1) }
            return isNameOfID(id, unmarked(id))
        case UInt8(ascii: "%"): return isPercentPlaceholder(id)
        case UInt8(ascii: "_"): return isUnderscored(id)
        case UInt8(ascii: "<"):
            guard last == UInt8(ascii: ">") else { return false }
            if id.count > 4, id[1] == UInt8(ascii: "%"), id[id.count - 2] == UInt8(ascii: "%") { return true }
            return isNameOfID(id, inner)
        case UInt8(ascii: "["):
            guard last == UInt8(ascii: "]") else { return false }
            let isDouble = id.count > 4 && id[1] == first && id[id.count - 2] == last
            return isDouble ? isName(id, 2..<id.count - 2) : isNameOfID(id, inner)
        case UInt8(ascii: "*"):
            return id.count > 4 && id[1] == UInt8(ascii: "|") && id[id.count - 2] == UInt8(ascii: "|")
                && last == UInt8(ascii: "*")
        case UInt8(ascii: ":"): return isNameOfID(id, 1..<id.count)
        case UInt8(ascii: "@"):
            return last == first && id.count > 2 && isName(id, unmarked(id))
        // A cell that is too narrow for its number, or `##USER_ID##`.
        case UInt8(ascii: "#"): return id.allSatisfy { $0 == first } || last == first && isNameOfID(id, unmarked(id))
        default: return false
        }
    }

    /// What is between the marks at both ends, which are those at the beginning.
    private static func unmarked(_ id: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let marks = id.prefix { $0 == id[0] }.count
        let end = id.count - id.reversed().prefix { $0 == id[0] }.count
        return marks < end ? marks..<end : 0..<0
    }

    /// Whether `${…}`, `#{…}`, `%{…}`, `@{…}` or `{{…}}` is anywhere in the id: no id contains these.
    private static func holdsTemplate(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        var open: Int?
        for index in id.indices {
            if let start = open {
                if id[index] == UInt8(ascii: "}") {
                    let isDouble = id[start] == UInt8(ascii: "{")
                    if index > start + 2, !isDouble || (index + 1 < id.count && id[index + 1] == id[index]) {
                        return true
                    }
                    open = nil
                }
            } else if id[index] == UInt8(ascii: "{"), index > 0 {
                switch id[index - 1] {
                case UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "{"):
                    open = index - 1
                default: break
                }
            }
        }
        return false
    }

    /// `{user_id}`, `{0}`; not a UUID in braces, nor JSON.
    private static func isBraced(_ id: UnsafeBufferPointer<UInt8>, _ inner: Range<Int>) -> Bool {
        if inner.count <= 2, id[inner].allSatisfy(\.isASCIIDigit) { return true }
        var inner = inner
        // `{!user_id}`, `{$user_id}`, `{%user_id%}` and their like.
        while let first = id[inner].first, !first.isASCIILetter, first != UInt8(ascii: "_"), isMark(first) {
            inner = inner.dropFirst()
        }
        while let last = id[inner].last, isMark(last) { inner = inner.dropLast() }
        let hexadecimal = id[inner].filter { $0.hexadecimalValue != nil }.count
        let isUUID = hexadecimal == 32 && id[inner].allSatisfy { $0.hexadecimalValue != nil || $0 == UInt8(ascii: "-") }
        if isUUID { return id[inner].allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") } }
        return isName(id, inner)
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "#"),
            UInt8(ascii: " "), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// `%USER_ID%`, `%%USER_ID%%`, `%(user_id)s`, and the marks of format strings such as `%s` and `%@`.
    private static func isPercentPlaceholder(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        if id[id.count - 1] == UInt8(ascii: "%") {
            var inner = 1..<id.count - 1
            if inner.count > 2, id[1] == UInt8(ascii: "%"), id[id.count - 2] == UInt8(ascii: "%") {
                inner = 2..<id.count - 2
            }
            return isName(id, inner)
        }
        if id.count > 4, id[1] == UInt8(ascii: "("), id[id.count - 2] == UInt8(ascii: ")") {
            return isName(id, 2..<id.count - 2)
        }
        let text = String(decoding: id, as: UTF8.self)
        return ["%s", "%d", "%i", "%u", "%x", "%@", "%ld", "%lu", "%lld", "%llu", "%1$s", "%1$d", "%1$@"].contains(text)
    }

    /// `__IDFA__`, the macros of ad networks. They have no lower-case letters.
    private static func isUnderscored(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        guard id.count > 4, id[1] == id[0], id[id.count - 1] == id[0], id[id.count - 2] == id[0] else { return false }
        let inner = 2..<id.count - 2
        return isName(id, inner) && !id[inner].contains { $0.isASCIILetter && $0 & 0x20 != 0 }
    }

    /// Whether the text could name a variable: it begins with a letter or `_`, and letters, digits, `_`, `-`, `.` and
    /// blanks follow.
    private static func isName(_ id: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard let first = id[range].first(where: { $0 != UInt8(ascii: " ") }),
            first.isASCIILetter || first == UInt8(ascii: "_")
        else { return false }
        return id[range].allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ")
        }
    }

    private static let namesOfIDs: Set<String> = [
        "id", "uid", "uuid", "userid", "deviceid", "clickid", "customerid", "accountid", "memberid", "playerid",
        "visitorid", "personid", "profileid", "installid", "sessionid", "adid", "gpsadid", "gaid", "idfa", "idfv",
        "aaid", "oaid", "androidid", "advertisingid", "appsflyerid", "adjustid", "externalid", "externaluserid",
        "anonymousid", "distinctid", "postid", "fbclid", "gclid", "email", "username",
    ]

    /// Whether the text is a usual name of an id. The marks around it are not enough: `[bob]` may be somebody.
    private static func isNameOfID(_ id: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= 24, isName(id, range) else { return false }
        let letters = id[range].filter { $0.isASCIILetter || $0.isASCIIDigit }.map(\.lowercasedASCII)
        return namesOfIDs.contains(String(decoding: letters, as: UTF8.self))
    }
}
