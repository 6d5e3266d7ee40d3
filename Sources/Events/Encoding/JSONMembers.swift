import JSONReading
import Time

/// Writes the members of a JSON object, reads them into values, or redacts the values: each member is named once, for
/// all of this. A value that is absent is not written.
struct JSONMembers {
    private(set) var writer = JSONWriter()
    /// The object that is read; nil if one is written.
    private(set) var node: JSONNode?
    private var isRedacting = false
    /// Whether a member that was read has another type, or is missing.
    var isMalformed = false

    var isReading: Bool { node != nil }
    /// Whether members may get other values.
    var isChanging: Bool { isReading || isRedacting }

    /// Redacts the texts of a value by the rules of this version.
    static func redact(_ members: (inout JSONMembers) -> Void) {
        var redacting = JSONMembers()
        redacting.isRedacting = true
        members(&redacting)
    }

    /// Writes an object.
    static func write(_ members: (inout JSONMembers) -> Void) -> [UInt8] {
        var written = JSONMembers()
        written.object(members)
        return written.writer.bytes
    }

    /// - Throws: ``EventJSON/Malformed`` if a member is missing or has another type.
    static func read(_ node: JSONNode, _ members: (inout JSONMembers) -> Void) throws(EventJSON.Malformed) {
        var read = JSONMembers(node: node)
        members(&read)
        if read.isMalformed || node.kind != .object { throw EventJSON.Malformed() }
    }

    private init(node: JSONNode? = nil) {
        self.node = node
    }

    private mutating func object(_ members: (inout JSONMembers) -> Void) {
        writer.open(UInt8(ascii: "{"))
        members(&self)
        writer.close(UInt8(ascii: "}"))
    }

    mutating func objects<Value>(
        _ name: String,
        _ values: inout [Value],
        blank: Value,
        _ members: (inout JSONMembers, inout Value) -> Void
    ) {
        guard let node else {
            writer.key(name)
            writer.open(UInt8(ascii: "["))
            for index in values.indices { object { members(&$0, &values[index]) } }
            return writer.close(UInt8(ascii: "]"))
        }
        guard let list = node[name], list.kind == .array else { return isMalformed = true }
        values = []
        values.reserveCapacity(list.count)
        for element in list.elements {
            var value = blank
            self.node = element
            members(&self, &value)
            if element.kind != .object { isMalformed = true }
            values.append(value)
        }
        self.node = node
    }

    /// - Parameter redacted: nil: the text goes.
    mutating func text(
        _ name: String,
        _ value: inout String?,
        redacted: (String) -> String? = StoredText.text
    ) {
        if isRedacting { return value = value.flatMap(redacted) }
        member(name, &value, write: { $0.string($1) }, read: \.string)
    }

    mutating func text(_ name: String, _ value: inout String) {
        required(&value) { $0.text(name, &$1) }
    }

    /// An empty list is not written.
    mutating func texts(_ name: String, _ values: inout [String]) {
        if isRedacting {
            values = values.map(StoredText.text)
        } else if let node {
            guard let list = node[name] else { return values = [] }
            values = list.elements.map { $0.string ?? "" }
            if list.kind != .array || list.elements.contains(where: { $0.kind != .string }) { isMalformed = true }
        } else if !values.isEmpty {
            writer.member(name, values)
        }
    }

    mutating func flag(_ name: String, _ value: inout Bool?) {
        member(name, &value, write: { $0.bool($1) }, read: \.bool)
    }

    /// False is not written.
    mutating func flag(_ name: String, _ value: inout Bool) {
        var flag: Bool? = value ? true : nil
        self.flag(name, &flag)
        value = flag ?? false
    }

    mutating func integer(_ name: String, _ value: inout Int64?) {
        member(name, &value, write: { $0.integer($1) }, read: { $0.number.flatMap { Int64($0) } })
    }

    mutating func integer<Value: FixedWidthInteger>(_ name: String, _ value: inout Value) {
        var integer: Int64? = Int64(value)
        self.integer(name, &integer)
        guard isReading else { return }
        if let read = integer.flatMap({ Value(exactly: $0) }) { value = read } else { isMalformed = true }
    }

    /// RFC 3339, or microseconds since 1970 if that cannot spell it.
    mutating func time(_ name: String, _ value: inout Timestamp?) {
        member(name, &value) { writer, time in
            if Timestamp.spellable.contains(time) {
                writer.string(time.rfc3339)
            } else {
                writer.integer(time.microseconds)
            }
        } read: { node in
            node.string.flatMap { Timestamp(rfc3339: $0) }
                ?? node.number.flatMap { Int64($0) }.map { Timestamp(microseconds: $0) }
        }
    }

    mutating func time(_ name: String, _ value: inout Timestamp) {
        required(&value) { $0.time(name, &$1) }
    }

    mutating func word<Word: RawRepresentable<String>>(_ name: String, _ value: inout Word?) {
        member(name, &value, write: { $0.string($1.rawValue) }, read: { $0.string.flatMap { Word(rawValue: $0) } })
    }

    mutating func word<Word: RawRepresentable<String>>(_ name: String, _ value: inout Word) {
        required(&value) { $0.word(name, &$1) }
    }

    private mutating func required<Value>(
        _ value: inout Value,
        _ member: (inout JSONMembers, inout Value?) -> Void
    ) {
        var given: Value? = value
        member(&self, &given)
        if let given { value = given } else { isMalformed = true }
    }

    mutating func member<Value>(
        _ name: String,
        _ value: inout Value?,
        write: (inout JSONWriter, Value) -> Void,
        read: (JSONNode) -> Value?
    ) {
        if let node {
            value = node[name].flatMap(read)
            if value == nil, node[name] != nil { isMalformed = true }
        } else if !isRedacting, let value {
            writer.key(name)
            write(&writer, value)
        }
    }
}
