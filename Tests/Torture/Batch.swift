import Gzip

/// The events of one request, and its form.
struct Batch {
    enum Form: CaseIterable {
        case single
        case object
        case lines
    }

    var app: Int
    var events: [TortureEvent]
    /// The number of an additional event that must be rejected.
    var spoiledNumber: Int?
    var form: Form
    var isGzipped: Bool

    /// Whether it has events whose keys are gone: their content must not change.
    var isOld: Bool { events.contains { $0.isOld } }

    var contentType: String { form == .lines ? "application/x-ndjson" : "application/json" }

    var body: [UInt8] {
        var texts = events.map(\.json)
        if let spoiledNumber, let seed = events.first?.seed {
            let id = TortureEvent.id(ofNumber: spoiledNumber, seed: seed)
            texts.append(#"{"type":"conversion","user_id":"u1","event_id":"\#(id)"}"#)
        }
        let text =
            switch form {
            case .single: texts[0]
            case .object: #"{"events":[\#(texts.joined(separator: ","))]}"#
            case .lines: texts.joined(separator: "\n")
            }
        let bytes = Array(text.utf8)
        return isGzipped ? GzipDeflation.deflating(bytes) ?? [] : bytes
    }

    /// The same ids with other content, as a faulty client would send them.
    var otherwise: Batch {
        var batch = self
        batch.events = events.map {
            TortureEvent(
                seed: $0.seed,
                baseTime: $0.baseTime,
                number: $0.number,
                version: ($0.version + 1) % TortureEvent.versions
            )
        }
        return batch
    }
}
