import InboundLinks
import Time
import JSONReading

/// The members of one event, each checked on its own. ``EventDecoder`` checks them together.
struct EventDraft {
    /// The fields that are present, perhaps null.
    private var seen = FieldSet()
    /// The fields that are present and not null.
    private(set) var given = FieldSet()
    /// The first key that is not a field of any event.
    private(set) var unknownKey: String?

    private(set) var typeName: String?
    private(set) var eventID: EventID?
    private(set) var appID: String?
    private(set) var occurredAt: Timestamp?
    private(set) var sentAt: Timestamp?
    private(set) var userID: String?
    private(set) var deviceID: String?
    private(set) var clickID: String?
    private(set) var platform: Platform?
    private(set) var appVersion: String?
    private(set) var country: String?
    private(set) var language: String?
    private(set) var properties: String?

    /// Not redacted yet: `LinkReader` or `LoginReader` does that.
    private(set) var url: String?
    private(set) var targetURL: String?
    private(set) var refs: [String]?
    private(set) var channel: Channel?
    private(set) var refererApp: String?
    private(set) var refererURL: String?
    private(set) var authenticated: Bool?
    private(set) var deferred: Bool?
    private(set) var clickedAt: Timestamp?
    private(set) var postID: String?
    private(set) var paid: Bool?

    /// Not redacted yet: `FeedPostReader` does that.
    private(set) var callbackURL: String?
    private(set) var dialog: FeedPostReading.Dialog?
    /// Not read yet: a post and a login have different outcomes.
    private(set) var outcome: String?
    private(set) var link: String?
    private(set) var composer: Composer?
    private(set) var actionType: String?
    private(set) var objectID: String?
    private(set) var errorCode: Int64?
    private(set) var errorMessage: String?

    private(set) var limitAdTracking: Bool?
    /// Not redacted yet.
    private(set) var installReferrer: String?
    private(set) var referrerClickedAt: Timestamp?
    private(set) var installBeganAt: Timestamp?

    private(set) var name: String?
    private(set) var value: DecimalValue?
    private(set) var currency: String?

    /// Reads all members in one pass. A repeated key is a fault, even if the values are equal.
    ///
    /// - Parameter declared: the names of the properties that the app has declared.
    init(_ node: JSONNode, in source: UnsafeBufferPointer<UInt8>, declared: [String] = []) throws(EventFault) {
        try node.forEachMember { key, value throws(EventFault) in
            guard let field = EventField(key: key) else {
                if unknownKey == nil { unknownKey = String(decoding: key, as: UTF8.self) }
                return
            }
            guard !seen.contains(field) else { throw .duplicate(field) }
            seen.insert(field)
            if value.kind != .null { given.insert(field) }
            do throws(EventFault) {
                try read(value, as: field, in: source)
            } catch {
                guard field.isOfDevice else { throw error }
                warnings.append(.leftOut(field, error.message))
            }
            if field == .properties, !declared.isEmpty { checkProperties(value, declared) }
        }
        if clickID == nil, !isReferrerInjected { clickID = installReferrer.flatMap(Self.clickID(inReferrer:)) }
    }

    var isReferrerInjected: Bool { Install(referrerClickedAt: referrerClickedAt, beganAt: installBeganAt).isInjected }

    /// What its sender should know of an event that is stored all the same.
    private(set) var warnings: [DecodedEvent.Warning] = []

    mutating func note(_ warning: DecodedEvent.Warning) { warnings.append(warning) }

    private mutating func checkProperties(_ properties: JSONNode, _ declared: [String]) {
        for name in declared {
            guard let value = properties[name], let problem = PropertyValue.problem(with: value) else { continue }
            let field = "\(EventField.properties.key).\(name)"
            let message = "\(field) is a declared property, but it \(problem)"
            warnings.append(DecodedEvent.Warning(code: .propertyWithoutValue, field: field, message: message))
        }
    }

    /// The time of a tap or of a download; nil, with a warning, if it says that none is known.
    private mutating func tapTime(_ node: JSONNode, _ field: EventField) throws(EventFault) -> Timestamp? {
        var reason = UnknownTime.reason(node)
        if reason == nil {
            guard let time = try FieldValue.time(node, field) else { return nil }
            if time >= ClickTime.earliest { return time }
            reason = UnknownTime.isEarly
        }
        if let reason { warnings.append(.leftOut(field, reason)) }
        return nil
    }

    mutating func note(_ campaign: MetaCampaign) { properties = campaign.added(to: properties) }

    /// An event without a `click_id` has that of its link.
    mutating func note(clickOf link: InboundLink) {
        if clickID == nil { clickID = link.clickID }
    }

    /// The id of the click in a text of Google Play. An id that cannot be one is none: an install must not be lost
    /// because of what a link to the store said.
    private static func clickID(inReferrer referrer: String) -> String? {
        guard let id = InstallReferrer.clickID(in: referrer), id.utf8.count <= EventLimits.id else { return nil }
        return SecretFreeText.text(id)
    }

    private mutating func read(
        _ node: JSONNode,
        as field: EventField,
        in source: UnsafeBufferPointer<UInt8>
    ) throws(EventFault) {
        switch field {
        case .type: typeName = try FieldValue.rawText(node, field)
        case .eventID: eventID = try FieldValue.eventID(node)
        case .appID: appID = try FieldValue.rawText(node, field)
        case .occurredAt: occurredAt = try FieldValue.time(node, field)
        case .sentAt: sentAt = try FieldValue.time(node, field)
        case .userID: userID = try FieldValue.id(node, field)
        case .deviceID: deviceID = try FieldValue.id(node, field)
        case .clickID: clickID = try FieldValue.id(node, field)
        case .platform: platform = try FieldValue.platform(node)
        case .appVersion: appVersion = try FieldValue.appVersion(node)
        case .country: country = try FieldValue.country(node)
        case .language: language = try FieldValue.language(node)
        case .properties: properties = try PropertiesText.read(node, in: source)
        case .url: url = try FieldValue.rawText(node, field)
        case .targetURL: targetURL = try FieldValue.text(node, field)
        case .ref: refs = try StatedRefs.read(node)
        case .channel: channel = try FieldValue.word(node, field)
        case .refererApp: refererApp = try FieldValue.text(node, field)
        case .refererURL: refererURL = try FieldValue.text(node, field)
        case .authenticated: authenticated = try FieldValue.bool(node, field)
        case .deferred: deferred = try FieldValue.bool(node, field)
        case .clickedAt: clickedAt = try tapTime(node, field)
        case .postID: postID = try FieldValue.id(node, field)
        case .paid: paid = try FieldValue.bool(node, field)
        case .callbackURL: callbackURL = try FieldValue.rawText(node, field)
        case .dialog: dialog = try FieldValue.word(node, field)
        case .outcome: outcome = try FieldValue.wordText(node, field)
        case .link: link = try FieldValue.text(node, field)
        case .composer: composer = try FieldValue.word(node, field)
        case .actionType: actionType = try FieldValue.text(node, field)
        case .objectID: objectID = try FieldValue.text(node, field)
        case .errorCode: errorCode = try FieldValue.integer(node, field)
        case .errorMessage: errorMessage = try FieldValue.text(node, field)
        case .limitAdTracking: limitAdTracking = try FieldValue.bool(node, field)
        case .installReferrer: installReferrer = try FieldValue.rawText(node, field)
        case .referrerClickedAt: referrerClickedAt = try tapTime(node, field)
        case .installBeganAt: installBeganAt = try tapTime(node, field)
        case .name:
            name = try FieldValue.text(node, field)
            if let name, RowName.matches(name) { throw .rowName(field, name) }
        case .value: value = try FieldValue.decimal(node, field)
        case .currency: currency = try FieldValue.currency(node)
        }
    }
}
