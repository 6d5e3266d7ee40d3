import Configuration
import Foundation
import SystemPackage

/// Reads configuration once, at the start: the environment (`TRIBUTARY_…`) over a YAML file (docs/configuration.md). Flags
/// of the command line go over both; whoever has parsed them asks here only for what they leave open.
package struct SettingsReader: Sendable {
    private let reader: ConfigReader

    /// - Parameters:
    ///   - file: the YAML file; nil reads `tributary.yaml` in the working folder where there is one.
    ///   - environment: default, the process's.
    package init(
        file: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(SettingsError) {
        let path = file ?? "tributary.yaml"
        let variables = EnvironmentVariablesProvider(
            environmentVariables: environment,
            secretsSpecifier: .dynamic { name, _ in name.hasSuffix("DATABASE_URL") }
        )
        var providers: [any ConfigProvider] = [variables.prefixKeys(with: "tributary")]
        if try Self.holdsSettings(path) {
            do {
                providers.append(
                    try await FileProvider<YAMLSnapshot>(filePath: FilePath(path), allowMissing: file == nil)
                )
            } catch {
                throw SettingsError(message: "the configuration file \(path) cannot be read: \(error)")
            }
        }
        reader = ConfigReader(providers: providers)
    }

    package func string(_ key: String) async throws(SettingsError) -> String? {
        try await read(key, expecting: "a text") {
            try await reader.fetchString(forKey: ConfigKey(key), isSecret: true)
        }
    }

    /// `on` or `off`.
    package func toggle(_ key: String, default defaultValue: Bool) async throws(SettingsError) -> Bool {
        switch try await string(key)?.lowercased() {
        case nil: return defaultValue
        case "on", "true", "yes": return true
        case "off", "false", "no": return false
        default: throw SettingsError(message: "\(Self.names(key)) must be on or off")
        }
    }

    /// A whole number within a range.
    package func integer(
        _ key: String,
        default defaultValue: Int,
        in range: ClosedRange<Int>
    ) async throws(SettingsError) -> Int {
        let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let value = try await read(key, expecting: expectation) { try await reader.fetchInt(forKey: ConfigKey(key)) }
        guard let value else { return defaultValue }
        guard range.contains(value) else {
            throw SettingsError(message: "\(Self.names(key)) must be \(expectation), not \(value)")
        }
        return value
    }

    /// False for a file that is empty, or has nothing but comments: it makes no setting.
    ///
    /// - Throws: for a key that there is not. It is most likely a mistyped one, and its setting would silently not be made.
    private static func holdsSettings(_ path: String) throws(SettingsError) -> Bool {
        // One that cannot be read, or is no YAML, is told by whoever reads the values.
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let keys = try? SettingsFileKeys(in: text)
        else { return true }
        if let unknown = keys.firstUnknown {
            throw SettingsError(
                message: "\(path): there is no setting \(unknown); \(SettingsKey.advice(for: unknown))"
            )
        }
        return !keys.isEmptyFile
    }

    private func read<Value>(
        _ key: String,
        expecting expectation: String,
        _ body: () async throws -> Value?
    ) async throws(SettingsError) -> Value? {
        assert(SettingsKey.all.contains(key), "SettingsKey.all lacks \(key)")
        do {
            return try await body()
        } catch {
            throw SettingsError(message: "\(Self.names(key)) must be \(expectation)")
        }
    }

    private static func names(_ key: String) -> String {
        "\(key) (TRIBUTARY_\(key.replacing(".", with: "_").uppercased()))"
    }
}
