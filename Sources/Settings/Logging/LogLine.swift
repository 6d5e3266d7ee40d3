import JSONReading
import Logging
import Text
import Time

/// A log entry as one line: the time (UTC), the level, the message, and then the metadata by name.
struct LogLine {
    var time: Timestamp
    var level: Logger.Level
    var message: String
    var metadata: Logger.Metadata
    /// The name of the program.
    var logger: String
    /// The module that logs.
    var source: String

    func text(as format: LogFormat) -> String {
        switch format {
        case .text: text
        case .json: json
        }
    }

    private var text: String {
        var text = "\(time.rfc3339) \(level.rawValue) \(message.escapingControls())"
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            text += " \(name.escapingControls())=\(Self.field(value))"
        }
        return text
    }

    /// A value that is not one word stands in quotation marks, with the escapes of JSON.
    private static func field(_ value: Logger.MetadataValue) -> String {
        let value =
            if case .array(let values) = value { values.map(\.description).joined(separator: ",") } else { "\(value)" }
        let isWord = !value.isEmpty && value.unicodeScalars.allSatisfy { !$0.needsQuotes }
        return isWord ? value : JSONWriter.quoted(value).escapingControls()
    }

    private var json: String {
        var json = JSONWriter()
        json.object { json in
            json.member("time", time.rfc3339)
            json.member("level", level.rawValue)
            json.member("message", message)
            json.member("logger", logger)
            json.member("source", source)
            if !metadata.isEmpty {
                json.key("metadata")
                Self.write(.dictionary(metadata), to: &json)
            }
        }
        // Valid JSON may hold signs that control a terminal.
        return json.text.escapingControls()
    }

    private static func write(_ value: Logger.MetadataValue, to json: inout JSONWriter) {
        switch value {
        case .string(let text): json.string(text)
        case .stringConvertible(let value): json.string("\(value)")
        case .array(let values): json.array { json in for value in values { write(value, to: &json) } }
        case .dictionary(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.key(name)
                    write(value, to: &json)
                }
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var needsQuotes: Bool {
        self == "\"" || self == "=" || self == "\\" || properties.isWhitespace || isControl
    }
}
