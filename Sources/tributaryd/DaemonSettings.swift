import Addresses
import Events
import Ingest
import Logging
import Postgres
import Settings
import Text

/// The settings of the daemon, read once at its start (docs/configuration.md).
struct DaemonSettings {
    var database: DatabaseSettings
    var logLevel: Logger.Level
    var logFormat: LogFormat
    var spool: SpoolSettings
    var retention: RetentionSettings
    var reports: ReportSettings
    var sending: SendingSettings
    /// Nil: the daemon's database answers reports.
    var standbyForReports: PostgresAddress?
    var ingest = IngestConfiguration()
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
        if let port, !(0...65_535).contains(port) {
            throw SettingsError(message: "--port takes a number from 0 to 65535, not \(port)")
        }
        self.database = try await DatabaseSettings(flag: database, reader)
        spool = try await SpoolSettings(reader)
        retention = try await RetentionSettings(reader)
        reports = try await ReportSettings(reader)
        sending = try await SendingSettings(reader)
        standbyForReports = try await DatabaseSettings.standbyForReports(reader)
        ingest.retention = retention.events
        ingest.version = TributaryVersion.current

        let configuredHost = try await reader.string("host")
        ingest.host = host ?? configuredHost ?? ingest.host
        // An address in brackets, as URLs have it.
        if ingest.host.hasPrefix("["), ingest.host.hasSuffix("]") {
            ingest.host = String(ingest.host.dropFirst().dropLast())
        }
        // What a flag decides, a wrong setting cannot prevent.
        if let port {
            ingest.port = port
        } else {
            ingest.port = try await reader.integer("port", default: ingest.port, in: 0...65_535)
        }

        let level = try await reader.string("log.level") ?? "notice"
        guard let logLevel = Logger.Level(rawValue: level) else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw reader.error("log.level", "must be one of \(levels)")
        }
        self.logLevel = logLevel
        let format = try await reader.string("log.format") ?? LogFormat.text.rawValue
        guard let logFormat = LogFormat(rawValue: format) else {
            let formats = LogFormat.allCases.map(\.rawValue).joined(separator: " or ")
            throw reader.error("log.format", "must be \(formats)")
        }
        self.logFormat = logFormat

        figuresInterval = .seconds(try await reader.integer("figures.interval", default: 60, in: 0...86_400))
        let seconds = try await reader.integer("store.deadline", default: 10, in: 1...600)
        ingest.limits.storeDeadline = .seconds(seconds)
        ingest.limits.connections = try await reader.integer(
            "connections",
            default: ingest.limits.connections,
            in: 1...1_000_000
        )
        let rate = try await reader.integer("rate.limit", default: 0, in: 0...1_000_000)
        if rate > 0 { ingest.limits.rateLimit = RateLimit(requestsPerSecond: Double(rate)) }

        if let clickWait, !Self.clickWaits.contains(clickWait) {
            throw SettingsError(message: "--click-wait takes a number from 1 to 10000, not \(clickWait)")
        }
        if let clickWait {
            self.clickWait = .milliseconds(clickWait)
        } else {
            self.clickWait = .milliseconds(try await reader.integer("click.wait", default: 50, in: Self.clickWaits))
        }
        let visits = try await reader.integer("link.rate.limit", default: 50, in: 0...1_000_000)
        ingest.limits.visitorRateLimit = visits > 0 ? RateLimit(requestsPerSecond: Double(visits)) : nil
        let fromApps = try await reader.integer("app.rate.limit", default: 50, in: 0...1_000_000)
        ingest.limits.appKeyRateLimit = fromApps > 0 ? RateLimit(requestsPerSecond: Double(fromApps)) : nil
        let events = try await reader.integer("app.key.events", default: 20, in: 0...1_000_000)
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
        if let name = try await reader.string("country.header") {
            guard name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }) else {
                throw reader.error("country.header", "must be the name of a header, such as CF-IPCountry")
            }
            ingest.countryHeader = name
        }
    }

    /// In milliseconds.
    private static let clickWaits = 1...10_000

    func makeLogger() -> Logger {
        var logger = Logger(label: "tributaryd", factory: { LineLogHandler(label: $0, format: logFormat) })
        logger.logLevel = logLevel
        return logger
    }
}
