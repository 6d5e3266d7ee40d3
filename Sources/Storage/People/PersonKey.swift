import Crypto
package import Events

/// An id that stands for a person (docs/events.md, *People*). Two are equal when their bytes are.
package struct PersonKey: Sendable {
    /// Which of an event's ids it is. In the order of how much they say.
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

    /// As reports call the person that has no more than this key: `u`, `d` or `c` and the id.
    package var text: String {
        switch kind {
        case .user: "u" + id
        case .device: "d" + id
        case .click: "c" + id
        }
    }

    /// SQL's `person_key_hash`.
    package func hash(app: Int32) -> [UInt8] {
        Array(SHA256.hash(data: Array("\(app) \(text)".utf8)))
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
    /// The key that says whose the event is: the first of user, device and click that it carries. Nil: nobody's.
    package var owner: PersonKey? {
        userID.map { PersonKey(.user, $0) } ?? deviceID.map { PersonKey(.device, $0) }
            ?? clickID.map { PersonKey(.click, $0) }
    }

    /// What the event says of its device: whose it is.
    var deviceClaim: (key: PersonKey, owner: PersonKey)? {
        guard let userID, let deviceID else { return nil }
        return (PersonKey(.device, deviceID), PersonKey(.user, userID))
    }

    /// What the event says of its click.
    var clickClaim: (key: PersonKey, owner: PersonKey)? {
        guard let clickID, let owner = EventKeys(userID: userID, deviceID: deviceID).owner else { return nil }
        return (PersonKey(.click, clickID), owner)
    }

    var all: [PersonKey] {
        [
            userID.map { PersonKey(.user, $0) }, deviceID.map { PersonKey(.device, $0) },
            clickID.map { PersonKey(.click, $0) },
        ]
        .compactMap(\.self)
    }
}
