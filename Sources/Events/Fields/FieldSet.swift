/// A set of fields, one bit each.
struct FieldSet: Equatable, Sendable {
    var bits: UInt64 = 0

    init() {}

    func contains(_ field: EventField) -> Bool {
        bits & 1 << UInt64(field.rawValue) != 0
    }

    mutating func insert(_ field: EventField) {
        bits |= 1 << UInt64(field.rawValue)
    }

    /// The first field, in the order of ``EventField``, that the other set does not have.
    func firstMissing(from other: FieldSet) -> EventField? {
        let rest = bits & ~other.bits
        return rest == 0 ? nil : EventField(rawValue: UInt8(rest.trailingZeroBitCount))
    }
}

extension EventType {
    /// Whether an event of this type may have the field.
    package func takes(_ field: EventField) -> Bool { fields.contains(field) }

    /// The fields that an event of this type may have.
    var fields: FieldSet {
        switch self {
        case .inboundLink: Self.inboundLinkFields
        case .linkClick: Self.linkClickFields
        case .feedPost: Self.feedPostFields
        case .install: Self.installFields
        case .authentication: Self.loginFields
        case .conversion: Self.conversionFields
        case .appOpen: Self.appOpenFields
        }
    }

    // Computed once: the decoder asks for them with every event.
    private static let inboundLinkFields = FieldSet(of: .inboundLink)
    private static let linkClickFields = FieldSet(of: .linkClick)
    private static let feedPostFields = FieldSet(of: .feedPost)
    private static let installFields = FieldSet(of: .install)
    private static let loginFields = FieldSet(of: .authentication)
    private static let conversionFields = FieldSet(of: .conversion)
    private static let appOpenFields = FieldSet(of: .appOpen)
}

extension FieldSet {
    fileprivate init(of type: EventType) {
        for field in EventField.allCases where field.types.contains(type) { insert(field) }
    }
}
