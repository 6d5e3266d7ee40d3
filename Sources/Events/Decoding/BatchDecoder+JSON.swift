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
            throw BatchError(error as? JSONError ?? .malformed)
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
                return .failure(BatchError(error))
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
        guard list.count <= EventLimits.batchCount else { throw .tooManyEvents(limit: EventLimits.batchCount) }
        batch.events.reserveCapacity(list.count)
        for element in list.elements {
            batch.append(element, in: source, damage: damage, decoder: decoder, ids: &ids)
        }
        return batch
    }
}

extension BatchError {
    init(_ error: JSONError) {
        self =
            switch error {
            case .malformed: .malformed(reason: "the body is not a valid JSON object or array")
            case .invalidUTF8: .malformed(reason: "the body is not valid UTF-8; encode it as UTF-8")
            case .tooDeep: .tooDeep
            case .tooLarge: .tooLarge
            }
    }
}
