import Addresses
import Events
import Ingest
import Logging
import Postgres
import Settings
import Text

/// The settings of the daemon, read once at its start (docs/configuration.md).
struct DaemonSettings {
    /// Those that are served, the main one first.
    var databases: [NamedDatabase]
    var logLevel: Logger.Level
    var logFormat: LogFormat
    /// Of each.
    var spools: [SpoolSettings]
    var retention: RetentionSettings
    var reports: ReportSettings
    var sending: SendingSettings
    /// The standby of each that answers reports; nil: the database itself does.
    var standbys: [PostgresAddress?]
    var ingest = IngestConfiguration()
    /// The header in which a trusted proxy says which user is signed in at it; nil: none does.
    var signInHeader: String?
    /// The time between two change scans for the figures of BI tools; zero: they are not refreshed.
    var figuresInterval: Duration

    /// How long a visitor of a short link waits for the database to store their click.
    var clickWait: Duration

    init(
        host: String?,
        port: Int?,
        database: String?,
        clickWait: Int?,
        reader: SettingsReader
    ) async throws(SettingsError) {
        ingest.port = try await reader.integer("port", flag: port)
        databases = try NamedDatabase.all(main: await DatabaseSettings(flag: database, reader), reader)
        (spools, standbys) = ([], [])
        for database in databases {
            spools.append(try await SpoolSettings(reader, of: database))
            standbys.append(try await database.standby(reader))
        }
        retention = try await RetentionSettings(reader)
        reports = try await ReportSettings(reader)
        sending = try await SendingSettings(reader)
        ingest.retention = retention.events
        ingest.version = TributaryVersion.current

        let configuredHost = try await reader.string("host")
        ingest.host = host ?? configuredHost ?? ingest.host
        // An address in brackets, as URLs have it.
        if ingest.host.hasPrefix("["), ingest.host.hasSuffix("]") {
            ingest.host = String(ingest.host.dropFirst().dropLast())
        }

        logLevel = try await reader.word("log.level", of: Logger.Level.self) ?? .notice
        logFormat = try await reader.word("log.format", of: LogFormat.self) ?? .text

        figuresInterval = .seconds(try await reader.integer("figures.interval"))
        ingest.limits.storeDeadline = .seconds(try await reader.integer("store.deadline"))
        ingest.limits.connections = try await reader.integer("connections")
        let rate = try await reader.integer("rate.limit")
        if rate > 0 { ingest.limits.rateLimit = RateLimit(requestsPerSecond: Double(rate)) }

        self.clickWait = .milliseconds(try await reader.integer("click.wait", flag: clickWait))
        let visits = try await reader.integer("link.rate.limit")
        ingest.limits.visitorRateLimit = visits > 0 ? RateLimit(requestsPerSecond: Double(visits)) : nil
        let fromApps = try await reader.integer("app.rate.limit")
        ingest.limits.appKeyRateLimit = fromApps > 0 ? RateLimit(requestsPerSecond: Double(fromApps)) : nil
        let events = try await reader.integer("app.key.events")
        ingest.limits.appKeyEventLimit =
            events > 0
            ? RateLimit(requestsPerSecond: Double(events), burst: max(events, EventLimits.appBatchCount)) : nil
        if let text = try await reader.string("trusted.proxies") {
            let names = text.split { $0 == "," || $0 == " " }
            let networks = names.compactMap { IPAddress.Network($0) }
            guard networks.count == names.count else {
                throw reader.error("trusted.proxies", "must be addresses or networks, such as 10.0.0.0/8, with commas")
            }
            ingest.trustedProxies = TrustedProxies(networks)
        }
        ingest.countryHeader = try await Self.header("country.header", such: "CF-IPCountry", reader)
        signInHeader = try await Self.header("sign.in.header", such: "X-Auth-Request-Email", reader)
    }

    /// The name of a header.
    private static func header(
        _ key: String,
        such example: String,
        _ reader: SettingsReader
    ) async throws(SettingsError) -> String? {
        guard let name = try await reader.string(key), !name.isEmpty else { return nil }
        guard name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }) else {
            throw reader.error(key, "must be the name of a header, such as \(example)")
        }
        return name
    }

    func makeLogger() -> Logger {
        var logger = Logger(label: "tributaryd", factory: { LineLogHandler(label: $0, format: logFormat) })
        logger.logLevel = logLevel
        return logger
    }
}
