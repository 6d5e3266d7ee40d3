/// Every reason to refuse a whole request, and its status.
///
/// The codes are stable: clients switch on them. `openapi.yaml` lists each (a test compares).
package enum ProblemCode: String, CaseIterable, Sendable {
    case malformedRequest = "malformed_request"
    case malformedBody = "malformed_body"
    case malformedEncoding = "malformed_encoding"
    case incompleteBody = "incomplete_body"
    case emptyBatch = "empty_batch"
    case unknownField = "unknown_field"
    case duplicateField = "duplicate_field"
    case invalidField = "invalid_field"
    case tooDeep = "too_deep"
    case invalidParameter = "invalid_parameter"
    case missingKey = "missing_key"
    case unknownKey = "unknown_key"
    case wrongKeyKind = "wrong_key_kind"
    case originNotAllowed = "origin_not_allowed"
    case notFound = "not_found"
    case unknownReport = "unknown_report"
    case unknownQuestion = "unknown_question"
    case unknownEvent = "unknown_event"
    case unknownClick = "unknown_click"
    case noLink = "no_link"
    case unknownLink = "unknown_link"
    case unknownCost = "unknown_cost"
    case methodNotAllowed = "method_not_allowed"
    case requestTimeout = "request_timeout"
    case slugTaken = "slug_taken"
    case movedApp = "moved_app"
    case bodyTooLarge = "body_too_large"
    case inflatedBodyTooLarge = "inflated_body_too_large"
    case tooManyEvents = "too_many_events"
    case tooManyLinks = "too_many_links"
    case tooManyValues = "too_many_values"
    case targetTooLong = "target_too_long"
    case unsupportedMediaType = "unsupported_media_type"
    case unsupportedEncoding = "unsupported_encoding"
    case noValidEvent = "no_valid_event"
    case invalidLink = "invalid_link"
    case rateLimited = "rate_limited"
    case headersTooLarge = "headers_too_large"
    case internalError = "internal"
    case overloaded
    case unavailable
    case timedOut = "timed_out"
    case clockUntrusted = "clock_untrusted"
    case notReady = "not_ready"

    package var status: Int {
        switch self {
        case .malformedRequest, .malformedBody, .malformedEncoding, .incompleteBody, .emptyBatch, .unknownField,
            .duplicateField, .invalidField, .tooDeep, .invalidParameter, .unknownReport:
            400
        case .missingKey, .unknownKey: 401
        case .wrongKeyKind, .originNotAllowed: 403
        case .notFound, .unknownQuestion, .unknownEvent, .unknownClick, .noLink, .unknownLink, .unknownCost: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .slugTaken: 409
        case .movedApp: 410
        case .bodyTooLarge, .inflatedBodyTooLarge, .tooManyEvents, .tooManyLinks, .tooManyValues: 413
        case .targetTooLong: 414
        case .unsupportedMediaType, .unsupportedEncoding: 415
        case .noValidEvent, .invalidLink: 422
        case .rateLimited: 429
        case .headersTooLarge: 431
        case .internalError: 500
        case .overloaded, .unavailable, .timedOut, .clockUntrusted, .notReady: 503
        }
    }

    /// A short name of the kind of problem, the same each time (RFC 9457 section 3.1.3).
    package var title: String {
        switch self {
        case .malformedRequest: "Malformed request"
        case .malformedBody: "Malformed body"
        case .malformedEncoding: "Malformed compressed body"
        case .incompleteBody: "Incomplete body"
        case .emptyBatch: "Empty batch"
        case .unknownField: "Unknown field"
        case .duplicateField: "Field given twice"
        case .invalidField: "Invalid field"
        case .tooDeep: "Body nested too deep"
        case .invalidParameter: "Invalid parameter"
        case .missingKey: "No key"
        case .unknownKey: "Unknown key"
        case .wrongKeyKind: "Wrong kind of key"
        case .originNotAllowed: "Origin not allowed"
        case .notFound: "Not found"
        case .unknownReport: "Unknown report"
        case .unknownQuestion: "No such question"
        case .unknownEvent: "No such event"
        case .unknownClick: "No such click"
        case .noLink: "No link"
        case .unknownLink: "No such link"
        case .unknownCost: "No such cost"
        case .methodNotAllowed: "Method not allowed"
        case .requestTimeout: "Request not received in time"
        case .slugTaken: "Slug taken"
        case .movedApp: "App moved"
        case .bodyTooLarge: "Body too large"
        case .inflatedBodyTooLarge: "Decompressed body too large"
        case .tooManyEvents: "Too many events"
        case .tooManyLinks: "Too many links"
        case .tooManyValues: "Too many values"
        case .targetTooLong: "Request target too long"
        case .unsupportedMediaType: "Unsupported media type"
        case .unsupportedEncoding: "Unsupported content encoding"
        case .noValidEvent: "No valid event"
        case .invalidLink: "Invalid link"
        case .rateLimited: "Too many requests"
        case .headersTooLarge: "Header fields too large"
        case .internalError: "Internal error"
        case .overloaded: "Overloaded"
        case .unavailable: "Unavailable"
        case .timedOut: "Timed out"
        case .clockUntrusted: "Clock not trusted"
        case .notReady: "Not ready"
        }
    }
}
