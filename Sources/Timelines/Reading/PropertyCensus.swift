package import Postgres
package import Storage

/// Counts the values of declared properties over all events of an app, because only the most frequent have rows of
/// their own. All of history decides, so that a value has a row in every report or in none.
struct PropertyCensus {
    private struct Property {
        var values = CodeTable()
        var counts: [Int] = []

        func value(_ index: Int) -> ArraySlice<UInt8> { values.bytes(of: Code(rawValue: Int32(index))) }
    }

    private var properties: [Int: Property] = [:]
    private let asked: [Int: AppProperty]

    /// What a query reads of declared properties.
    ///
    /// - Parameter state: that of the packed timelines, which are read too; nil to read all events.
    /// - Returns: nil if it reads none.
    static func values(
        of query: TimelineQuery,
        app: App,
        packed state: TimelineState?,
        on connection: isolated PostgresConnection
    ) throws -> PropertyValues? {
        guard !query.properties.isEmpty else { return nil }
        let counted = try counted(query, app, packed: state, on: connection)
        return PropertyValues(query.properties, kept: counted.compactMapValues { $0.isWhole ? nil : Set($0.kept) })
    }

    /// Counts the values of the query's properties, by their places.
    static func counted(
        _ query: TimelineQuery,
        _ app: App,
        packed state: TimelineState?,
        on connection: isolated PostgresConnection
    ) throws -> [Int: PropertyValues.Census] {
        var census = PropertyCensus(asked: query.properties)
        if let state { try census.addPacked(app, state, on: connection) }
        try census.addEvents(query, app, from: state?.packedThrough ?? 0, on: connection)
        return census.finish()
    }

    private init(asked: [Int: AppProperty]) {
        self.asked = asked
        properties = asked.mapValues { _ in Property() }
    }

    private mutating func addPacked(
        _ app: App,
        _ state: TimelineState,
        on connection: isolated PostgresConnection
    ) throws {
        let statement = BoundStatement(
            TimelineSQL.propertyColumns,
            ["app_number": String(app.number), "generation": String(state.generation)]
        )
        try connection.copyOut(statement.copyOut) { row in
            let bucket = try row.nextInt()
            guard let column = try row.nextUnsafeBytes() else { return }
            let isDamaged = TextColumn.forEachText(in: column) { add($0, $1) }
            if isDamaged { throw TimelineError.damagedSegment(bucket: bucket) }
        }
    }

    private mutating func addEvents(
        _ query: TimelineQuery,
        _ app: App,
        from transaction: Int64,
        on connection: isolated PostgresConnection
    ) throws {
        var parameters = TimelineSettings(query, app: app).parameters
        parameters["stored_from"] = String(transaction)
        let statement = BoundStatement(connection.text(of: TimelineSQL.propertyValues), parameters)
        try connection.copyOut(statement.copyOut) { row in
            guard let array = try row.nextUnsafeBytes(), array.count > 20 else {
                _ = try row.nextInt64()
                return
            }
            // The memory of a field lives until the row ends.
            let list = UnsafeRawBufferPointer(rebasing: array[20...])
            add(list, Int(try row.nextInt64()))
        }
    }

    private mutating func add(_ list: UnsafeRawBufferPointer, _ count: Int) {
        PropertyValues.forEachProperty(in: list) { name, value in
            for (place, property) in asked where name.elementsEqual(property.name.utf8) {
                add(value, count, at: place)
            }
        }
    }

    private mutating func add(_ value: UnsafeRawBufferPointer, _ count: Int, at place: Int) {
        guard let code = properties[place]?.values.code(of: value) else { return }
        if code.index == properties[place]?.counts.count { properties[place]?.counts.append(0) }
        properties[place]?.counts[code.index] += count
    }

    private func finish() -> [Int: PropertyValues.Census] {
        asked.reduce(into: [:]) { census, entry in
            guard let property = properties[entry.key] else { return }
            let largest = property.counts.indices.sorted { first, second in
                let (one, other) = (property.counts[first], property.counts[second])
                return one == other
                    ? property.value(first).lexicographicallyPrecedes(property.value(second)) : one > other
            }
            let kept = largest.prefix(entry.value.valueLimit)
            census[entry.key] = PropertyValues.Census(
                kept: kept.map { Array(property.value($0)) },
                isWhole: kept.count == largest.count
            )
        }
    }
}

extension PropertyValues {
    /// Counts the values of the query's properties, by their places, over all events of an app in the caller's
    /// transaction.
    package static func census(
        of query: TimelineQuery,
        app: App,
        on connection: isolated PostgresConnection
    ) throws -> [Int: Census] {
        let state = try TimelineState.read(app: app.number, on: connection)
        let packed = state.flatMap { $0.serves(query) ? $0 : nil }
        return try PropertyCensus.counted(query, app, packed: packed, on: connection)
    }
}
