/// Where the text of an export goes.
package protocol ExportSink {
    /// Takes the next piece. What it throws ends the export.
    ///
    /// - Parameter rows: how many have been written so far, those of the piece included.
    mutating func write(_ text: UnsafeRawBufferPointer, rows: Int) throws
}
