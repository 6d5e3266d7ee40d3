/// PostgreSQL's binary `numeric` (`numeric_send` in its sources): a sign and digits of base 10000. The first digit
/// counts 10000^weight.
struct BinaryNumeric {
    private static let negative: UInt16 = 0x4000
    private static let positive: UInt16 = 0x0000

    private let digits: UnsafeRawBufferPointer
    private let weight: Int
    private let isNegative: Bool
    private let scale: Int

    /// - Throws: ``PostgresError/Kind/unexpectedResult``, also for `NaN` and the infinities.
    init(_ field: UnsafeRawBufferPointer) throws(PostgresError) {
        guard field.count >= 8 else { throw BinaryField.mismatch("a numeric", field) }
        let count = Int(field.loadUnaligned(as: UInt16.self).bigEndian)
        let sign = field.loadUnaligned(fromByteOffset: 4, as: UInt16.self).bigEndian
        guard field.count == 8 + 2 * count, sign == Self.negative || sign == Self.positive else {
            throw BinaryField.mismatch("a finite numeric", field)
        }
        weight = Int(field.loadUnaligned(fromByteOffset: 2, as: Int16.self).bigEndian)
        scale = Int(field.loadUnaligned(fromByteOffset: 6, as: UInt16.self).bigEndian)
        isNegative = sign == Self.negative
        digits = UnsafeRawBufferPointer(rebasing: field[8...])
    }

    private var count: Int { digits.count / 2 }

    /// The digit that counts 10000^power.
    private func digit(_ power: Int) -> Int64 {
        let index = weight - power
        guard index >= 0, index < count else { return 0 }
        return Int64(digits.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self).bigEndian)
    }

    private var lowestPower: Int { weight - count + 1 }

    /// The whole number; nil if there is a fraction or it does not fit.
    func integer() -> Int64? {
        var result: Int64 = 0
        guard count > 0 else { return 0 }
        for power in stride(from: max(weight, 0), through: min(lowestPower, 0), by: -1) {
            if power < 0 {
                guard digit(power) == 0 else { return nil }
                continue
            }
            guard let next = Self.shift(result, by: 10000, adding: digit(power), isNegative: isNegative) else {
                return nil
            }
            result = next
        }
        return result
    }

    /// The number in whole millionths.
    ///
    /// - Throws: ``PostgresError/Kind/unexpectedResult`` if it has more than 6 decimals or does not fit.
    func millionths() throws(PostgresError) -> Int64 {
        var result: Int64 = 0
        for power in stride(from: max(weight, -1), through: -1, by: -1) where count > 0 {
            guard let next = Self.shift(result, by: 10000, adding: digit(power), isNegative: isNegative) else {
                throw PostgresError(.unexpectedResult, "the numeric does not fit into millionths")
            }
            result = next
        }
        // The digit at 10000^-2 has four decimals; two of them belong to the millionths.
        let rest = digit(-2)
        let hasMore = rest % 100 != 0 || stride(from: -3, through: lowestPower, by: -1).contains { digit($0) != 0 }
        guard !hasMore, let next = Self.shift(result, by: 100, adding: rest / 100, isNegative: isNegative) else {
            throw PostgresError(.unexpectedResult, "the numeric does not fit into millionths")
        }
        return next
    }

    /// `value · factor ± digit`; nil on overflow. Negative numbers are computed as such, because Int64 has one more of
    /// them.
    private static func shift(_ value: Int64, by factor: Int64, adding digit: Int64, isNegative: Bool) -> Int64? {
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        let (sum, sumOverflow) =
            isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
        return sumOverflow ? nil : sum
    }

    /// The number as decimal text with the value's own number of decimals, as PostgreSQL writes it.
    func text() -> String {
        var result = isNegative ? "-" : ""
        var hasDigit = false
        for power in stride(from: max(weight, 0), through: 0, by: -1) {
            let digits = String(digit(power))
            if hasDigit {
                result += String(repeating: "0", count: 4 - digits.count) + digits
            } else if power == 0 || digits != "0" {
                result += digits
                hasDigit = true
            }
        }
        guard scale > 0 else { return result }
        result += "."
        var decimals = ""
        for power in stride(from: -1, through: -((scale + 3) / 4), by: -1) {
            let digits = String(digit(power))
            decimals += String(repeating: "0", count: 4 - digits.count) + digits
        }
        return result + decimals.prefix(scale)
    }

    /// Writes a number of millionths with as few digits and decimals as possible: at most 6 digits of base 10000.
    ///
    /// - Parameter body: called with each 16-bit word in order, in the machine's byte order.
    static func forEachWord(ofMillionths value: Int64, _ body: (UInt16) -> Void) {
        let magnitude = value.magnitude
        var (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var scale: UInt16 = 6
        if fraction == 0 {
            scale = 0
        } else {
            var trimmed = fraction
            while trimmed % 10 == 0 {
                trimmed /= 10
                scale -= 1
            }
        }
        fraction *= 100  // eight decimals: two digits

        // Six slots, for the powers 3 to -2: Int64.max / 10^6 is below 10^13.
        var slots: (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16) = (0, 0, 0, 0, 0, 0)
        slots.5 = UInt16(fraction % 10000)
        slots.4 = UInt16(fraction / 10000)
        slots.3 = UInt16(whole % 10000)
        whole /= 10000
        slots.2 = UInt16(whole % 10000)
        whole /= 10000
        slots.1 = UInt16(whole % 10000)
        slots.0 = UInt16(whole / 10000)
        withUnsafeBytes(of: slots) { bytes in
            let slots = bytes.bindMemory(to: UInt16.self)
            var first = 0
            while first < 6, slots[first] == 0 {
                first += 1
            }
            var end = 6
            while end > first, slots[end - 1] == 0 {
                end -= 1
            }
            body(UInt16(end - first))
            body(first == 6 ? 0 : UInt16(bitPattern: Int16(3 - first)))
            body(value < 0 ? negative : positive)
            body(scale)
            for index in first..<end {
                body(slots[index])
            }
        }
    }
}
