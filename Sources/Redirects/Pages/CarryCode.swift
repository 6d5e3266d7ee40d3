package import Events
import Foundation

/// What a visitor may type into a freshly installed app in place of the id of the click: the 40 random bits at the end
/// of this id, as 8 letters (Crockford's base 32). So no table is needed to make one.
package struct CarryCode: Equatable, Sendable {
    /// How long it can be used after the click.
    package static let lifetime = Duration.seconds(7 * 86_400)
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let bitMask: UInt64 = 0xFF_FFFF_FFFF

    private let bits: UInt64

    package init(_ click: EventID) { bits = click.low & Self.bitMask }

    /// Reads what a person has typed or pasted: in any case, in wide letters or the digits of another script, with O
    /// for 0 and I or L for 1. Everything that is no letter and no digit is passed over. Nil if it is no code.
    package init?(typed text: String) {
        guard text.utf8.count <= 256 else { return nil }
        var bits: UInt64 = 0
        var count = 0
        for scalar in text.precomposedStringWithCompatibilityMapping.uppercased().unicodeScalars {
            let value: Int?
            switch scalar {
            case "O": value = 0
            case "I", "L": value = 1
            default:
                let digit = scalar.properties.numericType == .decimal ? scalar.properties.numericValue : nil
                guard digit != nil || scalar.properties.isAlphabetic else { continue }
                value =
                    digit.flatMap { Int(exactly: $0) } ?? UInt8(exactly: scalar.value).flatMap(Self.letters.firstIndex)
            }
            guard let value, count < 8 else { return nil }
            bits = bits << 5 | UInt64(value)
            count += 1
        }
        guard count == 8 else { return nil }
        self.bits = bits
    }

    /// The two halves, each of four letters.
    package var groups: [String] {
        let text = String(
            decoding: stride(from: 35, through: 0, by: -5).map { Self.letters[Int(bits >> UInt64($0) & 31)] },
            as: UTF8.self
        )
        return [String(text.prefix(4)), String(text.suffix(4))]
    }

    /// The last bytes of the ids that it may stand for.
    package var bytes: [UInt8] {
        stride(from: 32, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
    }
}
