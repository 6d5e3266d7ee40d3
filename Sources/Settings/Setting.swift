import Text

/// A setting, with all that is said of it: programs read it by its key, advise by it, and the table of
/// docs/configuration.md is made from it. A new setting needs its entry in ``all`` and the place that reads it.
package struct Setting: Sendable {
    /// What a value may be, and what it is if it is not set; nil: nothing, or the place that reads it decides.
    enum Shape: Sendable {
        case text(String? = nil)
        /// One of the words of a type.
        case word(String? = nil)
        /// `on` or `off`; also `true`, `yes`, `false`, `no`.
        case toggle(Bool)
        case number(Int? = nil, in: ClosedRange<Int>)
        /// Any number of texts, each with a name of its own.
        case entries
    }

    /// As the file has it, its levels joined by points: `report.database.urlFile`.
    package let key: String
    let shape: Shape
    /// The option of the command line that overrides it.
    let flag: String?
    /// One more variable that is read if this setting has no value.
    let otherVariable: String?
    /// The default in words; nil: as ``shape`` has it.
    let usual: String?
    /// In Markdown, with links as from docs/.
    let meaning: String

    init(
        _ key: String,
        _ shape: Shape,
        flag: String? = nil,
        otherVariable: String? = nil,
        usual: String? = nil,
        _ meaning: String
    ) {
        self.key = key
        self.shape = shape
        self.flag = flag
        self.otherVariable = otherVariable
        self.usual = usual
        self.meaning = meaning
    }

    /// The setting of a key; nil if there is none.
    static func named(_ key: String) -> Setting? { all.first { $0.key == key } }

    var hasEntries: Bool { if case .entries = shape { true } else { false } }

    /// Advice for an unknown key: a key below it, the closest key, or all keys.
    static func advice(for key: String) -> String {
        let keys = all.map(\.key).sorted()
        return (keys.first { $0.hasPrefix(key + ".") } ?? closestName(to: key, among: keys)).map {
            "did you mean \($0)?"
        }
            ?? "the settings are: \(keys.joined(separator: ", "))"
    }

    /// The environment variable: `TRIBUTARY_DATABASE_URL_FILE` for `database.urlFile`.
    var variable: String {
        key.reduce(into: "TRIBUTARY_") { name, character in
            if character.isUppercase { name += "_" }
            name += character == "." ? "_" : character.uppercased()
        }
    }

    /// The columns of ``rows``.
    package static let header = ["flag", "environment", "key", "default", "meaning"]

    /// All settings, as a table of Markdown: of variables and the like, each in code.
    package static var rows: [[String]] {
        all.map { setting in
            let variables = [setting.variable] + [setting.otherVariable].compactMap(\.self)
            return [
                setting.flag.map { "`\($0)`" } ?? "", variables.map { "`\($0)`" }.joined(separator: ", "),
                "`\(setting.key)`", setting.usual ?? setting.shape.usual ?? "", setting.meaning,
            ]
        }
    }

    /// The table in docs/configuration.md.
    package static var markdown: String {
        "| flag | environment | in the file | default | |\n|---|---|---|---|---|\n"
            + rows.map { "|" + $0.map { $0.isEmpty ? " |" : " \($0) |" }.joined() + "\n" }.joined()
    }
}

extension Setting.Shape {
    /// The default, as the file has it.
    fileprivate var usual: String? {
        let value: String? =
            switch self {
            case .text(let text), .word(let text): text
            case .toggle(let isOn): isOn ? "on" : "off"
            case .number(let number, _): number.map(String.init)
            case .entries: nil
            }
        return value.map { "`\($0)`" }
    }
}
