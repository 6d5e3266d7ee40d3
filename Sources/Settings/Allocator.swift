#if canImport(Glibc)
    import CAllocator
    import Glibc
#endif

/// The memory settings of the C library, if it is glibc.
package enum Allocator {
    private static let arenas: Int32 = 2
    /// Bytes. Larger blocks go back to the system when they are freed. Without a fixed limit, glibc raises it to the
    /// largest block that was freed, and then keeps blocks of that size.
    private static let largestKeptPiece: Int32 = 256 << 10

    /// Limits the number of arenas. Call it first, because threads get their arenas when they start. By default there
    /// are eight for each processor, and memory that one arena has freed cannot be used by another. `MALLOC_ARENA_MAX`
    /// in the environment overrides this.
    package static func keepSmall() {
        #if canImport(Glibc)
            if getenv("MALLOC_ARENA_MAX") == nil { mallopt(M_ARENA_MAX, arenas) }
            mallopt(M_MMAP_THRESHOLD, largestKeptPiece)
        #endif
    }

    /// Returns free memory to the system. Call it after work that took much memory: by itself, glibc returns only
    /// memory at the end of a heap.
    package static func returnFreed() {
        #if canImport(Glibc)
            malloc_trim(0)
        #endif
    }
}
