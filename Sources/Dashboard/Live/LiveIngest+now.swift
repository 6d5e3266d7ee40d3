import Time

extension LiveIngest {
    /// Seconds since 1970.
    package static var now: Int64 { Timestamp.now.microseconds / 1_000_000 }
}
