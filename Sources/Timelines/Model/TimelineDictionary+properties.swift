package import Storage

/// The values of the declared properties that a run reads, as codes.
struct PropertyCodes {
    let properties: PropertyValues
    /// By place. Every dictionary of a run gives a value the same code, because values come with the lists of
    /// `TimelineText.properties`, which have the same numbers in all of them.
    private(set) var tables: [CodeTable]
    /// For each list the codes of its values, by place.
    private var codes: [Code] = []
    /// The numbers of people's values.
    private var people: [[Code]: Int32] = [:]
    /// The lists of events of people, by the event's own list and the number of the person's values.
    private var shared: [UInt64: Code] = [:]

    init(_ properties: PropertyValues) {
        self.properties = properties
        tables = properties.slots.map { _ in CodeTable() }
    }

    /// - Parameter growing: whether values may still come.
    func size(growing: Bool) -> Int {
        let people = people.heldSize(growing: growing) + people.count * 48
        let lists = codes.heldSize(growing: growing) + shared.heldSize(growing: growing)
        return tables.reduce(lists + people) { $0 + $1.size(growing: growing) }
    }

    func code(_ place: Int, ofList list: Code) -> Code {
        list.isNone ? .none : codes[list.index * tables.count + place]
    }

    /// Adds the values of a new list.
    mutating func append(_ list: UnsafeRawBufferPointer) {
        let start = codes.count
        codes.append(contentsOf: repeatElement(.none, count: tables.count))
        PropertyValues.forEachProperty(in: list) { name, value in
            for (place, slot) in properties.slots.enumerated() {
                guard let slot, name.elementsEqual(slot.property.name.utf8) else { continue }
                codes[start + place] = tables[place].code(of: value)
            }
        }
    }

    /// The number of a person's values, one for each of `ofPeople`.
    mutating func number(ofPerson values: [Code]) -> Int32 {
        if let known = people[values] { return known }
        let number = Int32(people.count)
        people[values] = number
        return number
    }

    /// The list of an event with its own list `own`, of a person whose values have a number; nil if it is not known
    /// yet.
    func shared(_ own: Code, _ number: Int32) -> Code? {
        shared[Self.key(own, number)]
    }

    mutating func share(_ own: Code, _ number: Int32, as list: Code) {
        shared[Self.key(own, number)] = list
    }

    private static func key(_ own: Code, _ number: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: own.rawValue)) << 32 | UInt64(UInt32(bitPattern: number))
    }

    /// The list of the event's own values and, of the properties that people have, the person's.
    func list(_ own: Code, _ person: [Code]) -> [UInt8] {
        var list: [UInt8] = []
        for (place, slot) in properties.slots.enumerated() {
            guard let slot else { continue }
            let index = properties.ofPeople.firstIndex(of: place)
            let code = index.map { person[$0] } ?? code(place, ofList: own)
            if !code.isNone { PropertyValues.append(slot.property, tables[place].bytes(of: code), to: &list) }
        }
        return list
    }
}

extension TimelineDictionary {
    /// The code of an event's properties, given as PostgreSQL's binary `text[]` (`refList(array:)`).
    func properties(array: UnsafeRawBufferPointer) -> Code {
        array.count <= 20 ? .none : code(of: UnsafeRawBufferPointer(rebasing: array[20...]), as: .properties)
    }

    /// The properties of an event, as ``PropertyValues`` reads them.
    package func properties(_ values: [(property: AppProperty, value: String)]) -> Code {
        var list: [UInt8] = []
        for (property, value) in values { PropertyValues.append(property, Array(value.utf8), to: &list) }
        return list.withUnsafeBytes { code(of: $0, as: .properties) }
    }

    /// The value of a declared property.
    ///
    /// - Parameters:
    ///   - place: its place among those of the app. The run must read it.
    ///   - event: an event of the run.
    @inline(__always)
    package func property(_ place: Int, of event: TimelineEvent) -> Code {
        event.properties.isNone ? .none : propertyCodes?.code(place, ofList: event.properties) ?? .none
    }

    /// The bytes of a value of the property at a place; ``PropertyValues/others`` for those without a row.
    package func bytes(ofProperty place: Int, _ code: Code) -> ArraySlice<UInt8> {
        propertyCodes?.tables[place].bytes(of: code) ?? []
    }

    /// The code of a value of the property at a place; nil if the value has no row of its own.
    package func code(ofProperty place: Int, _ value: [UInt8]) -> Code? {
        guard let slot = propertyCodes?.properties.slots[place] else { return nil }
        guard value == PropertyValues.others || value.withUnsafeBytes(slot.keeps) else { return nil }
        var list: [UInt8] = []
        PropertyValues.append(slot.property, value, to: &list)
        let known = list.withUnsafeBytes { code(of: $0, as: .properties) }
        return propertyCodes?.code(place, ofList: known)
    }

    /// Gives the events of one person the person's values: of each property that people have, that of the earliest
    /// event that says one.
    ///
    /// - Parameter events: all of the person's, in order.
    func shareProperties(among events: inout [TimelineEvent]) {
        guard let places = propertyCodes?.properties.ofPeople, !places.isEmpty else { return }
        let values = places.map { place in
            events.lazy.map { self.property(place, of: $0) }.first { !$0.isNone } ?? .none
        }
        guard let number = propertyCodes?.number(ofPerson: values) else { return }
        for position in events.indices {
            let own = events[position].properties
            if let known = propertyCodes?.shared(own, number) {
                events[position].properties = known
                continue
            }
            let list = propertyCodes?.list(own, values) ?? []
            let made = list.withUnsafeBytes { code(of: $0, as: .properties) }
            propertyCodes?.share(own, number, as: made)
            events[position].properties = made
        }
    }
}
