import CLibpq

/// Owns a libpq result.
final class ResultStorage: @unchecked Sendable {
    /// Guard of `@unchecked Sendable`: a result never changes, and libpq's accessors only read it.
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        PQclear(pointer)
    }
}
