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

    /// A person of whom there is nothing but a row without an event (`sql/exports/changed_people.sql`) is handed out
    /// without events.
    func forEachPerson(_ body: (borrowing PersonTimeline) throws -> Void) throws {
        let reader = TimelineRowReader(dictionary: dictionary)
        var person = PersonTimeline()
        var hasBegun = false
        try rows { row in
            let key = try row.nextUnsafeBytes()
            // An event of nobody stands alone.
            let continues = hasBegun && (key.map { person.key.elementsEqual($0) } ?? false)
            if !continues {
                if hasBegun {
                    person.finish()
                    try body(person)
                }
                person.begin(key: key)
                hasBegun = true
            }
            if let event = try reader.event(&row) { person.append(event) }
        }
        if hasBegun {
            person.finish()
            try body(person)
        }
    }
}
