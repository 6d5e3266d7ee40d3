package import Postgres
package import Storage

/// One scan of an app's events, ordered by person (`sql/reports/timelines.sql`).
package struct TimelineScan: TimelineSource {
    /// Runs the scan on its connection, and calls a closure with each row.
    package typealias Rows = (_ row: (inout PostgresCopyRow) throws -> Void) throws -> Void

    package let dictionary: TimelineDictionary
    private let rows: Rows

    package init(dictionary: TimelineDictionary = TimelineDictionary(), rows: @escaping Rows) {
        self.dictionary = dictionary
        self.rows = rows
    }

    /// Scans the events that a query needs, inside the caller's transaction.
    package static func read<Result>(
        _ query: TimelineQuery,
        app: App,
        on connection: isolated PostgresConnection,
        _ body: (TimelineScan) throws -> Result
    ) throws -> Result {
        try ScanPlanning.byHash.apply(on: connection)
        let query = try query.withClicks(of: app, on: connection)
        let dictionary = TimelineDictionary(
            properties: try PropertyCensus.values(of: query, app: app, packed: nil, on: connection)
        )
        dictionary.textLimit = query.textLimit
        if query.needs.contains(.postDetails) {
            dictionary.storyPosts = StoryPostTable(
                details: try PostDetails(query, app: app, dictionary: dictionary, on: connection)
            )
        }
        if query.needs.contains(.sharedDevices) {
            try ScanPlanning.byOrder.apply(on: connection)
            dictionary.sharedDevices = try SharedDevices(app: app, limit: query.sharedDeviceLimit, on: connection)
            try ScanPlanning.byHash.apply(on: connection)
        }
        let statement = TimelineSettings(query, app: app).scan.copyOut
        return try withoutActuallyEscaping({ row in try connection.copyOut(statement, row) }) { rows in
            try body(TimelineScan(dictionary: dictionary, rows: rows))
        }
    }

    /// Hands out each person. A person whose only row has no event (`sql/exports/changed_people.sql`) has no events.
    package func forEachPerson(_ body: (borrowing PersonTimeline) throws -> Void) throws {
        let reader = TimelineRowReader(dictionary: dictionary)
        var person = PersonTimeline()
        var hasBegun = false
        try rows { row in
            let key = try row.nextUnsafeBytes()
            // Each anonymous event is handed out alone.
            let continues = hasBegun && (key.map { person.key.elementsEqual($0) } ?? false)
            if !continues {
                if hasBegun {
                    person.finish(dictionary)
                    try body(person)
                    try person.checkCancellation()
                }
                person.begin(key: key)
                hasBegun = true
            }
            if var event = try reader.event(&row) {
                event.storyPost = try reader.storyPost(&row)
                person.append(event)
            }
            try dictionary.checkTexts()
        }
        if hasBegun {
            person.finish(dictionary)
            try body(person)
            try person.checkCancellation()
        }
        try dictionary.checkTexts()
    }
}
