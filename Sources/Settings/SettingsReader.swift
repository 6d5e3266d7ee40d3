import Configuration
import Foundation
import SystemPackage

/// Reads configuration once, at the start (docs/configuration.md). The environment (`TRIBUTARY_…`) overrides the YAML
/// file. Flags override both: callers ask here only for settings without a flag.
package struct SettingsReader: Sendable {
    private let reader: ConfigReader

    /// - Parameters:
    ///   - file: the YAML file; nil reads `tributary.yaml` in the working folder, if it exists.
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

    /// The text of a setting; nil if it is not set.
    package func string(_ key: String) async throws(SettingsError) -> String? {
        try await read(key, expecting: "a text") {
            try await reader.fetchString(forKey: ConfigKey(key), isSecret: true)
        }
    }

    /// A setting that is `on` or `off`; also `true`, `yes`, `false`, `no`.
    ///
    /// - Throws: `SettingsError` for another value.
    package func toggle(_ key: String, default defaultValue: Bool) async throws(SettingsError) -> Bool {
        switch try await string(key)?.lowercased() {
        case nil: return defaultValue
        case "on", "true", "yes": return true
        case "off", "false", "no": return false
        default: throw SettingsError(message: "\(Self.names(key)) must be on or off")
        }
    }

    /// A whole number.
    ///
    /// - Throws: `SettingsError` for a number outside the range, or for another value.
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

    /// False for a file that is empty or has nothing but comments.
    ///
    /// - Throws: for an unknown key. It is probably mistyped, and its setting would have no effect.
    private static func holdsSettings(_ path: String) throws(SettingsError) -> Bool {
        // If the file cannot be read or is not YAML, reading the values says so.
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
