import JSONReading

/// Builds the JSON of an event from the values of a form, each in the type that its field has.
struct FormText {
    private var json = JSONTextWriter()
    private var isEmpty = true

    init() {
        json.append("{")
    }

    /// The bytes may be anything: what is not UTF-8 in them is found when the JSON is read.
    mutating func append(_ value: [UInt8], for key: String) {
        begin(key)
        switch EventField(key: key) {
        case .authenticated, .deferred, .paid, .limitAdTracking:
            switch String(decoding: value, as: UTF8.self) {
            case "true", "1": json.append("true")
            case "false", "0": json.append("false")
            case "": json.append("null")
            default: json.append(quoted: value)
            }
        case .errorCode:
            let text = String(decoding: value, as: UTF8.self)
            if text.isEmpty {
                json.append("null")
            } else if Int64(text) != nil, text.utf8.first != UInt8(ascii: "+") {
                json.append(Int64(text).map(String.init) ?? "null")
            } else {
                json.append(quoted: value)
            }
        case .properties:
            if value.isEmpty {
                json.append("null")
            } else if (try? JSONDocument(reading: value))?.root.kind == .object {
                json.append(raw: value)
            } else {
                json.append(quoted: value)
            }
        default:
            json.append(quoted: value)
        }
    }

    mutating func append(refs: [[UInt8]]) {
        begin(EventField.ref.key)
        json.append("[")
        for (position, ref) in refs.enumerated() {
            if position > 0 { json.append(",") }
            json.append(quoted: ref)
        }
        json.append("]")
    }

    consuming func finished() -> [UInt8] {
        json.append("}")
        return json.bytes
    }

    private mutating func begin(_ key: String) {
        if !isEmpty { json.append(",") }
        isEmpty = false
        json.append(quoted: key)
        json.append(":")
    }
}
