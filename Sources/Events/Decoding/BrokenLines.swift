import InboundLinks

/// Consecutive lines that are not events: for example, JSON that is spread over several lines.
///
/// The name of a secret may be in one line and its value in the next. So the dead letters of these lines are redacted
/// again, as one text.
struct BrokenLines {
    /// How many bytes of lines are redacted together.
    private static let maximumLength = 2 * EventLimits.event

    private var lines: [(range: Range<Int>, rejection: Int)] = []

    /// - Parameters:
    ///   - line: the range of the line in the body.
    ///   - batch: its last rejection must be the rejection of this line.
    mutating func append(_ line: Range<Int>, of body: UnsafeBufferPointer<UInt8>, to batch: inout EventBatch) {
        if let first = lines.first, line.upperBound - first.range.lowerBound > Self.maximumLength {
            finish(of: body, in: &batch)
        }
        lines.append((line, batch.rejections.count - 1))
    }

    /// Redacts the collected lines as one text. Call it when another kind of line follows, or none.
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
                // A secret that continues in the next line is handled again there.
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
