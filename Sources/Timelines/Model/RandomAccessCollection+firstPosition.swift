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
