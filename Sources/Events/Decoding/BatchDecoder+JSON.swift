import InboundLinks
import JSONReading

extension BatchDecoder {
    func readJSON(
        _ body: UnsafeBufferPointer<UInt8>,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(BatchError) -> EventBatch {
        do {
            let document = try JSONDocument(reading: body, maximumDepth: EventLimits.bodyDepth)
            return try readRoot(document.root, in: body, damage: TextDamage(), ids: &ids)
        } catch let error as BatchError {
            throw error
        } catch let error as JSONError where error == .invalidUTF8 {
            return try readRepaired(body, ids: &ids)
        } catch {
            throw BatchError(error as? JSONError ?? .malformed, of: body)
        }
    }

    /// Reads a body with bytes that are not UTF-8: only the events that contain such bytes are rejected.
    private func readRepaired(
        _ body: UnsafeBufferPointer<UInt8>,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(BatchError) -> EventBatch {
        let (text, damage) = TextDamage.repairing(body)
        let result = text.withUnsafeBufferPointer { source -> Result<EventBatch, BatchError> in
            do throws(JSONError) {
                let document = try JSONDocument(reading: source, maximumDepth: EventLimits.bodyDepth)
                do throws(BatchError) {
                    return .success(try readRoot(document.root, in: source, damage: damage, ids: &ids))
                } catch {
                    return .failure(error)
                }
            } catch {
                return .failure(BatchError(error, of: source))
            }
        }
        return try result.get()
    }

    private func readRoot(
        _ root: JSONNode,
        in source: UnsafeBufferPointer<UInt8>,
        damage: TextDamage,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(BatchError) -> EventBatch {
        var batch = EventBatch()
        guard root.kind == .array || root["events"] != nil else {
            batch.append(root, in: source, damage: damage, decoder: decoder, ids: &ids)
            return batch
        }
        var decoder = decoder
        decoder.readsSentAt = false
        var list = root
        if root.kind == .object {
            let envelope = try BatchEnvelope(root)
            guard !damage.touches(root.sourceRange.lowerBound..<envelope.events.sourceRange.lowerBound),
                !damage.touches(envelope.events.sourceRange.upperBound..<root.sourceRange.upperBound)
            else { throw .malformed(reason: "the body is not valid UTF-8; encode it as UTF-8") }
            list = envelope.events
            decoder.sentAt = envelope.sentAt
            if let appID = envelope.appID { decoder.batchAppID = appID }
        }
        guard list.count > 0 else { throw .empty }
        guard list.count <= countLimit else { throw .tooManyEvents(limit: countLimit) }
        batch.events.reserveCapacity(list.count)
        for element in list.elements {
            batch.append(element, in: source, damage: damage, decoder: decoder, ids: &ids)
        }
        return batch
    }
}

extension BatchError {
    /// - Parameter body: the text that the parser refused.
    init(_ error: JSONError, of body: UnsafeBufferPointer<UInt8>) {
        self =
            switch error {
            case .malformed: .malformed(reason: Self.reason(of: body))
            case .invalidUTF8: .malformed(reason: "the body is not valid UTF-8; encode it as UTF-8")
            case .tooDeep: .tooDeep
            case .tooLarge: .tooLarge
            }
    }

    private static func reason(of body: UnsafeBufferPointer<UInt8>) -> String {
        guard let error = JSONSyntaxScanner.firstError(in: body, maximumDepth: EventLimits.bodyDepth) else {
            return "the body is not valid JSON"
        }
        let advice =
            switch error.problem {
            case .secondValue(onNewLine: true): "; send lines as application/x-ndjson, or put the events into an array"
            case .secondValue(onNewLine: false): "; put the events into an array"
            default: ""
            }
        return "the body is not valid JSON: \(error.description)\(advice)"
    }
}
