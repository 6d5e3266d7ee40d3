#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Timestamp {
    /// The wall clock.
    package static var now: Timestamp {
        // A double has a precision of a quarter of a microsecond for the seconds since 1970.
        Timestamp(microseconds: Int64((Date().timeIntervalSince1970 * 1e6).rounded()))
    }
}
