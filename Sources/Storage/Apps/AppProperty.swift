/// A property of events that an app has declared as a key of its reports (docs/properties.md).
package struct AppProperty: Hashable, Sendable {
    /// What has the property.
    package enum Kind: String, CaseIterable, Sendable {
        /// A touch has the value that it says itself.
        case touch
        /// A person has the value of the earliest event that says one, and so has everything that is the person's.
        case person
        /// A conversion has the value that it says itself.
        case conversion
    }

    package static let nameBytes = 64
    package static let valueLimits = 1...10_000
    package static let defaultValueLimit = 1_000
    /// How many properties an app may declare.
    package static let countLimit = 16

    package var name: String
    package var kind: Kind
    /// How many values have rows of their own, those of the most events; the others are together.
    package var valueLimit: Int

    package init(_ name: String, of kind: Kind, values valueLimit: Int = defaultValueLimit) {
        self.name = name
        self.kind = kind
        self.valueLimit = valueLimit
    }

    /// Nil for a kind that this version does not know.
    package init?(_ name: String, kind: String, valueLimit: Int?) {
        guard let kind = Kind(rawValue: kind) else { return nil }
        self.init(name, of: kind, values: valueLimit ?? Self.defaultValueLimit)
    }

    /// What `timeline_state.properties` calls it.
    package var id: String { Self.id(kind.rawValue, name) }

    static func id(_ kind: String, _ name: String) -> String { "\(kind):\(name)" }

    /// Whether a name can be declared: it can be written in lists and conditions without quotation marks.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= nameBytes else { return false }
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }
        return isLetter(first)
            && text.utf8.allSatisfy {
                isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || [UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0)
            }
    }
}
