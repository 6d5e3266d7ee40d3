import Postgres
import Storage

/// Counts the values of declared properties over all events of an app, because only the most frequent have rows of
/// their own. All of history decides, so that a value has a row in every report or in none.
struct PropertyCensus {
    private struct Property {
        var values = CodeTable()
        var counts: [Int] = []
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
        var census = PropertyCensus(asked: query.properties)
        if let state { try census.addPacked(app, state, on: connection) }
        try census.addEvents(query, app, from: state?.packedThrough ?? 0, on: connection)
        return PropertyValues(query.properties, kept: census.kept)
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

    /// For each property that has too many values, those of the most events; of equally many, the first by bytes.
    private var kept: [Int: Set<[UInt8]>] {
        properties.reduce(into: [:]) { kept, entry in
            let (place, property) = entry
            guard let limit = asked[place]?.valueLimit, property.counts.count > limit else { return }
            let values = property.counts.indices.map { index in
                (value: Array(property.values.bytes(of: Code(rawValue: Int32(index)))), count: property.counts[index])
            }
            let largest = values.sorted { first, second in
                first.count == second.count
                    ? first.value.lexicographicallyPrecedes(second.value) : first.count > second.count
            }
            kept[place] = Set(largest.prefix(limit).map(\.value))
        }
    }
}
