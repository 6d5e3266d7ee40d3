package import Events
import InboundLinks
package import Time
import JSONReading

/// What was deleted, when, and how much. The database keeps it; it does not say whose data it was.
package struct DeletionReceipt: Equatable, Sendable {
    /// What was deleted: a person, an app, or data older than its retention period.
    package enum Kind: String, CaseIterable, Sendable {
        case person, app, retention
    }

    package var id: EventID
    package var kind: Kind
    /// Nil: every app.
    package var appID: String?
    package var startedAt: Timestamp
    package var finishedAt: Timestamp
    /// The deleted rows of each table, and other counts.
    package var counts: DeletionCounts
}

/// Numbers of rows by table.
package struct DeletionCounts: Equatable, Sendable {
    package private(set) var values: [(name: String, count: Int)] = []

    package init() {}

    /// The count of a name; 0 if nothing was counted for it.
    package subscript(name: String) -> Int {
        get { values.first { $0.name == name }?.count ?? 0 }
        set {
            if let index = values.firstIndex(where: { $0.name == name }) {
                values[index].count = newValue
            } else {
                values.append((name, newValue))
            }
        }
    }

    package var total: Int { values.reduce(0) { $0 + $1.count } }

    package static func == (first: DeletionCounts, second: DeletionCounts) -> Bool {
        first.values.elementsEqual(second.values) { $0 == $1 }
    }

    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, count) in values { writer.member(name, count) }
        }
        return writer.text
    }

    init(json: String) {
        guard let document = try? JSONDocument(reading: json.utf8) else { return }
        for (name, value) in document.root.members.sorted(by: { $0.key < $1.key }) {
            self[name] = value.number.flatMap { Int($0) } ?? 0
        }
    }
}
