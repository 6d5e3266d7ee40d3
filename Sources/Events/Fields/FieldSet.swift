/// A set of fields, one bit each.
struct FieldSet: Equatable, Sendable {
    var bits: UInt64 = 0

    init() {}

    init(_ fields: EventField...) {
        for field in fields { insert(field) }
    }

    func contains(_ field: EventField) -> Bool {
        bits & 1 << UInt64(field.rawValue) != 0
    }

    mutating func insert(_ field: EventField) {
        bits |= 1 << UInt64(field.rawValue)
    }

    func union(_ other: FieldSet) -> FieldSet {
        var result = self
        result.bits |= other.bits
        return result
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

    /// The fields that an event of this type may have, by the table of docs/events.md, *Fields*.
    var fields: FieldSet {
        switch self {
        case .inboundLink, .linkClick: Self.touchFields
        case .feedPost: Self.feedPostFields
        case .install: Self.installFields
        case .authentication: Self.loginFields
        case .conversion: Self.conversionFields
        }
    }

    private static let commonFields = FieldSet(
        .type,
        .eventID,
        .appID,
        .occurredAt,
        .sentAt,
        .userID,
        .deviceID,
        .clickID,
        .platform,
        .properties
    )
    private static let touchFields = commonFields.union(
        FieldSet(
            .url,
            .targetURL,
            .ref,
            .channel,
            .refererApp,
            .refererURL,
            .authenticated,
            .deferred,
            .clickedAt,
            .postID,
            .paid
        )
    )
    private static let feedPostFields = commonFields.union(
        FieldSet(
            .callbackURL,
            .dialog,
            .outcome,
            .postID,
            .ref,
            .link,
            .composer,
            .actionType,
            .objectID,
            .errorCode,
            .errorMessage
        )
    )
    private static let installFields = commonFields.union(FieldSet(.limitAdTracking, .installReferrer, .url))
    private static let loginFields = commonFields.union(FieldSet(.url, .outcome, .errorCode, .errorMessage))
    private static let conversionFields = commonFields.union(FieldSet(.name, .value, .currency))
}
