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
            if next == nil || person.events.isEmpty
                || !key.elementsEqual(next ?? UnsafeRawBufferPointer(start: nil, count: 0))
            {
                if !person.events.isEmpty {
                    person.finish()
                    try body(person)
                }
                person.begin(isPerson: next != nil)
                key.removeAll(keepingCapacity: true)
                key.append(contentsOf: next ?? UnsafeRawBufferPointer(start: nil, count: 0))
            }
            person.append(try reader.event(&row))
        }
        if !person.events.isEmpty {
            person.finish()
            try body(person)
        }
    }
}
