import Text

/// The text that Google Play keeps of the link to its store, and gives to the app after the install: a query such as
/// `click_id=…&utm_source=recipe` (docs/events.md, *The install referrer*).
package enum InstallReferrer {
    /// The id of the click that led to the store. Nil if the text has none: Google Play's own texts for "no referrer"
    /// and "found by search" have none, nor have other campaigns. An id that belongs to nobody is none either.
    package static func clickID(in referrer: String) -> String? {
        let bytes = decoded(referrer)
        var parameters = Parameters()
        parameters.read(bytes, from: 0, end: bytes.count, isQuery: false)
        guard let id = parameters[.clickID], !JunkID.matches(id) else { return nil }
        return id
    }

    /// The text as a query. Some apps pass it on as it stood in the URL of the store, with a layer of percent-encodings
    /// more.
    static func decoded(_ referrer: String) -> [UInt8] {
        let bytes = Array(referrer.utf8)
        guard !bytes.contains(UInt8(ascii: "=")) else { return bytes }
        return PercentDecoding.bytes(bytes, 0..<bytes.count, plusIsSpace: true) ?? bytes
    }
}
