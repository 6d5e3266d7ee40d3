/// The lines or rows of an input: where its reader stands, and what it has read.
protocol ImportContent: AnyObject {
    /// Behind what was read last: bytes of the content, lines.
    var offset: Int { get }
    var line: Int { get }
    /// Of all that was read.
    var fingerprint: SourceFingerprint { get }

    func append(_ piece: [UInt8])
    /// Says that no more comes.
    func finish()

    /// Reads the next line or row, and adds its events to the batch.
    ///
    /// - Parameter batch: nil passes over it.
    /// - Returns: false where more is needed, or at the end.
    func read(into batch: inout ImportBatch?) throws(ImportError) -> Bool

    /// The columns that a field of an event was made of, for messages.
    func columns(of field: String, rule: Int) -> String?
}
