package import InboundLinks
package import Time
package import JSONReading

/// Turns one JSON object into an ``Event``, or rejects it (docs/events.md, *Fields*). Pure: the caller provides time
/// and ids.
package struct EventDecoder: Sendable {
    /// The app of the key that the event came with.
    package var appID: String
    package let receivedAt: Timestamp
    /// Events older than this are `too_old`.
    package let retention: Duration
    /// The event type that the request's path implies. An event may repeat it, but not contradict it.
    package var impliedType: EventType?
    /// Those that the app adds for reading links.
    package let rules: ReadingRules
    let sender: EventSender
    /// When the sender sent the batch, by its clock.
    package var sentAt: Timestamp?
    /// The `app_id` of the batch.
    package var batchAppID: String?
    /// Whether an event may carry its own `sent_at`. False for the events of a list.
    package var readsSentAt: Bool
    /// No time of an event may be later than this.
    let latest: Timestamp
    /// No `occurred_at` may be earlier than this.
    let earliest: Timestamp

    package init(
        appID: String,
        receivedAt: Timestamp,
        retention: Duration = EventLimits.defaultRetention,
        impliedType: EventType? = nil,
        rules: ReadingRules = .none,
        sender: EventSender = .server,
        sentAt: Timestamp? = nil,
        readsSentAt: Bool = false
    ) {
        self.appID = appID
        self.receivedAt = receivedAt
        self.retention = retention
        self.impliedType = impliedType
        self.rules = rules
        self.sender = sender
        self.sentAt = sentAt
        self.readsSentAt = readsSentAt
        // Computed once for all events: dividing a `Duration` needs 128-bit arithmetic.
        latest = receivedAt.advanced(by: EventLimits.futureTolerance)
        earliest = receivedAt.advanced(by: .zero - retention)
    }

    /// Decodes one event.
    ///
    /// - Parameters:
    ///   - node: the event.
    ///   - source: the text that the node was read from.
    ///   - index: the event's position in the batch, from 0.
    ///   - ids: makes the id of an event without one.
    package func decode(
        _ node: JSONNode,
        in source: UnsafeBufferPointer<UInt8>,
        index: Int = 0,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(Rejection) -> DecodedEvent {
        do {
            return try event(node, in: source, index: index, ids: &ids)
        } catch {
            throw rejection(error, of: node, in: source, index: index)
        }
    }

    private func event(
        _ node: JSONNode,
        in source: UnsafeBufferPointer<UInt8>,
        index: Int,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(EventFault) -> DecodedEvent {
        guard node.kind == .object else { throw EventFault(.notAnObject, "an event must be a JSON object") }
        guard Self.countedBytes(of: node) <= EventLimits.event else {
            if let wrapping = EventWrapping(node) { throw wrapping.fault }
            throw EventFault(.tooLarge, "the event is longer than \(EventLimits.event) bytes")
        }
        var draft = try EventDraft(node, in: source, declared: rules.declaredProperties)
        if let key = draft.unknownKey { throw EventWrapping(node)?.fault ?? unknownField(key) }
        let type = try type(of: draft)
        if let field = draft.given.firstMissing(from: type.fields) { throw misplaced(field, in: type) }
        if draft.sentAt != nil, !readsSentAt {
            throw EventFault(.unknownField, .sentAt, "sent_at must be beside events, not inside an event of the list")
        }
        if let appID = draft.appID ?? batchAppID, appID != self.appID {
            throw EventFault(.appMismatch, .appID, "app_id is not the key's app; leave it out or use that app's key")
        }
        if sender == .app { try checkApp(draft, type: type) }
        let occurredAt = try occurredAt(draft)
        let content = try content(of: &draft, type: type)
        try checkPerson(draft, type: type)
        return DecodedEvent(
            index: index,
            event: Event(
                id: draft.eventID ?? ids.makeID(at: receivedAt),
                occurredAt: occurredAt,
                receivedAt: receivedAt,
                userID: draft.userID,
                deviceID: draft.deviceID,
                clickID: draft.clickID,
                platform: draft.platform,
                appVersion: draft.appVersion,
                country: draft.country,
                language: draft.language,
                properties: draft.properties,
                sentBy: sender,
                content: content
            ),
            hasMadeID: draft.eventID == nil,
            warnings: draft.warnings
        )
    }

    /// How long an event is, without its `install_referrer`: one that is too long is left out, and the install stays.
    private static func countedBytes(of node: JSONNode) -> Int {
        let count = node.sourceRange.count
        guard count > EventLimits.event, let referrer = node[EventField.installReferrer.key] else { return count }
        return count - referrer.sourceRange.count
    }

    // MARK: - Rules that hold for every type

    private func type(of draft: EventDraft) throws(EventFault) -> EventType {
        guard let name = draft.typeName else {
            if draft.given.contains(.type) { throw unknownType("") }
            guard let impliedType else {
                throw EventFault(
                    .missingField,
                    .type,
                    "an event needs a type: \(EventFault.alternatives(EventType.allCases.map(\.rawValue)))"
                )
            }
            return impliedType
        }
        guard let type = EventType(rawValue: name) else { throw unknownType(name) }
        if let impliedType, type != impliedType {
            throw EventFault(
                .invalidValue,
                .type,
                "type must be \(impliedType.rawValue) on this path; send other types to /v1/events"
            )
        }
        return type
    }

    private func unknownType(_ name: String) -> EventFault {
        var message = "type must be \(EventFault.alternatives(EventType.allCases.map(\.rawValue)))"
        if let type = FieldSuggestion.type(closestTo: name) {
            message += "; did you mean \(type.rawValue)?"
        } else if !name.isEmpty {
            message += "; if it is a goal, send type conversion with the goal in name"
        }
        return EventFault(.unknownType, .type, message)
    }

    private func unknownField(_ key: String) -> EventFault {
        let name = SecretFreeText.name(key)
        var message = name.isEmpty ? "a field has an empty name" : "unknown field \(name)"
        if let closest = FieldSuggestion.closest(to: key) {
            message += "; did you mean \(closest)?"
        } else {
            message += "; put your own data into properties"
        }
        return EventFault(.unknownField, field: name, message)
    }

    private func misplaced(_ field: EventField, in type: EventType) -> EventFault {
        let owners = EventType.allCases.filter { $0.fields.contains(field) }.map(\.rawValue)
        return EventFault(
            .unknownField,
            field,
            "\(field.key) is a field of \(EventFault.alternatives(owners)), not of \(type.rawValue)"
        )
    }

    private func occurredAt(_ draft: EventDraft) throws(EventFault) -> Timestamp {
        guard let claimed = draft.occurredAt else { return receivedAt }
        var occurredAt = claimed
        if let sentAt = draft.sentAt ?? self.sentAt {
            let error = receivedAt.microseconds - sentAt.microseconds
            if error.magnitude > EventLimits.clockTolerance.wholeMicroseconds.magnitude {
                occurredAt.microseconds += error
            }
        }
        if occurredAt > latest {
            throw EventFault(
                .inFuture,
                .occurredAt,
                "occurred_at is more than 1 hour in the future; check the clock and the time's offset"
            )
        }
        if occurredAt < earliest {
            let days = retention.components.seconds / 86_400
            throw EventFault(.tooOld, .occurredAt, "occurred_at is older than the retention period of \(days) days")
        }
        return occurredAt
    }

    private func checkPerson(_ draft: EventDraft, type: EventType) throws(EventFault) {
        guard type != .feedPost, type != .linkClick else { return }
        guard draft.userID != nil || draft.deviceID != nil || draft.clickID != nil else {
            throw EventFault(.missingField, .userID, "\(type.rawValue) needs user_id, device_id or click_id")
        }
    }
}
