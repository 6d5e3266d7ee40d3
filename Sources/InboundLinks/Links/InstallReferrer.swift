import Text

/// The text that Google Play keeps of the link to its store, and gives to the app after the install: a query such as
/// `click_id=…&utm_source=recipe` (docs/events.md, *The install referrer*).
package enum InstallReferrer {
    /// The id of the click that led to the store. Nil if the text has none: Google Play's own texts for "no referrer"
    /// and "found by search" have none, nor have other campaigns. An id that belongs to nobody is none either.
    package static func clickID(in referrer: String) -> String? {
        var bytes = Array(referrer.utf8)
        // Some apps pass on the text as it stood in the URL of the store, with a layer of percent-encodings more.
        if !bytes.contains(UInt8(ascii: "=")),
            let decoded = PercentDecoding.bytes(bytes, 0..<bytes.count, plusIsSpace: true)
        {
            bytes = decoded
        }
        var parameters = Parameters()
        parameters.read(bytes, from: 0, end: bytes.count, isQuery: false)
        guard let id = parameters[.clickID], !JunkID.matches(id) else { return nil }
        return id
    }
}
