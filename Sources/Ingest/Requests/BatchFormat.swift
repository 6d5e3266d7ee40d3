import Events
/// How the events of a body are written down.
enum BatchFormat: Equatable {
    /// One event, or an envelope with `events`.
    case json
    /// One event a line.
    case ndjson
    /// One event as `application/x-www-form-urlencoded`.
    case form

    /// Reads `Content-Type`. Absent, it is JSON: that is what most who forget it send.
    ///
    /// - Parameters:
    ///   - values: of all fields of this name.
    ///   - acceptsForm: on the routes where the type of the event is implied.
    init(_ values: [String], acceptsForm: Bool) throws(Problem) {
        // As nearly all write it.
        if values == ["application/json"] {
            self = .json
            return
        }
        let value = values.isEmpty ? "application/json" : values.joined(separator: ", ")
        let parts = value.split(separator: ";").map { $0.trimmingBlanks.lowercased() }
        let charset = parts.dropFirst().first { $0.hasPrefix("charset=") }
        let isUTF8 = charset.map { ["charset=utf-8", "charset=\"utf-8\"", "charset=utf8"].contains($0) } ?? true
        switch parts.first {
        case "application/json" where isUTF8: self = .json
        case "application/x-ndjson" where isUTF8, "application/ndjson" where isUTF8,
            "application/jsonl" where isUTF8:
            self = .ndjson
        case "application/x-www-form-urlencoded" where acceptsForm && isUTF8: self = .form
        default:
            let form = acceptsForm ? ", application/x-www-form-urlencoded" : ""
            throw Problem(
                .unsupportedMediaType,
                "Send UTF-8 as application/json, application/x-ndjson\(form).",
                field: "Content-Type"
            )
        }
    }
}

extension BatchFormat {
    var mediaType: BatchDecoder.MediaType {
        switch self {
        case .json: .json
        case .ndjson: .ndjson
        case .form: .form
        }
    }
}
