import Events
import JSONReading
import Time

extension JSONWriter {
    /// Writes the column's value of an event that is not stored yet; nothing if events of its type have none.
    mutating func member(_ column: EventColumn, of event: Event) {
        if member(column, column.event, event) { return }
        switch event.content {
        case .inboundLink(let touch), .linkClick(let touch): member(column, column.touch, touch)
        case .feedPost(let post): member(column, column.post, post)
        case .authentication(let login): member(column, column.login, login)
        case .install(let install):
            if !member(column, column.install, install), let touch = install.link {
                member(column, column.touch, touch)
            }
        case .conversion(let conversion): member(column, column.conversion, conversion)
        case .appOpen: break
        }
    }

    /// - Returns: whether the part has the column.
    @discardableResult
    mutating func member<Part>(_ column: EventColumn, _ source: EventColumn.Source<Part>?, _ part: Part) -> Bool {
        guard let source else { return false }
        key(column.name)
        switch source {
        case .text(let value), .label(let value): write(value(part)) { $0.string($1) }
        case .list(let value):
            write(value(part)) { writer, texts in writer.array { for text in texts { $0.string(text) } } }
        case .flag(let value): write(value(part)) { $0.bool($1) }
        case .time(let value): write(value(part)) { $0.string($1.rfc3339) }
        case .integer(let value): write(value(part)) { $0.integer($1) }
        case .smallInteger(let value): write(value(part)) { $0.integer($1) }
        case .decimal(let value): write(value(part)) { $0.raw("\($1)") }
        case .uuid(let value): write(value(part)) { $0.string(EventID(high: $1.high, low: $1.low).description) }
        case .json(let value): write(value(part)) { $0.raw($1) }
        }
        return true
    }

    private mutating func write<Value>(_ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
        if let value { write(&self, value) } else { null() }
    }
}
