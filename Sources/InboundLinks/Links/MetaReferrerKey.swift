import Text

/// The key that Meta gives to an app for the campaign data in its install referrers (docs/events.md, *Ads of Meta*). It
/// is a secret: nothing prints it.
package struct MetaReferrerKey: Equatable, Sendable {
    /// How many bytes a key has.
    package static let length = 32

    package let bytes: [UInt8]

    /// Nil if there are not so many bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Nil if the text is not the hexadecimal digits of a key, perhaps with blanks around them.
    package init?(hexadecimal text: String) {
        guard let bytes = [UInt8](hexadecimal: text.trimmed) else { return nil }
        self.init(bytes: bytes)
    }
}

extension MetaReferrerKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a key of Meta" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
