import Events
import JSONReading

/// Writes JSON (RFC 8259) member by member, for the few small documents that the daemon answers.
struct JSONText {
    private(set) var text = ""

    mutating func object(_ body: (inout Object) -> Void) {
        text += "{"
        var object = Object()
        body(&object)
        text += object.text
        text += "}"
    }

    /// The members of one object.
    struct Object {
        fileprivate var text = ""

        private mutating func key(_ name: String) {
            if !text.isEmpty { text += "," }
            JSONText.append(name, to: &text)
            text += ":"
        }

        mutating func member(_ name: String, _ value: String) {
            key(name)
            JSONText.append(value, to: &text)
        }

        mutating func member(_ name: String, _ value: some BinaryInteger) {
            key(name)
            text += String(value)
        }

        mutating func member(_ name: String, _ value: Bool) {
            key(name)
            text += value ? "true" : "false"
        }

        mutating func member(_ name: String, _ values: [String]) {
            key(name)
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                JSONText.append(value, to: &text)
            }
            text += "]"
        }

        mutating func member<Value>(_ name: String, _ values: [Value], _ body: (inout Object, Value) -> Void) {
            key(name)
            text += "["
            for (index, value) in values.enumerated() {
                var object = Object()
                body(&object, value)
                text += index > 0 ? ",{" : "{"
                text += object.text
                text += "}"
            }
            text += "]"
        }

        /// `rejected`, as in docs/events.md, *Answers*.
        mutating func member(_ name: String, _ rejections: [Rejection]) {
            member(name, rejections) { object, rejection in
                object.member("index", rejection.index)
                if let eventID = rejection.eventID { object.member("event_id", eventID) }
                object.member("code", rejection.code.rawValue)
                if let field = rejection.field { object.member("field", field) }
                object.member("message", rejection.message)
            }
        }

        mutating func member(_ name: String, _ details: [(name: String, value: Readiness.Detail)]) {
            key(name)
            var object = Object()
            for detail in details {
                switch detail.value {
                case .text(let value): object.member(detail.name, value)
                case .number(let value): object.member(detail.name, value)
                case .flag(let value): object.member(detail.name, value)
                }
            }
            text += "{\(object.text)}"
        }
    }

    private static func append(_ value: String, to text: inout String) {
        text += JSONWriter.quoted(value)
    }
}
