extension Array {
    /// The memory of the elements, in bytes; if the array is about to grow, with their copy. Room that was never used
    /// takes none.
    package var heldSize: Int { heldSize(growing: true) }

    /// - Parameter growing: whether elements may still come.
    func heldSize(growing: Bool) -> Int {
        let size = count * MemoryLayout<Element>.stride
        return growing && capacity - count < capacity / 8 ? 2 * size : size
    }
}

extension Dictionary {
    /// The memory of the table, in bytes; if it is about to grow, with its copy of twice the size. A quarter of its
    /// places stay empty.
    package var heldSize: Int { heldSize(growing: true) }

    /// - Parameter growing: whether elements may still come.
    func heldSize(growing: Bool) -> Int {
        let size = capacity * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride) * 4 / 3
        return growing && capacity - count < capacity / 8 ? 3 * size : size
    }
}
