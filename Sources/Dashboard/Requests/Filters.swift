import Reporting
import Storage

/// The conditions of a view, as the reports take them: `channel=search`, `ref!=gift`. All must hold.
struct Filters {
    /// The form above a view that adds a condition, as fields of the URL: the key, then whether it is excluded, and the
    /// value.
    static let formFields = ["add", "not", "value"]

    let texts: [String]
    private let app: App

    /// Those in the URL, each once.
    init(_ fields: FormFields, of app: App) {
        var texts: [String] = []
        for field in fields.fields where field.name == "where" && !field.value.isEmpty {
            if !texts.contains(where: { $0.utf8.elementsEqual(field.value.utf8) }) { texts.append(field.value) }
        }
        self.texts = texts
        self.app = app
    }

    private init(texts: [String], of app: App) {
        self.texts = texts
        self.app = app
    }

    var isEmpty: Bool { texts.isEmpty }

    /// As parameters of a report.
    var parameters: [(name: String, value: String)] { texts.map { ("where", $0) } }

    /// The keys of every app that some report can be filtered by.
    private static let known = Set(ReportCatalogue.names.flatMap(keys))

    /// Whether some report can be filtered by a key.
    private func isKnown(_ key: String) -> Bool {
        Self.known.contains(key) || app.properties.contains { $0.name == key }
    }

    private static func key(_ text: String) -> String { String(text.prefix { $0 != "=" && $0 != "!" }) }

    /// The keys of conditions that a report cannot mean, though another can.
    func unmet(by report: String) -> [String] {
        if isEmpty { return [] }
        let keys = keys(of: report)
        var unmet: [String] = []
        for key in texts.map(Self.key) where isKnown(key) && !keys.contains(key) && !unmet.contains(key) {
            unmet.append(key)
        }
        return unmet
    }

    /// The conditions that a report can mean, and those on what is no key, which the report refuses.
    func limited(to report: String) -> Filters {
        if isEmpty { return self }
        let keys = keys(of: report)
        return Filters(
            texts: keys.isEmpty
                ? []
                : texts.filter { text in
                    let key = Self.key(text)
                    return keys.contains(key) || !isKnown(key)
                },
            of: app
        )
    }

    func without(_ text: String) -> Filters {
        Filters(texts: texts.filter { !$0.utf8.elementsEqual(text.utf8) }, of: app)
    }

    /// With another condition; the same if it is there already.
    func adding(_ key: String, _ value: String, isExcluded: Bool = false) -> Filters {
        let text = Self.condition(key, [value], isExcluded: isExcluded)
        return Filters(texts: without(text).texts + [text], of: app)
    }

    /// A condition, as reports read it.
    static func condition(_ key: String, _ values: [String], isExcluded: Bool = false) -> String {
        // A comma divides two values.
        let escaped = values.map { $0.replacing("\\", with: "\\\\").replacing(",", with: "\\,") }
        return "\(key)\(isExcluded ? "!=" : "=")\(escaped.joined(separator: ","))"
    }

    func contains(_ key: String, _ value: String) -> Bool { adding(key, value).texts.count == texts.count }

    /// A condition in words: `channel is search`, `ref is not gift`.
    static func words(_ text: String) -> String {
        guard let equals = text.firstIndex(of: "=") else { return text }
        let head = text[..<equals]
        let isExcluded = head.last == "!"
        let key = (isExcluded ? head.dropLast() : head).replacing("_", with: " ")
        let value = text[text.index(after: equals)...].replacing("\\,", with: ",").replacing("\\\\", with: "\\")
        return "\(key) \(isExcluded ? "is not" : "is") \(value)"
    }

    /// The keys that a report can be filtered by, declared properties included; empty if it cannot be filtered.
    func keys(of report: String) -> [String] {
        Self.keys(of: report) + ReportCatalogue.filteringProperties(of: report, in: app)
    }

    private static func keys(of report: String) -> [String] {
        var keys: [String] = []
        for text in ReportCatalogue.parameter("where", of: report)?.offered ?? [] {
            let key = String(text.prefix { $0 != "=" })
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    /// The values of a key that never change: those that the parameter offers.
    static func closedValues(of key: String, in report: String) -> [String] {
        let offered = ReportCatalogue.parameter("where", of: report)?.offered ?? []
        return offered.filter { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
            .filter { !$0.isEmpty }
    }
}
