import Text

/// The keys that a configuration file may have. A new setting needs its key here.
enum SettingsKey {
    static let all = [
        "connections", "database.url", "database.urlFile", "figures.interval", "home", "host", "log.level", "port",
        "rate.limit",
        "rejected.days",
        "retention.automatic", "retention.days", "retention.interval", "spool.bytes", "spool.folder", "store.deadline",
    ]

    /// Advice for an unknown key: the closest key, a key below it, or all keys.
    static func advice(for key: String) -> String {
        (closestName(to: key, among: all) ?? all.first { $0.hasPrefix(key + ".") }).map { "did you mean \($0)?" }
            ?? "the settings are: \(all.joined(separator: ", "))"
    }
}
