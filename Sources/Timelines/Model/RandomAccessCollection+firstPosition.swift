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
    /// The first position of an id or a greater one. The elements are sorted, and hashes: so their values tell nearly
    /// where they are, and a search begins beside the place.
    func firstPosition(ofHash id: EventID) -> Int {
        guard let last = indices.last else { return 0 }
        func length(of distance: UInt64) -> Int { Int(distance.multipliedFullWidth(by: UInt64(count)).high) }
        var low = length(of: id.high)
        for _ in 0..<2 {
            let found = self[low].high
            if found < id.high {
                low = Swift.min(low + length(of: id.high - found), last)
            } else {
                low = Swift.max(low - length(of: found - id.high), 0)
            }
        }
        var high = low
        var reach = 8
        while low > 0, self[low] >= id {
            high = low
            low = Swift.max(low - reach, 0)
            reach *= 2
        }
        while high < count, self[high] < id {
            low = high
            high = Swift.min(high + reach, count)
            reach *= 2
        }
        return self[low..<high].firstPosition { $0 >= id }
    }
}
