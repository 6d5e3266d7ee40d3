#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Raw memory that grows. It uses `realloc`, which moves a large block without copying it, so that never two copies
/// exist.
final class CopyBuffer {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = malloc(self.capacity)
    }

    deinit {
        free(base)
    }

    /// Makes room for bytes at the end. The caller must fill them.
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
        base = realloc(base, capacity)
    }
}
