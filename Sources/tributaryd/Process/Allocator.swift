#if canImport(Glibc)
    import CAllocator
    import Glibc
#endif

/// How the C library keeps memory, where it is glibc.
enum Allocator {
    private static let arenas: Int32 = 2
    /// Larger pieces go back to the system when they are freed. Left to itself glibc raises the bound to the largest piece
    /// that it has seen, and then keeps such pieces.
    private static let largestKeptPiece: Int32 = 256 << 10

    /// Call it first: threads get their arenas as they start. By default there are eight for each processor, and what one
    /// has freed another cannot use. The environment (`MALLOC_ARENA_MAX`) wins.
    static func keepSmall() {
        #if canImport(Glibc)
            if getenv("MALLOC_ARENA_MAX") == nil { mallopt(M_ARENA_MAX, arenas) }
            mallopt(M_MMAP_THRESHOLD, largestKeptPiece)
        #endif
    }

    /// Gives back to the system what is free, after work that took much: left to itself glibc returns only what lies at the
    /// end of a heap.
    static func returnFreed() {
        #if canImport(Glibc)
            malloc_trim(0)
        #endif
    }
}
