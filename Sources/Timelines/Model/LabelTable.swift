/// The values of an enum by their labels, as PostgreSQL sends them.
struct LabelTable<Value: RawRepresentable<String> & CaseIterable> {
    private let values = Array(Value.allCases)
    private let labels = Value.allCases.map { Array($0.rawValue.utf8) }

    /// The value of a label, nil for null.
    ///
    /// - Throws: `TimelineError` for an unknown label.
    func value(_ label: UnsafeRawBufferPointer?) throws(TimelineError) -> Value? {
        guard let label else { return nil }
        for index in values.indices where labels[index].count == label.count {
            if labels[index].withUnsafeBytes({ $0.elementsEqual(label) }) { return values[index] }
        }
        throw .unknownLabel(String(decoding: label, as: UTF8.self))
    }
}
