import Events
import InboundLinks
import Time
import Time
import NIOCore

/// Turns a body into events and rejections.
struct EventReader: Sendable {
    let retention: Duration

    func read(
        _ body: ByteBuffer,
        format: BatchFormat,
        impliedType: EventType?,
        appID: String,
        receivedAt: Timestamp
    ) throws(Problem) -> EventBatch {
        let decoder = BatchDecoder(
            appID: appID,
            receivedAt: receivedAt,
            retention: retention,
            impliedType: impliedType
        )
        do throws(BatchError) {
            return try decoder.decode(body.readableBytesView, as: format.mediaType)
        } catch {
            throw Problem(error)
        }
    }
}

extension BatchFormat {
    fileprivate var mediaType: BatchDecoder.MediaType {
        switch self {
        case .json: .json
        case .ndjson: .ndjson
        case .form: .form
        }
    }
}

extension Problem {
    init(_ error: BatchError) {
        switch error {
        case .malformed: self.init(.malformedBody, error.description)
        case .empty: self.init(.emptyBatch, error.description)
        case .tooManyEvents: self.init(.tooManyEvents, error.description)
        case .unknownField(let name, _): self.init(.unknownField, error.description, field: name)
        case .invalidField(let name, _): self.init(.invalidField, error.description, field: name)
        case .tooDeep: self.init(.tooDeep, error.description)
        case .tooLarge: self.init(.tooManyValues, error.description)
        }
    }
}
