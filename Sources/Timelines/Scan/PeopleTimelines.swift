package import Postgres
package import Storage

/// The timelines of some people, each read by indexes, whatever the size of the app. They are those of `TimelineScan`.
package struct PeopleTimelines {
    package let scan: TimelineScan
    /// By person: the devices and clicks whose events are the person's, in the form of `erased_key`.
    package let keys: [PersonKey: [String]]

    /// Reads people inside the caller's transaction.
    ///
    /// - Parameter people: as `sql/reports/timelines.sql` names them: `u`, `d` or `c`, then the id.
    package static func read<Result>(
        _ query: TimelineQuery,
        of people: [String],
        app: App,
        on connection: isolated PostgresConnection,
        _ body: (PeopleTimelines) throws -> Result
    ) throws -> Result {
        try ScanPlanning.byLookup.apply(on: connection)
        let named = people.compactMap { PersonKey(text: $0) }
        func ids(_ kind: PersonKey.Kind) -> [String] { named.filter { $0.kind == kind }.map(\.id) }
        var keys: [PersonKey: [String]] = [:]
        var devices = ids(.device)
        var clicks = ids(.click)
        let users = ids(.user)
        for row in try connection.query(
            TimelineSQL.peopleKeys,
            [.int(Int64(app.number)), .textArray(users), .textArray(devices)]
        ) {
            guard let key = PersonKey(text: try row.text(0)), let person = PersonKey(text: try row.text(1)) else {
                continue
            }
            keys[person, default: []].append(key.text)
            if key.kind == .device { devices.append(key.id) } else { clicks.append(key.id) }
        }
        let query = try query.withClicks(of: app, on: connection)
        let dictionary = TimelineDictionary(properties: try properties(of: query, app: app, on: connection))
        dictionary.pageReader = try AppStore.pageReader(of: app, on: connection)
        // The census plans its own scan.
        try ScanPlanning.byLookup.apply(on: connection)
        var parameters = TimelineSettings(query, app: app).parameters
        parameters["users"] = BoundStatement.array(users)
        parameters["devices"] = BoundStatement.array(devices)
        parameters["clicks"] = BoundStatement.array(clicks)
        let statement = BoundStatement(text, parameters).copyOut
        return try withoutActuallyEscaping({ row in try connection.copyOut(statement, row) }) { rows in
            try body(PeopleTimelines(scan: TimelineScan(dictionary: dictionary, rows: rows), keys: keys))
        }
    }

    /// Counts the values of declared properties in packed timelines, if those have them: fewer events are read then.
    private static func properties(
        of query: TimelineQuery,
        app: App,
        on connection: isolated PostgresConnection
    ) throws -> PropertyValues? {
        guard !query.properties.isEmpty else { return nil }
        let state = try TimelineState.read(app: app.number, on: connection).flatMap { state in
            state.serves(query) ? state : nil
        }
        return try PropertyCensus.values(of: query, app: app, packed: state, on: connection)
    }

    /// The pieces of `timelines.sql` that are others for people, and how often each occurs: their events are read in
    /// place of all events, and the posts of their stories in place of all posts.
    static let pieces: [(piece: String, count: Int, replacement: String)] = [
        ("with scanned as", 1, "with own as materialized (\n\(TimelineSQL.peopleEvents)\n),\nscanned as"),
        ("select event.*\n    from event\n", 3, "select event.*\n    from own as event\n"),
        (
            "    from post\n    where story_key is not null\n", 1,
            """
                from post
                where story_key = any (
                        (select array_agg(story_key) from own where story_key is not null)::uuid[]
                    )

            """
        ),
    ]

    /// `timelines.sql` for people.
    static let text = pieces.reduce(TimelineSQL.timelines) { $0.replacing($1.piece, with: $1.replacement) }
}
