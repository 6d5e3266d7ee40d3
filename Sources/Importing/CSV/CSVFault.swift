/// Why a row cannot be read.
package struct CSVFault: Error, Equatable, Sendable {
    /// A violation of RFC 4180, or a row that is too long.
    package enum Reason: Equatable, Sendable {
        /// A quote is not closed before the end of the file.
        case openQuote
        /// There is text between a closing quote and the end of its column.
        case textAfterQuote
        /// A quote is inside a column that does not begin with a quote.
        case quoteInText
        /// The row is longer than ``CSVReader/longestRow``.
        case tooLong
    }

    package var reason: Reason
    /// The column of the row, from 1.
    package var column: Int

    /// What is wrong and what to do.
    package var message: String {
        switch reason {
        case .openQuote: "column \(column) opens a quote that is never closed"
        case .textAfterQuote:
            "column \(column) has text after its closing quote; double a quote that belongs to the text"
        case .quoteInText:
            "column \(column) contains a quote but does not begin with one; quote the whole column and double the inner "
                + "quote, or write 'quote: none' in the mapping"
        case .tooLong:
            "column \(column) makes the row longer than \(CSVReader.longestRow >> 20) MiB; is a quote not closed?"
        }
    }
}
