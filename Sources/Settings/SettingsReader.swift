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

    /// The text of a setting, or its default; nil if it has neither.
    package func string(_ key: String) async throws(SettingsError) -> String? {
        let shape = shape(of: key)
        let text = try await read(key, expecting: "a text", inFile: ", with commas between several values") {
            try await reader.fetchString(forKey: ConfigKey(key), isSecret: true)
        }
        switch shape {
        case .text(let usual), .word(let usual): return text ?? usual
        case .toggle, .number, .entries: return text
        }
    }

    /// A setting that is one of the words of a type; nil if it is not set and has no default.
    ///
    /// - Throws: `SettingsError` for another word.
    package func word<Word: RawRepresentable & CaseIterable>(
        _ key: String,
        of type: Word.Type
    ) async throws(SettingsError) -> Word? where Word.RawValue == String {
        guard let text = try await string(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw error(key, "must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    /// The texts of a setting that has several, by their names and in their order. Those of the environment take the
    /// place of all in the file.
    ///
    /// - Throws: `SettingsError` for what is no name and a text.
    package func entries(_ key: String) throws(SettingsError) -> [(name: String, text: String)] {
        guard let variable = variable(key), let text = environment[variable] else { return file?.entries[key] ?? [] }
        var entries: [(name: String, text: String)] = []
        for entry in text.split(whereSeparator: { $0 == ";" || $0.isNewline })
        where !entry.allSatisfy(\.isWhitespace) {
            let parts = entry.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { throw error(key, "must be a list such as name=text;name=text") }
            entries.append((parts[0], parts[1]))
        }
        return entries
    }

    /// A setting that is `on` or `off`.
    ///
    /// - Throws: `SettingsError` for another value.
    package func toggle(_ key: String) async throws(SettingsError) -> Bool {
        guard case .toggle(let usual) = shape(of: key) else { preconditionFailure("\(key) is no toggle") }
        switch try await string(key)?.lowercased() {
        case nil: return usual
        case "on", "true", "yes": return true
        case "off", "false", "no": return false
        default: throw error(key, "must be on or off")
        }
    }

    /// A whole number, or the setting's default.
    ///
    /// - Parameters:
    ///   - flag: the number that the setting's flag gives. Then the setting is not read: what a flag decides, a wrong
    ///     setting cannot prevent.
    ///   - usual: the default of a setting that declares none.
    /// - Throws: `SettingsError` for a number outside the setting's range, or for another value.
    package func integer(
        _ key: String,
        flag: Int? = nil,
        default usual: Int = 0
    ) async throws(SettingsError) -> Int {
        guard case .number(let declared, let range) = shape(of: key) else { preconditionFailure("\(key) is no number") }
        let numbers = "number from \(range.lowerBound) to \(range.upperBound)"
        if let flag {
            guard range.contains(flag) else {
                throw SettingsError(message: "\(Setting.named(key)?.flag ?? key) takes a \(numbers), not \(flag)")
            }
            return flag
        }
        let expectation = "a whole \(numbers)"
        let value = try await read(key, expecting: expectation, inFile: ", without quotes") {
            try await reader.fetchInt(forKey: ConfigKey(key))
        }
        guard let value else { return declared ?? usual }
        guard range.contains(value) else {
            throw error(key, "must be \(expectation), not \(value)")
        }
        return value
    }

    private func shape(of key: String) -> Setting.Shape {
        guard let setting = Setting.named(key) else { preconditionFailure("there is no setting \(key)") }
        return setting.shape
    }

    /// The error for a value that cannot be used. It names the variable, or the line of the file, that holds the value.
    ///
    /// - Parameter fault: what is wrong, such as `must be on or off`. It must not repeat a secret.
    package func error(_ key: String, _ fault: String) -> SettingsError {
        if let variable = variable(key) { return SettingsError(message: "\(variable) \(fault)") }
        let place = file?.place(of: key).map { $0 + ": " } ?? ""
        return SettingsError(message: "\(place)\(key) \(fault)")
    }

    /// The setting's environment variable, if it is set.
    private func variable(_ key: String) -> String? {
        Setting.named(key).flatMap { environment[$0.variable] == nil ? nil : $0.variable }
    }

    private func read<Value>(
        _ key: String,
        expecting expectation: String,
        inFile hint: String,
        _ body: () async throws -> Value?
    ) async throws(SettingsError) -> Value? {
        do {
            return try await body()
        } catch {
            let isInFile = variable(key) == nil
            throw self.error(key, "must be \(expectation)" + (isInFile ? hint : ""))
        }
    }
}
