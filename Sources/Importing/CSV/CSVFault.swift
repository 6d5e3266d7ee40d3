/// Why a row cannot be read.
package struct CSVFault: Error, Equatable, Sendable {
    /// What RFC 4180 does not allow, or is too long.
    package enum Reason: Equatable, Sendable {
        /// A quote opens and is not closed before the end of the file.
        case openQuote
        /// Something stands between a closing quote and the end of its column.
        case textAfterQuote
        /// A quote inside a column that does not begin with one.
        case quoteInText
        /// The row is longer than ``CSVReader/longestRow``.
        case tooLong
    }

    package var reason: Reason
    /// Of the row, from 1.
    package var column: Int

    /// What is wrong and what to do.
    package var message: String {
        switch reason {
        case .openQuote: "column \(column) opens a quote that is never closed"
        case .textAfterQuote:
            "column \(column) goes on after its closing quote; a quote inside of quotes must be doubled"
        case .quoteInText:
            "column \(column) holds a quote and does not begin with one; quote the whole column and double the quote "
                + "inside, or say 'quote: none' in the mapping"
        case .tooLong:
            "column \(column) makes the row longer than \(CSVReader.longestRow >> 20) MiB; is a quote not closed?"
        }
    }
}
