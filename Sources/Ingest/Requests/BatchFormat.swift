import Events

/// The format of the events in a body.
enum BatchFormat: Equatable {
    /// One event, or an envelope with `events`.
    case json
    /// One event per line.
    case ndjson
    /// One event as `application/x-www-form-urlencoded`.
    case form

    /// None of them is registered.
    private static let ndjsonTypes = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl",
        "application/jsonlines", "application/x-jsonlines", "application/json-lines",
    ]

    /// Reads `Content-Type`. If it is absent or empty, the format is JSON, which most senders without it send.
    ///
    /// - Parameters:
    ///   - values: the values of all fields of this name.
    ///   - acceptsForm: whether a form is accepted: on routes that imply the type of the event.
    init(_ values: [String], acceptsForm: Bool) throws(Problem) {
        // The spelling of nearly all senders.
        if values == ["application/json"] {
            self = .json
            return
        }
        let values = values.filter { !$0.trimmingBlanks.isEmpty }
        let value = values.isEmpty ? "application/json" : values.joined(separator: ", ")
        let parts = value.split(separator: ";").map { $0.trimmingBlanks.lowercased() }
        let charset = parts.dropFirst().first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count)
        let isUTF8 = charset.map { ["utf-8", "utf8"].contains($0.filter { $0 != "\"" && $0 != "'" }) } ?? true
        switch parts.first {
        case "application/json" where isUTF8, "text/json" where isUTF8: self = .json
        case let type? where isUTF8 && Self.ndjsonTypes.contains(type): self = .ndjson
        case "application/x-www-form-urlencoded" where acceptsForm && isUTF8: self = .form
        default:
            let form = acceptsForm ? ", application/x-www-form-urlencoded" : ""
            throw Problem(
                .unsupportedMediaType,
                "Content-Type must be one of application/json, application/x-ndjson\(form), in UTF-8.",
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
