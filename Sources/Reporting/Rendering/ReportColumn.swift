/// A column of a report.
package struct ReportColumn: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case text
        /// A whole number.
        case integer
        /// Credits, money or seconds: up to 6 decimals.
        case decimal
        /// A part of a whole, 6 decimals. The table for people shows it as a percentage.
        case rate
        /// Any other quotient, 6 decimals.
        case ratio
    }

    package var name: String
    package var kind: Kind

    static func text(_ name: String) -> Self { Self(name: name, kind: .text) }
    static func integer(_ name: String) -> Self { Self(name: name, kind: .integer) }
    static func decimal(_ name: String) -> Self { Self(name: name, kind: .decimal) }
    static func rate(_ name: String) -> Self { Self(name: name, kind: .rate) }
    static func ratio(_ name: String) -> Self { Self(name: name, kind: .ratio) }
}
