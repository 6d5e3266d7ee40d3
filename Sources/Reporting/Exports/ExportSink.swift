/// Where the text of an export goes.
package protocol ExportSink {
    /// Takes the next piece of text. An error ends the export.
    ///
    /// - Parameter rows: how many rows have been written so far, including this piece.
    mutating func write(_ text: UnsafeRawBufferPointer, rows: Int) throws
}
