/// Raw memory that grows.
final class CopyBuffer {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit {
        base.deallocate()
    }

    /// Makes room for bytes at the end, which the caller must fill.
    @inline(__always)
    func extend(by size: Int) -> UnsafeMutableRawPointer {
        if count + size > capacity {
            grow(by: size)
        }
        defer { count += size }
        return base + count
    }

    func truncate(to count: Int) {
        self.count = min(self.count, count)
    }

    @inline(never)
    private func grow(by size: Int) {
        capacity = max(capacity * 2, count + size)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = larger
    }
}
