extension Duration {
    private static let units: [(suffix: Character, seconds: Int64)] = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]

    /// Reads a duration: `90s`, `30m`, `36h`, `7d`; also `0s`. A day is 24 hours. Nil for any other text.
    package init?(text: String) {
        guard
            let unit = Self.units.first(where: { $0.suffix == text.last }),
            text.utf8.count <= 12,
            text.utf8.dropLast().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let count = Int64(text.dropLast())
        else { return nil }
        self = .seconds(count * unit.seconds)
    }
}
