import Configuration
import Foundation
import SystemPackage

/// Reads configuration once, at the start (docs/configuration.md). The environment (`TRIBUTARY_…`) overrides the YAML
/// file. Flags override both: callers ask here only for settings without a flag.
package struct SettingsReader: Sendable {
    private let reader: ConfigReader
    private let environment: [String: String]
    /// Nil if there is no file, or if it is empty.
    private let file: SettingsFile?

    /// - Parameters:
    ///   - file: the YAML file; nil reads `tributary.yaml` in the working folder, if it exists.
    ///   - environment: default, the process's.
    package init(
        file: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(SettingsError) {
        let path = file ?? "tributary.yaml"
        let environment = environment.filter { !ServiceLink.isOne($0.key, $0.value) }
        let variables = EnvironmentVariablesProvider(
            environmentVariables: environment,
            secretsSpecifier: .dynamic { name, _ in name.hasSuffix("DATABASE_URL") }
        )
        var providers: [any ConfigProvider] = [variables.prefixKeys(with: "tributary")]
        // If the file cannot be read, the provider says so.
        let keys = try (try? String(contentsOfFile: path, encoding: .utf8))
            .map { text throws(SettingsError) in try SettingsFile(path: path, text: text) }
        if keys?.isEmpty != true {
            do {
                providers.append(
                    try await FileProvider<YAMLSnapshot>(filePath: FilePath(path), allowMissing: file == nil)
                )
            } catch {
                throw SettingsError(message: "the configuration file \(path) cannot be read: \(error)")
            }
        }
        self.file = keys
        self.environment = environment
        reader = ConfigReader(providers: providers)
    }

    /// The text of a setting; nil if it is not set.
    package func string(_ key: String) async throws(SettingsError) -> String? {
        try await read(key, expecting: "a text", inFile: ", with commas between several values") {
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
        default: throw error(key, "must be on or off")
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
        let value = try await read(key, expecting: expectation, inFile: ", without quotes") {
            try await reader.fetchInt(forKey: ConfigKey(key))
        }
        guard let value else { return defaultValue }
        guard range.contains(value) else {
            throw error(key, "must be \(expectation), not \(value)")
        }
        return value
    }

    /// The error for a value that cannot be used. It names the variable, or the line of the file, that holds the value.
    ///
    /// - Parameter fault: what is wrong, such as `must be on or off`. It must not repeat a secret.
    package func error(_ key: String, _ fault: String) -> SettingsError {
        let variable = SettingsKey.variable(key)
        if environment[variable] != nil { return SettingsError(message: "\(variable) \(fault)") }
        let place = file?.place(of: key).map { $0 + ": " } ?? ""
        return SettingsError(message: "\(place)\(key) \(fault)")
    }

    private func read<Value>(
        _ key: String,
        expecting expectation: String,
        inFile hint: String,
        _ body: () async throws -> Value?
    ) async throws(SettingsError) -> Value? {
        assert(SettingsKey.all.contains(key), "SettingsKey.all lacks \(key)")
        do {
            return try await body()
        } catch {
            let isInFile = environment[SettingsKey.variable(key)] == nil
            throw self.error(key, "must be \(expectation)" + (isInFile ? hint : ""))
        }
    }
}
