import Events
import JSONReading

/// Members that the answers of the daemon have.
extension JSONWriter {
    /// An array with an object for each value.
    mutating func member<Value>(
        _ name: String,
        _ values: [Value],
        _ members: (inout JSONWriter, Value) -> Void
    ) {
        key(name)
        array { json in
            for value in values {
                json.object { members(&$0, value) }
            }
        }
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
        object { json in
            for detail in details {
                switch detail.value {
                case .text(let value): json.member(detail.name, value)
                case .number(let value): json.member(detail.name, value)
                case .flag(let value): json.member(detail.name, value)
                }
            }
        }
    }
}
