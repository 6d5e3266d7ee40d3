/// Reads the lines or rows of an input, and knows its position.
protocol ImportContent: AnyObject {
    /// The bytes and lines up to the end of the last line or row.
    var offset: Int { get }
    var line: Int { get }
    /// The fingerprint of everything read so far.
    var fingerprint: SourceFingerprint { get }

    func append(_ piece: [UInt8])
    /// Marks the end of the input.
    func finish()

    /// Reads the next line or row, and adds its events to the batch.
    ///
    /// - Parameter batch: nil skips the line or row.
    /// - Returns: false if more input is needed, or at the end.
    func read(into batch: inout ImportBatch?) throws(ImportError) -> Bool

    /// The columns that a field of an event came from, for messages.
    func columns(of field: String, rule: Int) -> String?
}
