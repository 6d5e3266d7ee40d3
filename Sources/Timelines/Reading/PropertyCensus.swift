package import Postgres
package import Storage

/// Counts the values of declared properties over all events of an app, because only the most frequent have rows of
/// their own. All of history decides, so that a value has a row in every report or in none.
///
/// There may be as many values as events. If they take too much memory, they are counted in parts, by their hashes, and
/// everything is read once for each part.
struct PropertyCensus {
    private struct Property {
        let place: Int
        let name: [UInt8]
        let limit: Int
        /// The values of this part, and how many events have each.
        var values = CodeTable()
        var counts: [Int] = []
        /// The most frequent of the parts before, at most `limit`.
        private(set) var largest: [(value: [UInt8], count: Int)] = []
        /// The last of `limit` values: what does not precede it need not be kept. Nil while there are fewer.
        private var last: (value: [UInt8], count: Int)?
        /// How many values there are in the parts before.
        var total = 0

        init(_ property: AppProperty, at place: Int) {
            self.place = place
            name = Array(property.name.utf8)
            limit = property.valueLimit
        }

        mutating func keep(where isKept: (UnsafeRawBufferPointer) -> Bool) {
            var kept = CodeTable()
            var keptCounts: [Int] = []
            for (index, count) in counts.enumerated() {
                values.withBytes(of: Code(rawValue: Int32(index))) { value in
                    guard isKept(value) else { return }
                    _ = kept.code(of: value)
                    keptCounts.append(count)
                }
            }
            (values, counts) = (kept, keptCounts)
        }

        mutating func endPart() {
            total += counts.count
            for (index, count) in counts.enumerated() {
                let value = values.bytes(of: Code(rawValue: Int32(index)))
                if let last, !Self.precedes(value, count, last) { continue }
                largest.append((Array(value), count))
                if largest.count >= 2 * limit { dropSmallest() }
            }
            dropSmallest()
            (values, counts) = (CodeTable(), [])
        }

        private mutating func dropSmallest() {
            largest.sort { Self.precedes($0.value[...], $0.count, $1) }
            largest.removeLast(max(0, largest.count - limit))
            last = largest.count == limit ? largest.last : nil
        }

        private static func precedes(
            _ value: ArraySlice<UInt8>,
            _ count: Int,
            _ other: (value: [UInt8], count: Int)
        ) -> Bool {
            count == other.count ? value.lexicographicallyPrecedes(other.value) : count > other.count
        }
    }

    /// The most memory of the values, in bytes.
    static let defaultMemory = 16 << 20

    private var properties: [Property]
    private let memory: Int
    private var part: UInt = 0
    /// A power of 2.
    private var parts: UInt = 1

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
        // Also where these are all values: a condition tells by them whether a value occurs as it is spelled.
        return PropertyValues(query.properties, kept: counted.mapValues { Set($0.kept) })
    }

    /// Counts the values of the query's properties, by their places.
    static func counted(
        _ query: TimelineQuery,
        _ app: App,
        packed state: TimelineState?,
        inMemory memory: Int = defaultMemory,
        on connection: isolated PostgresConnection
    ) throws -> [Int: PropertyValues.Census] {
        var census = PropertyCensus(query.properties, memory: memory)
        repeat {
            if let state { try census.addPacked(app, state, on: connection) }
            try census.addEvents(query, app, from: state?.packedThrough ?? 0, on: connection)
            census.endPart()
        } while census.part < census.parts
        return census.counted
    }

    private init(_ asked: [Int: AppProperty], memory: Int) {
        properties = asked.map { Property($0.value, at: $0.key) }
        self.memory = memory
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
            for index in properties.indices where name.elementsEqual(properties[index].name) {
                add(value, count, at: index)
            }
        }
    }

    private mutating func add(_ value: UnsafeRawBufferPointer, _ count: Int, at index: Int) {
        guard isCounted(value) else { return }
        let code = properties[index].values.code(of: value).index
        if code < properties[index].counts.count { return properties[index].counts[code] += count }
        properties[index].counts.append(count)
        guard part == 0, properties.reduce(0, { $0 + $1.values.size }) > memory else { return }
        parts *= 2
        for index in properties.indices { properties[index].keep(where: isCounted) }
    }

    /// Whether a value is in the part that is counted.
    private func isCounted(_ value: UnsafeRawBufferPointer) -> Bool {
        guard parts > 1 else { return true }
        var hasher = Hasher()
        hasher.combine(bytes: value)
        // The tables of values use the other bits.
        return UInt(bitPattern: hasher.finalize()) >> 32 & (parts - 1) == part
    }

    private mutating func endPart() {
        for index in properties.indices { properties[index].endPart() }
        part += 1
    }

    private var counted: [Int: PropertyValues.Census] {
        properties.reduce(into: [:]) { counted, property in
            counted[property.place] = PropertyValues.Census(
                kept: property.largest.map(\.value),
                isWhole: property.largest.count == property.total
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
