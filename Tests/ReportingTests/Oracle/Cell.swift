import Foundation

extension Oracle {
    /// How numbers are written in the cells of a report.
    enum Cell {
        static let undefined = ""

        /// A rate: 6 decimals, empty if the denominator is 0.
        static func rate(_ part: Fraction, of whole: Fraction) -> String {
            whole == .zero ? undefined : sixDecimals((part / whole).millionthsHalfUp)
        }

        static func rate(_ part: Int, of whole: Int) -> String {
            rate(Fraction(part), of: Fraction(whole))
        }

        /// A p-value: 6 significant digits.
        static func probability(_ number: Double) -> String { String(format: "%.6g", number) }

        /// A rate computed with real numbers: an interval's end.
        static func rate(_ number: Double) -> String {
            sixDecimals(Int128((number * 1_000_000 + 0.5).rounded(.down)))
        }

        /// 6 decimals, and a half goes away from zero.
        static func halfAway(_ fraction: Fraction) -> String {
            sixDecimals(fraction < .zero ? -(.zero - fraction).millionthsHalfUp : fraction.millionthsHalfUp)
        }

        static func difference(_ fraction: Fraction) -> String {
            sixDecimals(fraction.millionthsHalfUp)
        }

        /// A credit, a value or a number of seconds: up to 6 decimals, trailing zeros trimmed.
        static func amount(_ fraction: Fraction) -> String {
            var text = sixDecimals(fraction.millionthsHalfUp)
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
            return text
        }

        private static func sixDecimals(_ millionths: Int128) -> String {
            let whole = String(millionths.magnitude / 1_000_000)
            let decimals = String(millionths.magnitude % 1_000_000)
            let padding = String(repeating: "0", count: 6 - decimals.count)
            return (millionths < 0 ? "-" : "") + whole + "." + padding + decimals
        }
    }
}
