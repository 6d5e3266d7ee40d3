/// The candidate with the fewest edits from `name`, nil where none is close enough to have been meant.
package func closestName(to name: String, among candidates: [String]) -> String? {
    let name = name.lowercased()
    let limit = max(1, name.utf8.count / 3)
    return
        candidates
        .map { (name: $0, distance: editDistance(name, $0.lowercased())) }
        .filter { $0.distance <= limit }
        .min { $0.distance < $1.distance }?
        .name
}

/// Insertions, deletions and substitutions of bytes that turn one text into the other (Levenshtein).
private func editDistance(_ first: String, _ second: String) -> Int {
    let first = Array(first.utf8.prefix(64))
    let second = Array(second.utf8.prefix(64))
    var row = Array(0...second.count)
    for (position, byte) in first.enumerated() {
        var diagonal = row[0]
        row[0] = position + 1
        for column in second.indices {
            let substitution = diagonal + (byte == second[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(substitution, row[column] + 1, diagonal + 1)
        }
    }
    return row[second.count]
}
