import InboundLinks
import JSONReading
import Text

extension BatchDecoder {
    /// Reads one event from `key=value&…`. The form is written as JSON and then read like any other event.
    ///
    /// Only `ref` may be repeated: its values accumulate. `+` is a blank (``PlusSign``). A `%` without two hexadecimal
    /// digits after it is a fault.
    func readForm(
        _ body: UnsafeBufferPointer<UInt8>,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(BatchError) -> EventBatch {
        var batch = try readPairs(body, ids: &ids)
        // A body that is not a form was split at any `=` and `&`, perhaps inside a secret. So it is redacted as a whole
        // and read again.
        guard let code = batch.rejections.first?.code,
            code == .unknownField || code == .duplicateField || code == .invalidText,
            let redacted = Redaction.redact(body)
        else { return batch }
        let (again, text) = try redacted.withUnsafeBufferPointer { redacted throws(BatchError) in
            (try readPairs(redacted, ids: &ids), SecretFreeText.rejectedEvent(redacted))
        }
        guard let rejection = again.rejections.first else {
            batch.rejections[0].redactedEvent = text
            if code == .unknownField {
                // Without the secret nothing is unknown, so the name is a part of it.
                batch.rejections[0].field = nil
                batch.rejections[0].message =
                    "the value of a secret contains a plain &; encode the values of the form (curl --data-urlencode)"
            }
            return batch
        }
        // The name of an unknown field may be a part of a secret; the other two faults name only fields of events.
        if code == .unknownField { return again }
        batch.rejections[0].redactedEvent = rejection.redactedEvent
        return batch
    }

    private func readPairs(
        _ body: UnsafeBufferPointer<UInt8>,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(BatchError) -> EventBatch {
        var members: [(key: String, value: [UInt8])] = []
        var refs: [[UInt8]] = []
        var fault: EventFault?
        for pair in body.split(separator: UInt8(ascii: "&")) {
            guard members.count < 256, refs.count < 256 else { throw .tooLarge }
            let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            var isValid = true
            let key = String(decoding: Self.decoded(pair[..<mark], &isValid), as: UTF8.self)
            let value = mark == pair.endIndex ? [] : Self.decoded(pair[(mark + 1)...], &isValid)
            if fault == nil { fault = Self.fault(of: EventField(key: key), value, hasBadPercent: !isValid) }
            if key == EventField.ref.key {
                refs.append(value)
            } else {
                members.append((key, value))
            }
        }
        var batch = EventBatch()
        FormText.json(of: members, refs: refs).withUnsafeBufferPointer { json in
            if let fault {
                reject(json, for: fault, in: &batch)
            } else {
                readAlone(json, into: &batch, ids: &ids)
            }
        }
        if let first = batch.rejections.first, first.code == .invalidType, first.field == EventField.properties.key,
            let properties = members.first(where: { $0.key == first.field })?.value,
            let error = properties.withUnsafeBufferPointer({ JSONSyntaxScanner.firstError(in: $0) }),
            error.problem != .rootIsNoContainer
        {
            batch.rejections[0].message = "properties is not valid JSON: \(error.description)"
        }
        let hasURL = members.contains { $0.key == EventField.url.key || $0.key == EventField.callbackURL.key }
        if hasURL, let code = batch.rejections.first?.code, code == .unknownField || code == .duplicateField {
            // `curl -d url=…` sends a URL unencoded, so that its parameters become fields.
            batch.rejections[0].message += "; if this is part of a URL, encode the URL (curl --data-urlencode)"
        }
        return batch
    }

    private static func fault(of field: EventField?, _ value: [UInt8], hasBadPercent: Bool) -> EventFault? {
        if hasBadPercent { return badPercent(in: field) }
        guard let field, field.kind == .id, PlusSign.isLost(inID: String(decoding: value, as: UTF8.self)) else {
            return nil
        }
        return EventFault(.invalidValue, field, "\(field.key) \(PlusSign.advice)")
    }

    private static func badPercent(in field: EventField?) -> EventFault {
        EventFault(
            .invalidText,
            field: field?.key,
            "\(field?.key ?? "the form") has a % without two hexadecimal digits after it; write a plain % as %25"
        )
    }

    private func reject(_ json: UnsafeBufferPointer<UInt8>, for fault: EventFault, in batch: inout EventBatch) {
        if let document = try? JSONDocument(reading: json) {
            batch.rejections.append(decoder.rejection(fault, of: document.root, in: json, index: 0))
        } else {
            batch.rejections.append(Rejection(fault, text: json, index: 0))
        }
    }

    /// - Parameter isValid: set to false if a `%` is not followed by two hexadecimal digits; the `%` is kept.
    private static func decoded(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ isValid: inout Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            let byte = text[position]
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
                position += 1
                continue
            }
            if position + 2 < text.endIndex, let high = text[position + 1].hexadecimalValue,
                let low = text[position + 2].hexadecimalValue
            {
                bytes.append(high << 4 | low)
                position += 3
            } else {
                isValid = false
                bytes.append(byte)
                position += 1
            }
        }
        return bytes
    }
}
