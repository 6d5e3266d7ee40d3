import Text
import Text

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
        closestName(to: key, among: all).map { "did you mean \($0)?" } ?? "there is: \(all.joined(separator: ", "))"
    }
}
