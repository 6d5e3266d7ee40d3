import Text

/// Finds the key that a sender probably meant by an unknown key.
enum FieldSuggestion {
    /// Names that other trackers use for the same thing.
    private static let synonyms: [(String, EventField)] = [
        ("timestamp", .occurredAt), ("time", .occurredAt), ("eventtime", .occurredAt), ("createdat", .occurredAt),
        ("id", .eventID), ("uuid", .eventID), ("messageid", .eventID), ("insertid", .eventID),
        ("event", .type), ("eventtype", .type), ("kind", .type),
        ("eventname", .name), ("goal", .name),
        ("distinctid", .userID), ("uid", .userID), ("anonymousid", .deviceID),
        ("amount", .value), ("revenue", .value), ("price", .value),
        ("props", .properties), ("property", .properties), ("data", .properties), ("params", .properties),
        ("referrer", .refererURL), ("referrerurl", .refererURL), ("referrerapp", .refererApp),
        ("callback", .callbackURL), ("os", .platform), ("target", .targetURL), ("fbref", .ref),
    ]

    /// The closest of the keys; nil if none is close enough.
    ///
    /// Case and punctuation do not count, so that `userId` and `user-id` find `user_id`.
    static func closest(to key: String, among keys: [String] = EventField.allCases.map(\.key)) -> String? {
        let wanted = folded(key)
        guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
        var best: (key: String, distance: Int)?
        for candidate in keys {
            let name = folded(candidate)
            // The distance is at least this difference, and a larger distance is not chosen below.
            guard abs(name.count - wanted.count) <= max(1, wanted.count / 3) else { continue }
            let distance = editDistance(wanted, name)
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        if let best, best.distance == 0 { return best.key }
        let text = String(decoding: wanted, as: UTF8.self)
        if let synonym = synonyms.first(where: { $0.0 == text }), keys.contains(synonym.1.key) {
            return synonym.1.key
        }
        // At most one typing error per three letters, and at least one is allowed.
        guard let best, best.distance <= max(1, wanted.count / 3), best.distance < best.key.utf8.count - 1 else {
            return nil
        }
        return best.key
    }

    /// Names of systems that a sender may give as the platform.
    private static let wordSynonyms = [
        ("iphone", "ios"), ("ipad", "ios"), ("ipados", "ios"), ("iphoneos", "ios"), ("browser", "web"),
        ("website", "web"), ("macos", "desktop"), ("windows", "desktop"), ("linux", "desktop"), ("pc", "desktop"),
    ]

    /// The word that a sender probably meant by one that is not allowed; nil if none is close enough.
    static func word(closestTo text: String, among allowed: [String]) -> String? {
        let wanted = String(decoding: folded(text), as: UTF8.self)
        let synonym = wordSynonyms.first { $0.0 == wanted }?.1
        return synonym.flatMap { allowed.contains($0) ? $0 : nil } ?? closest(to: text, among: allowed)
    }

    /// Names that other trackers use for the types of events.
    private static let typeSynonyms: [(String, EventType)] = [
        ("login", .authentication), ("loggedin", .authentication), ("signin", .authentication),
        ("signedin", .authentication), ("click", .linkClick), ("linkclicked", .linkClick),
        ("deeplink", .inboundLink), ("deeplinkopened", .inboundLink), ("linkopened", .inboundLink),
        ("appinstall", .install), ("applicationinstalled", .install), ("firstopen", .install),
        ("share", .feedPost), ("post", .feedPost), ("goal", .conversion),
    ]

    /// The type that a sender probably meant by an unknown type; nil if none is close enough.
    static func type(closestTo name: String) -> EventType? {
        let text = String(decoding: folded(name), as: UTF8.self)
        return typeSynonyms.first { $0.0 == text }?.1
            ?? closest(to: name, among: EventType.allCases.map(\.rawValue)).flatMap { EventType(rawValue: $0) }
    }

    private static func folded(_ key: String) -> [UInt8] {
        key.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") && $0 != 0x20 }
            .map(\.lowercasedASCII)
    }
}
