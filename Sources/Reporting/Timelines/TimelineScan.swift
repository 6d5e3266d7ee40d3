import Postgres

/// One scan of an app's events, ordered by person (`sql/reports/timelines.sql`).
struct TimelineScan: TimelineSource {
    /// Runs the scan, inside its connection's isolation, and hands each row over.
    typealias Rows = (_ row: (inout PostgresCopyRow) throws -> Void) throws -> Void

    let dictionary = TimelineDictionary()
    private let rows: Rows

    init(rows: @escaping Rows) {
        self.rows = rows
    }

    func forEachPerson(_ body: (borrowing PersonTimeline) throws -> Void) throws {
        let reader = TimelineRowReader(dictionary: dictionary)
        var person = PersonTimeline()
        var key: [UInt8] = []
        try rows { row in
            let next = try row.nextUnsafeBytes()
            // An event of nobody stands alone.
            let continues = next.map { key.elementsEqual($0) } ?? false
            if !continues || person.events.isEmpty {
                try Self.hand(&person, to: body)
                person.begin(isPerson: next != nil)
                key.removeAll(keepingCapacity: true)
                if let next { key.append(contentsOf: next) }
            }
            person.append(try reader.event(&row))
        }
        try Self.hand(&person, to: body)
    }

    private static func hand(
        _ person: inout PersonTimeline,
        to body: (borrowing PersonTimeline) throws -> Void
    ) throws {
        guard !person.events.isEmpty else { return }
        person.finish()
        try body(person)
    }
}
