/// How far the import of a file has come. It is stored in the same transaction as the events up to there.
package struct ImportCheckpoint: Equatable, Sendable {
    /// Identifies the file by its content.
    package var source: EventID
    /// Where the next line begins: bytes of the inflated content.
    package var byteOffset: Int
    /// Lines that are done.
    package var line: Int
    /// A hash of all content up to `byteOffset`.
    package var fingerprint: [UInt8]
    /// How many of the lines up to there were rejected.
    package var rejected: Int
    /// Whether the file has been imported to its end.
    package var isFinished: Bool

    package init(
        source: EventID,
        byteOffset: Int,
        line: Int,
        fingerprint: [UInt8],
        rejected: Int,
        isFinished: Bool
    ) {
        self.source = source
        self.byteOffset = byteOffset
        self.line = line
        self.fingerprint = fingerprint
        self.rejected = rejected
        self.isFinished = isFinished
    }
}
