import Events

extension RandomAccessCollection where Index == Int {
    /// The first position whose element passes, `endIndex` if none does. All elements after a passing one must pass,
    /// too.
    @inlinable
    package func firstPosition(where passes: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if passes(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension [EventID] {
    /// The first position of an id or a greater one. The elements are sorted hashes, so the value of an id tells nearly
    /// where it stands. Two estimates come close. From there the range grows until it holds the place, and is then
    /// searched by halves. This also finds the place among ids that are no hashes.
    func firstPosition(ofHash id: EventID) -> Int {
        guard let last = indices.last else { return 0 }
        func count(within distance: UInt64) -> Int { Int(distance.multipliedFullWidth(by: UInt64(self.count)).high) }
        var low = count(within: id.high)
        for _ in 0..<2 {
            let found = self[low].high
            if found < id.high {
                low = Swift.min(low + count(within: id.high - found), last)
            } else {
                low = Swift.max(low - count(within: found - id.high), 0)
            }
        }
        var high = low
        var reach = 8
        while low > 0, self[low] >= id {
            high = low
            low = Swift.max(low - reach, 0)
            reach *= 2
        }
        while high <= last, self[high] < id {
            low = high
            high = Swift.min(high + reach, last + 1)
            reach *= 2
        }
        return self[low..<high].firstPosition { $0 >= id }
    }
}
