/// A field of the JSON that is sent, made of a part of an event. The list `fields` of each part names all of its fields
/// once; a test compares the lists with what the server takes.
struct ClientField<Part>: Sendable {
    typealias Container = KeyedEncodingContainer<FieldKey>

    let key: String
    private let write: @Sendable (Part, inout Container) throws -> Void

    /// - Parameter value: nil: the field is left out.
    init<Value: Encodable & SendableMetatype>(_ key: String, _ value: @escaping @Sendable (Part) -> Value?) {
        self.key = key
        write = { part, fields in try fields.encodeIfPresent(value(part), forKey: FieldKey(key)) }
    }

    func encode(_ part: Part, to fields: inout Container) throws {
        try write(part, &fields)
    }
}

extension KeyedEncodingContainer<FieldKey> {
    mutating func encode<Part>(_ part: Part, as fields: [ClientField<Part>]) throws {
        for field in fields { try field.encode(part, to: &self) }
    }
}

/// The key of a field on the wire.
struct FieldKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ key: String) {
        stringValue = key
    }

    init(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) { nil }
}
