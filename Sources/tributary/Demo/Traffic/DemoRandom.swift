import Events
import Foundation

/// Seeded randomness (SplitMix64): the same seed gives the same day, on every machine and with every compiler. The
/// standard library does not promise that for `Int.random(in:using:)`, so this type draws its own numbers.
struct DemoRandom {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// At least 0 and less than 1.
    mutating func unit() -> Double {
        Double(bits() >> 11) / Double(1 << 53 as UInt64)
    }

    mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(bits() % UInt64(range.count))
    }

    /// One of the elements, each equally likely.
    mutating func pick<Element>(_ first: Element, _ others: Element...) -> Element {
        let index = integer(in: 0...others.count)
        return index == 0 ? first : others[index - 1]
    }

    /// The index of one of the weights, as likely as its weight; 0 if there are no weights.
    mutating func index(weights: [Double]) -> Int {
        var rest = unit() * weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            rest -= weight
            if rest < 0 { return index }
        }
        return max(0, weights.count - 1)
    }

    /// One of the cases of an enumeration, by weight.
    mutating func pick<Choice: CaseIterable>(
        _ type: Choice.Type,
        weight: (Choice) -> Double
    ) -> Choice where Choice.AllCases == [Choice] {
        let choices = Choice.allCases
        return choices[index(weights: choices.map(weight))]
    }

    /// A waiting time in milliseconds. Short times are likely, long ones occur.
    mutating func wait(minutes mean: Double, atLeast minimum: Double = 0.1) -> Int {
        Int(((minimum - log(1 - unit()) * mean) * 60_000).rounded())
    }

    mutating func digits(_ count: Int) -> String {
        String((0..<count).map { Character(String(integer(in: ($0 == 0 ? 1 : 0)...9))) })
    }

    mutating func token(_ count: Int) -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return String((0..<count).map { _ in alphabet[integer(in: 0...alphabet.count - 1)] })
    }

    /// A random UUID (RFC 9562 version 4), lower case.
    mutating func uuid() -> String {
        let high = (bits() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
        let low = (bits() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        return EventID(high: high, low: low).description
    }
}
