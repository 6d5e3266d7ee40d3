import JSONReading

/// The JSON of an event that came as a form. Each value gets the JSON type of its field.
enum FormText {
    /// The object with the members of a form, and `ref` if there are refs.
    ///
    /// Values may be any bytes. Bytes that are not UTF-8 are found when the JSON is read.
    static func json(of members: [(key: String, value: [UInt8])], refs: [[UInt8]]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            for (key, value) in members {
                json.key(key)
                write(value, of: EventField(key: key), to: &json)
            }
            guard !refs.isEmpty else { return }
            json.key(EventField.ref.key)
            json.array { json in
                for ref in refs { json.string(utf8: ref) }
            }
        }
        return json.bytes
    }

    private static func write(_ value: [UInt8], of field: EventField?, to json: inout JSONWriter) {
        switch field?.kind {
        case .flag:
            switch String(decoding: value, as: UTF8.self) {
            case "true", "1": json.bool(true)
            case "false", "0": json.bool(false)
            case "": json.null()
            default: json.string(utf8: value)
            }
        case .wholeNumber:
            let text = String(decoding: value, as: UTF8.self)
            if text.isEmpty {
                json.null()
            } else if let code = Int64(text), text.utf8.first != UInt8(ascii: "+") {
                json.integer(code)
            } else {
                json.string(utf8: value)
            }
        case .object:
            if value.isEmpty {
                json.null()
            } else if (try? JSONDocument(reading: value))?.root.kind == .object {
                json.raw(utf8: value)
            } else {
                json.string(utf8: value)
            }
        case .time:
            let text = String(decoding: value, as: UTF8.self)
            json.string(utf8: PlusSign.restored(inTime: text).map { Array($0.utf8) } ?? value)
        default:
            json.string(utf8: value)
        }
    }
}
