import Ingest
import Logging
import Settings

/// What the daemon was told, read once.
struct DaemonSettings {
    var host: String
    var port: Int
    var database: DatabaseSettings
    var logLevel: Logger.Level
    /// How old an event may be, in days; older ones are rejected as `too_old`.
    var retentionDays: Int
    var limits = IngestLimits()

    init(host: String?, port: Int?, database: String?, reader: SettingsReader) async throws(SettingsError) {
        if let port, !(0...65_535).contains(port) {
            throw SettingsError(message: "--port takes a number from 0 to 65535, not \(port)")
        }
        let configuredHost = try await reader.string("host")
        self.host = host ?? configuredHost ?? "127.0.0.1"
        let configuredPort = try await reader.integer("port", default: 8080, in: 0...65_535)
        self.port = port ?? configuredPort
        self.database = try await DatabaseSettings(flag: database, reader)
        let level = try await reader.string("log.level") ?? "notice"
        guard let logLevel = Logger.Level(rawValue: level) else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsError(message: "log.level (TRIBUTARY_LOG_LEVEL) is one of \(levels)")
        }
        self.logLevel = logLevel
        retentionDays = try await reader.integer("retention.days", default: 400, in: 30...36_500)
        let seconds = try await reader.integer("request.timeout", default: 10, in: 1...600)
        limits.storeDeadline = .seconds(seconds)
        limits.connections = try await reader.integer("connections", default: limits.connections, in: 1...1_000_000)
        let rate = try await reader.integer("rate.limit", default: 0, in: 0...1_000_000)
        if rate > 0 { limits.rateLimit = RateLimit(requestsPerSecond: Double(rate)) }
    }

    func makeLogger() -> Logger {
        var logger = Logger(label: "tributaryd", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = logLevel
        return logger
    }
}
