/// The form of a CSV file: RFC 4180, except for these choices.
package struct CSVDialect: Equatable, Sendable {
    /// The byte between columns.
    package var delimiter = UInt8(ascii: ",")
    /// The byte around a column that contains a delimiter, a line break or a quote; a quote inside is doubled. Nil:
    /// quotes are part of the text.
    package var quote: UInt8? = UInt8(ascii: "\"")

    package init() {}
}
