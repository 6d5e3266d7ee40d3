/// Ranges of the buckets of packed timelines, which are read or written together.
enum BucketRanges {
    /// How many events are packed or compacted together. It bounds the memory: a decoded event takes some 170 bytes, an
    /// encoded one 50.
    static let eventsAtOnce = 25_000

    /// How many buckets are read or written together if their size does not matter.
    private static let bucketsAtOnce = 16

    /// All buckets.
    static let all: [ClosedRange<Int>] = all(atOnce: bucketsAtOnce)

    /// All buckets, in ranges small enough to write `events` events again in bounded memory.
    static func all(toWrite events: Int) -> [ClosedRange<Int>] {
        var count = bucketsAtOnce
        while count > 1, events / PersonHash.bucketCount * count > eventsAtOnce { count /= 2 }
        return all(atOnce: count)
    }

    /// - Parameter count: the size of a range, a divisor of the number of buckets.
    private static func all(atOnce count: Int) -> [ClosedRange<Int>] {
        stride(from: 0, to: PersonHash.bucketCount, by: count).map { $0...$0 + count - 1 }
    }
}
