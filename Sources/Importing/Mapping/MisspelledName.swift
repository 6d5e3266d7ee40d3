import Events

/// The name that is likely to have been meant by one that does not exist.
enum MisspelledName {
    static func closest(to name: String, among names: [String]) -> String? {
        let wanted = Array(name.lowercased().utf8.prefix(64))
        let limit = max(1, wanted.count / 3)
        return
            names
            .map { (name: $0, distance: editDistance(wanted, Array($0.lowercased().utf8.prefix(64)))) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?
            .name
    }
}
