import Cryptography
package import Events

/// An id that identifies a person (docs/events.md, *People*). Two keys are equal if their bytes are.
package struct PersonKey: Sendable {
    /// Which of an event's ids it is. In order of precedence: a user outranks a device, and a device a click.
    package enum Kind: String, CaseIterable, Comparable, Sendable {
        case user, device, click

        private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        package static func < (first: Kind, second: Kind) -> Bool { first.position < second.position }
    }

    package var kind: Kind
    package var id: String

    package init(_ kind: Kind, _ id: String) {
        self.kind = kind
        self.id = id
    }

    /// `u`, `d` or `c`, and the id. Reports name a person by the text of its root.
    package var text: String {
        switch kind {
        case .user: "u" + id
        case .device: "d" + id
        case .click: "c" + id
        }
    }

    /// Reads ``text``, byte by byte: an id may begin with a mark that belongs to the letter before it.
    package init?(text: String?) {
        guard let text, let kind = Kind.allCases.first(where: { $0.rawValue.utf8.first == text.utf8.first })
        else { return nil }
        self.init(kind, String(decoding: text.utf8.dropFirst(), as: UTF8.self))
    }

    /// The same hash as SQL's `person_key_hash`.
    package var digest: [UInt8] {
        SHA256.hash(text.utf8)
    }
}

extension PersonKey: Hashable, Comparable {
    package static func == (first: PersonKey, second: PersonKey) -> Bool {
        first.kind == second.kind && first.id.utf8.elementsEqual(second.id.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        for byte in id.utf8 { hasher.combine(byte) }
    }

    package static func < (first: PersonKey, second: PersonKey) -> Bool {
        first.kind == second.kind ? first.id.utf8.lexicographicallyPrecedes(second.id.utf8) : first.kind < second.kind
    }
}

extension EventKeys {
    /// The key that decides whose the event is. Nil if it carries none.
    package var owner: PersonKey? {
        all.first
    }

    /// The link that the event gives its device: device → user.
    var deviceClaim: (key: PersonKey, owner: PersonKey)? {
        guard let userID, let deviceID else { return nil }
        return (PersonKey(.device, deviceID), PersonKey(.user, userID))
    }

    /// The link that the event gives its click: click → user, or click → device.
    var clickClaim: (key: PersonKey, owner: PersonKey)? {
        guard let clickID, let owner = EventKeys(userID: userID, deviceID: deviceID).owner else { return nil }
        return (PersonKey(.click, clickID), owner)
    }

    /// In the order in which they decide whose the event is, as `event_person` in SQL.
    var all: [PersonKey] {
        [
            userID.map { PersonKey(.user, $0) }, deviceID.map { PersonKey(.device, $0) },
            clickID.map { PersonKey(.click, $0) },
        ]
        .compactMap(\.self)
    }
}
