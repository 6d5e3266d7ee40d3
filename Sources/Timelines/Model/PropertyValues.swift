package import Storage

/// The declared properties that a run reads, and which of their values have rows of their own.
package struct PropertyValues: Sendable {
    struct Slot: Sendable {
        var property: AppProperty
        /// The values with rows of their own; nil for all.
        private var kept: CodeTable?

        init(_ property: AppProperty, kept: Set<[UInt8]>?) {
            self.property = property
            self.kept = kept.map { values in
                values.reduce(into: CodeTable()) { _ = $0.code(ofBytes: $1) }
            }
        }

        func keeps(_ value: UnsafeRawBufferPointer) -> Bool { kept.map { $0.knownCode(of: value) != nil } ?? true }
    }

    /// The values of a declared property that have rows of their own.
    package struct Census: Sendable {
        /// Those of the most events first; of equally many, the first by bytes.
        package var kept: [[UInt8]]
        /// Whether these are all values that occur.
        package var isWhole: Bool
    }

    /// By their places among the properties of the app; nil for those that are not read.
    let slots: [Slot?]
    /// The places of those that a person has.
    let ofPeople: [Int]

    /// - Parameters:
    ///   - kept: by the same places, the values with rows of their own. A property that is missing has a row for each.
    ///   - areShared: whether everything of a person gets the person's values.
    package init(_ properties: [Int: AppProperty], kept: [Int: Set<[UInt8]>] = [:], areShared: Bool = true) {
        slots = (0..<(properties.keys.max().map { $0 + 1 } ?? 0)).map { place in
            properties[place].map { Slot($0, kept: kept[place]) }
        }
        ofPeople = areShared ? properties.filter { $0.value.kind == .person }.map(\.key).sorted() : []
    }

    /// What stands for every value without a row of its own. No text has this byte.
    package static let others: [UInt8] = [0]

    /// The properties of an event that the run reads, in the form of packed timelines: each name and its value in turn,
    /// each with its length before it in 4 bytes, big-endian. Properties are in the order of their places.
    func reduced(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var reduced: [UInt8] = []
        Self.forEachProperty(in: text) { name, value in
            for slot in slots {
                guard let slot, name.elementsEqual(slot.property.name.utf8) else { continue }
                Self.append(slot.property, slot.keeps(value) ? Array(value) : Self.others, to: &reduced)
            }
        }
        return reduced
    }

    static func append(_ property: AppProperty, _ value: some Collection<UInt8>, to text: inout [UInt8]) {
        for part in [Array(property.name.utf8), Array(value)] {
            withUnsafeBytes(of: UInt32(part.count).bigEndian) { text.append(contentsOf: $0) }
            text += part
        }
    }

    /// Calls `body` with the name and the value of each property.
    static func forEachProperty(
        in text: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
    ) {
        var position = 0
        func next() -> UnsafeRawBufferPointer? {
            guard position + 4 <= text.count else { return nil }
            let length = Int(Int32(bigEndian: text.loadUnaligned(fromByteOffset: position, as: Int32.self)))
            guard length >= 0, position + 4 + length <= text.count else { return nil }
            defer { position += 4 + length }
            return UnsafeRawBufferPointer(rebasing: text[position + 4..<position + 4 + length])
        }
        while let name = next(), let value = next() { body(name, value) }
    }
}
