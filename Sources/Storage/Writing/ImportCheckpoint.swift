package import Events

/// How far the import of a file has come. It is stored in the transaction of the events that got it there.
package struct ImportCheckpoint: Equatable, Sendable {
    /// Names the file, by what it holds.
    package var source: EventID
    /// Behind the last line that is done: bytes of the content, inflated.
    package var byteOffset: Int
    /// Lines that are done.
    package var line: Int
    /// Made from all content up to there.
    package var fingerprint: [UInt8]
    /// Lines up to there that were rejected.
    package var rejected: Int
    /// Whether that is all there was.
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
