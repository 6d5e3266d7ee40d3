package import Events
import JSONReading

/// A line of a file that was not stored, and why.
package struct RejectedLine: Equatable, Sendable {
    /// From 1.
    package var line: Int
    /// The column of a CSV file.
    package var column: String?
    package var code: Rejection.Code
    package var field: String?
    package var message: String
    package var eventID: String?

    init(_ rejection: Rejection, line: Int, column: String?) {
        self.line = line
        self.column = column
        code = rejection.code
        field = rejection.field
        message = rejection.message
        eventID = rejection.eventID
    }

    /// An event that PostgreSQL refused.
    init(refused event: Event, line: Int) {
        self.line = line
        code = .refused
        message = "the database refused this event"
        eventID = event.id.description
    }

    /// Whether the line has the wrong form rather than the wrong content. Then lines like it are probably no events.
    var concernsForm: Bool {
        switch code {
        case .invalidJSON, .invalidText, .notAnObject, .unknownField, .unknownType, .invalidRow: true
        case .missingField, .invalidType: field == EventField.type.key || field == EventField.occurredAt.key
        case .invalidValue: field == EventField.occurredAt.key
        default: false
        }
    }

    /// The text that follows the name of the file in a message.
    package var description: String {
        "line \(line)\(column.map { ", column '\($0)'" } ?? ""): \(code.rawValue): \(message)"
    }

    /// A line of NDJSON.
    func json(file: String) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("file", file)
            writer.member("line", line)
            writer.member("column", column)
            writer.member("code", code.rawValue)
            writer.member("field", field)
            writer.member("message", message)
            writer.member("event_id", eventID)
        }
        return writer.text + "\n"
    }
}
