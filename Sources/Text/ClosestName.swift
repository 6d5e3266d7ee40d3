/// The candidate with the fewest edits from `name`, nil where none is close enough to have been meant.
package func closestName(to name: String, among candidates: [String]) -> String? {
    closestNames(to: name, among: candidates).first
}

/// The candidates that are close enough to `name` to have been meant, the closest first; those that are equally close
/// stay in their order.
package func closestNames(to name: String, among candidates: [String]) -> [String] {
    let name = name.lowercased()
    let limit = max(1, name.utf8.count / 3)
    return
        candidates
        .map { (name: $0, distance: editDistance(Array(name.utf8.prefix(64)), Array($0.lowercased().utf8.prefix(64)))) }
        .filter { $0.distance <= limit }
        .enumerated()
        .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
        .map(\.element.name)
}
