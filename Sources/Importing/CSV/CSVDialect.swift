/// How a file spells rows and columns: RFC 4180, save what is said otherwise.
package struct CSVDialect: Equatable, Sendable {
    /// Between columns, one byte.
    package var delimiter = UInt8(ascii: ",")
    /// Around a column that holds a delimiter, a line break or this itself, which is then doubled. Nil: a quote is text.
    package var quote: UInt8? = UInt8(ascii: "\"")

    package init() {}
}
