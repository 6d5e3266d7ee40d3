import Events

/// A person of an app, as docs/events.md, *People* defines it, with all its keys.
package struct Person: Equatable, Sendable {
    package var app: App
    /// The key that identifies the person: the user; without a user, a device; without a device, a click.
    package var root: PersonKey
    /// The root and all devices and clicks that are linked to it, sorted.
    package var keys: [PersonKey]

    init(app: App, root: PersonKey, keys: Set<PersonKey>) {
        self.app = app
        self.root = root
        self.keys = keys.union([root]).sorted()
    }

    package func ids(_ kind: PersonKey.Kind) -> [String] {
        keys.filter { $0.kind == kind }.map(\.id)
    }
}

/// Decides by an event's ids whether it belongs to one of some keys.
struct PersonOwnership: Sendable {
    let keys: Set<PersonKey>

    init(_ keys: some Sequence<PersonKey>) {
        self.keys = Set(keys)
    }

    func owns(_ event: EventKeys) -> Bool {
        event.owner.map { keys.contains($0) } ?? false
    }

    /// Whether a dead letter is the person's: at least one event in it is.
    func owns(rejected text: String) -> Bool {
        EventKeys.all(inRejected: text).contains { owns($0) }
    }
}
