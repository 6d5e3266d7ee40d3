/// The values of an enum by their labels, as PostgreSQL sends them.
struct LabelTable<Value: RawRepresentable<String> & CaseIterable> {
    private let values = Array(Value.allCases)
    private let labels = Value.allCases.map { Array($0.rawValue.utf8) }

    /// Nil for null.
    ///
    /// - Throws: `TimelineError` for a label that no value has.
    func value(_ label: UnsafeRawBufferPointer?) throws(TimelineError) -> Value? {
        guard let label else { return nil }
        for index in values.indices where labels[index].count == label.count {
            if labels[index].withUnsafeBytes({ $0.elementsEqual(label) }) { return values[index] }
        }
        throw .unknownLabel(String(decoding: label, as: UTF8.self))
    }
}
