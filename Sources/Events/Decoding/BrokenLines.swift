import InboundLinks

/// Lines one after another that are no events, as when JSON was sent that is spread over several lines.
///
/// There a secret's name may stand in one line and its value in the next, so what is kept of them is redacted again, as
/// the one text that they were.
struct BrokenLines {
    /// Bytes that are looked at together.
    private static let maximumLength = 2 * EventLimits.event

    private var lines: [(range: Range<Int>, rejection: Int)] = []

    /// - Parameters:
    ///   - line: where it stands in the body.
    ///   - batch: its last rejection is the line's.
    mutating func append(_ line: Range<Int>, of body: UnsafeBufferPointer<UInt8>, to batch: inout EventBatch) {
        if let first = lines.first, line.upperBound - first.range.lowerBound > Self.maximumLength {
            finish(of: body, in: &batch)
        }
        lines.append((line, batch.rejections.count - 1))
    }

    /// Another kind of line follows, or none.
    mutating func finish(of body: UnsafeBufferPointer<UInt8>, in batch: inout EventBatch) {
        defer { lines.removeAll(keepingCapacity: true) }
        guard lines.count > 1, let first = lines.first, let last = lines.last else { return }
        let start = first.range.lowerBound
        let secrets = Redaction.secrets(in: UnsafeBufferPointer(rebasing: body[start..<last.range.upperBound]))
            .map { $0.lowerBound + start..<$0.upperBound + start }
        guard !secrets.isEmpty else { return }
        var next = 0
        for (line, rejection) in lines {
            var text: [UInt8] = []
            var copied = line.lowerBound
            while next < secrets.count, secrets[next].lowerBound < line.upperBound {
                let secret = secrets[next].clamped(to: line)
                if !secret.isEmpty {
                    text += body[copied..<secret.lowerBound]
                    text += Redaction.word
                    copied = secret.upperBound
                }
                // One that goes on stays for the next line.
                if secrets[next].upperBound > line.upperBound { break }
                next += 1
            }
            guard copied > line.lowerBound else { continue }
            text += body[copied..<line.upperBound]
            batch.rejections[rejection].redactedEvent = text.withUnsafeBufferPointer {
                SecretFreeText.rejectedEvent($0)
            }
        }
    }
}
