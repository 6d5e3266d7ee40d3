import Time

/// The `+` of forms and queries. There it means a blank, unless it is written as `%2B`.
package enum PlusSign {
    /// What senders are told of an id that has probably lost a plus sign. The name of the field or parameter comes
    /// before it.
    package static let advice =
        "begins or ends with a blank; in a form or a query + means a blank, so write a plus sign as %2B"

    /// The RFC 3339 time whose offset has a blank in place of its `+`, with the `+`. Nil for any other text: a blank
    /// before the hours and minutes of an offset can mean nothing else.
    package static func restored(inTime text: String) -> String? {
        guard let blank = text.lastIndex(of: " ") else { return nil }
        let restored = text[..<blank] + "+" + text[text.index(after: blank)...]
        return Timestamp(rfc3339: String(restored)) == nil ? nil : String(restored)
    }

    /// The name of a time zone, such as `Etc/GMT+2`. No name has a blank.
    package static func restored(inZone name: String) -> String {
        name.replacing(" ", with: "+")
    }

    /// Whether an id, which is not only blanks, begins or ends with a blank.
    package static func isLost(inID id: String) -> Bool {
        (id.first == " " || id.last == " ") && id.contains { $0 != " " }
    }
}
