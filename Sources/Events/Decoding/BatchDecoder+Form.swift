import InboundLinks
import JSONReading
import Text

extension BatchDecoder {
    /// Reads one event from `key=value&…`. The form is written as JSON and then read like any other event.
    ///
    /// If a key is repeated, its last value counts; repeated `ref` values accumulate. `+` is a space. A `%` without two
    /// hexadecimal digits after it is kept as it is.
    func readForm(
        _ body: UnsafeBufferPointer<UInt8>,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(BatchError) -> EventBatch {
        var batch = try readPairs(body, ids: &ids)
        // A body that is not a form was split at any `=` and `&`, perhaps inside a secret. So it is redacted as a whole
        // and read again.
        guard batch.rejections.first?.code == .unknownField, let redacted = Redaction.redact(body) else { return batch }
        let (again, text) = try redacted.withUnsafeBufferPointer { redacted throws(BatchError) in
            (try readPairs(redacted, ids: &ids), SecretFreeText.rejectedEvent(redacted))
        }
        if !again.rejections.isEmpty { return again }
        batch.rejections[0].redactedEvent = text
        return batch
    }

    private func readPairs(
        _ body: UnsafeBufferPointer<UInt8>,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(BatchError) -> EventBatch {
        var members: [(key: String, value: [UInt8])] = []
        var refs: [[UInt8]] = []
        for pair in body.split(separator: UInt8(ascii: "&")) {
            guard members.count < 256, refs.count < 256 else { throw .tooLarge }
            let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let key = String(decoding: Self.decoded(pair[..<mark]), as: UTF8.self)
            let value = mark == pair.endIndex ? [] : Self.decoded(pair[(mark + 1)...])
            if key == EventField.ref.key {
                refs.append(value)
            } else if let position = members.firstIndex(where: { $0.key == key }) {
                members[position].value = value
            } else {
                members.append((key, value))
            }
        }
        var batch = EventBatch()
        FormText.json(of: members, refs: refs).withUnsafeBufferPointer { readAlone($0, into: &batch, ids: &ids) }
        let hasURL = members.contains { $0.key == EventField.url.key || $0.key == EventField.callbackURL.key }
        if hasURL, batch.rejections.first?.code == .unknownField {
            // `curl -d url=…` sends a URL unencoded, so that its parameters become fields.
            batch.rejections[0].message += "; if this is part of a URL, encode the URL (curl --data-urlencode)"
        }
        return batch
    }

    private static func decoded(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            let byte = text[position]
            if byte == UInt8(ascii: "%"), position + 2 < text.endIndex,
                let high = text[position + 1].hexadecimalValue, let low = text[position + 2].hexadecimalValue
            {
                bytes.append(high << 4 | low)
                position += 3
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
                position += 1
            }
        }
        return bytes
    }
}
