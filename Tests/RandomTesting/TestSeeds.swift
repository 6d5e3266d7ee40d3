#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The seeds of the random tests. They are others on each day, so that over time more is tried, and the same on one
/// day, so that a failure is seen again.
///
/// `TRIBUTARY_TEST_SEED` sets the first seed; a test that fails names its seed. `TRIBUTARY_TEST_SAMPLES=10` tries ten
/// times as many (`make check-long`).
package enum TestSeeds {
    package static let first = variable("TRIBUTARY_TEST_SEED") ?? UInt64(time(nil)) / 86_400 * 100_000
    package static let samples = variable("TRIBUTARY_TEST_SAMPLES") ?? 1
    /// Whether more than the samples of `make test` are tried, as `make check-long` does.
    package static var isNightly: Bool { samples > 1 }

    /// Some of the cases of a test that takes long, in their order: others for each first seed, and all of them in the
    /// nightly run.
    package static func share<Case>(of cases: [Case], _ count: Int) -> [Case] {
        guard !isNightly else { return cases }
        var random = SeededRandom(seed: first)
        return cases.indices.shuffled(using: &random).prefix(count).sorted().map { cases[$0] }
    }

    /// - Parameter count: without `TRIBUTARY_TEST_SAMPLES`.
    package static func seeds(_ count: UInt64) -> Range<UInt64> { first..<first + count * samples }

    /// The same seeds, divided among the cases of a test.
    package static func seeds(_ count: UInt64, in parts: UInt64) -> [Range<UInt64>] {
        let all = seeds(count)
        let size = (UInt64(all.count) + parts - 1) / parts
        return (0..<parts).map { part in
            min(all.lowerBound + part * size, all.upperBound)..<min(all.lowerBound + (part + 1) * size, all.upperBound)
        }
    }

    private static func variable(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}
