import Events

/// The keys that a configuration file may have. Whoever reads a new setting adds its key here.
enum SettingsKey {
    static let all = [
        "connections", "database.url", "database.urlFile", "figures.interval", "home", "host", "log.level", "port",
        "rate.limit",
        "rejected.days",
        "retention.automatic", "retention.days", "retention.interval", "spool.bytes", "spool.folder", "store.deadline",
    ]

    /// What to say of a key that there is not: the closest one, or all.
    static func advice(for key: String) -> String {
        let near = all.map {
            (key: $0, distance: editDistance(Array(key.lowercased().utf8.prefix(64)), Array($0.utf8)))
        }
        .filter { $0.distance <= max(1, $0.key.utf8.count / 3) }
        .min { $0.distance < $1.distance }
        return near.map { "did you mean \($0.key)?" } ?? "there is: \(all.joined(separator: ", "))"
    }
}
