/// How many edits turn one text into another: insertions, deletions, replacements and swaps of neighbours
/// (optimal string alignment).
package func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    for i in 1...first.count {
        var row = [i] + [Int](repeating: 0, count: second.count)
        for j in 1...second.count {
            let replacement = first[i - 1] == second[j - 1] ? 0 : 1
            row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + replacement)
            if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
                row[j] = min(row[j], beforeLast[j - 2] + 1)
            }
        }
        beforeLast = last
        last = row
    }
    return last[second.count]
}
