#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Timestamp {
    /// The wall clock.
    package static var now: Timestamp {
        // A double holds the seconds since 1970 to a quarter of a microsecond.
        Timestamp(microseconds: Int64((Date().timeIntervalSince1970 * 1e6).rounded()))
    }
}
