import Text

/// The keys that a configuration file may have. A new setting needs its key here.
enum SettingsKey {
    static let all = [
        "app.key.events", "app.rate.limit", "click.wait", "connections", "country.header", "database.url",
        "database.urlFile", "figures.interval", "home", "host",
        "link.rate.limit", "log.format", "log.level", "mail.command", "mail.from", "mail.password", "mail.smtp",
        "mail.tls", "mail.user", "port", "question.folder",
        "rate.limit", "rejected.days", "report.connections",
        "report.database.url", "report.database.urlFile",
        "retention.automatic", "retention.days", "retention.interval", "spool.bytes", "spool.folder", "store.deadline",
        "trusted.proxies", "webhook.allow.private",
    ]

    /// Advice for an unknown key: the closest key, a key below it, or all keys.
    static func advice(for key: String) -> String {
        (closestName(to: key, among: all) ?? all.first { $0.hasPrefix(key + ".") }).map { "did you mean \($0)?" }
            ?? "the settings are: \(all.joined(separator: ", "))"
    }

    /// The environment variable of a key: `TRIBUTARY_DATABASE_URL_FILE` for `database.urlFile`.
    static func variable(_ key: String) -> String {
        key.reduce(into: "TRIBUTARY_") { name, character in
            if character.isUppercase { name += "_" }
            name += character == "." ? "_" : character.uppercased()
        }
    }
}
