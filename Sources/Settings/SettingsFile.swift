import Foundation
import Text
import Yams

/// The keys in a YAML file, with their levels joined by points, and the lines where they are.
struct SettingsFile: Sendable {
    let path: String
    private var lines: [String: Int] = [:]
    /// Those of the settings that have several texts.
    private(set) var entries: [String: [(name: String, text: String)]] = [:]
    /// Whether the file has nothing but comments.
    let isEmpty: Bool

    /// - Throws: for text that is not YAML, and for a key that is unknown or there twice. An unknown key is probably
    ///   mistyped, and its setting would have no effect.
    init(path: String, text: String) throws(SettingsError) {
        self.path = path
        if let problem = YAMLAliases.problem(in: text) { throw SettingsError(message: "\(path), \(problem)") }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw Self.error(error, path: path, text: text)
        }
        isEmpty = root.map { $0.null != nil } ?? true
        guard !isEmpty, let root else { return }
        guard case .mapping = root else {
            throw SettingsError(message: "\(path): a file of settings has lines such as 'port: 8080'")
        }
        try collect(root, under: nil)
    }

    /// The place of a key for messages; nil if the file does not have the key.
    func place(of key: String) -> String? {
        lines[key].map { "\(path), line \($0)" }
    }

    private mutating func collect(_ node: Node, under prefix: String?) throws(SettingsError) {
        guard case .mapping(let mapping) = node else { return }
        for (name, value) in mapping {
            let key = [prefix, name.string ?? "?"].compactMap(\.self).joined(separator: ".")
            switch value {
            case _ where value.null == nil && Setting.named(key)?.hasEntries == true:
                try add(key, of: name)
                entries[key] = try texts(value, of: key)
            case .mapping: try collect(value, under: key)
            // A level whose settings are all commented out.
            case .scalar(let scalar) where scalar.string.isEmpty || value.null != nil:
                if !Setting.all.contains(where: { $0.key.hasPrefix(key + ".") }) { try add(key, of: name) }
            default: try add(key, of: name)
            }
        }
    }

    private func texts(_ node: Node, of key: String) throws(SettingsError) -> [(name: String, text: String)] {
        let texts = node.mapping?.compactMap { name, value in
            value.scalar.flatMap { text in name.string.map { ($0, text.string) } }
        }
        guard let texts, texts.count == node.mapping?.count else {
            throw SettingsError(message: "\(place(of: key) ?? path): \(key) has a line 'name: text' for each")
        }
        return texts
    }

    private mutating func add(_ key: String, of name: Node) throws(SettingsError) {
        let line = name.mark?.line ?? 1
        guard Setting.named(key) != nil else {
            throw SettingsError(
                message: "\(path), line \(line): there is no setting \(key); \(Setting.advice(for: key))"
            )
        }
        if let first = lines[key] { throw Self.repeated(key, lines: (first, line), path: path) }
        lines[key] = line
    }

    private static func repeated(_ key: String, lines: (first: Int, second: Int), path: String) -> SettingsError {
        SettingsError(
            message:
                "\(path), line \(lines.second): \(key) is there already, in line \(lines.first); remove one of them"
        )
    }

    private static func error(_ error: any Error, path: String, text: String) -> SettingsError {
        switch error {
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            let key = keys.first ?? "a key"
            return repeated(key, lines: linesOfRepeated(key, in: text, from: context.mark), path: path)
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            return SettingsError(message: "\(path), line \(mark.line): this is not YAML: \(problem)")
        case YamlError.reader(let problem, _, _, _):
            return SettingsError(message: "\(path): this is not YAML: \(problem)")
        default:
            return SettingsError(message: "\(path): this is not YAML: \(error)")
        }
    }

    /// The parser names only the place where the level of the key begins.
    private static func linesOfRepeated(_ key: String, in text: String, from mark: Mark) -> (first: Int, second: Int) {
        let indentation = String(repeating: " ", count: mark.column - 1)
        var found: [Int] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard index + 1 >= mark.line, line.hasPrefix(indentation) else { continue }
            let rest = line.dropFirst(indentation.count)
            if [key, "'\(key)'", "\"\(key)\""].contains(where: { name in
                rest.hasPrefix(name) && rest.dropFirst(name.count).drop(while: \.isWhitespace).first == ":"
            }) {
                found.append(index + 1)
            }
        }
        return found.count >= 2 ? (found[0], found[1]) : (mark.line, mark.line)
    }
}
