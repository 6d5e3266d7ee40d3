import Reporting
import Storage

/// The conditions of a view, as parameters of reports: `where` with `channel=search`, `ref!=gift`; `with` and `without`
/// with what people did, `touch>=2`. All must hold.
struct Filters {
    typealias Filter = (name: String, value: String)

    /// The fields of the URL, each of which may occur several times.
    static let names = ["where", "with", "without"]
    /// In the form that adds a condition, the key of what people did. No report has a key of this name.
    static let peopleKey = "people"
    /// The form above a view that adds a condition, as fields of the URL: the key, then whether it is excluded, and the
    /// value.
    static let formFields = ["add", "not", "value"]

    /// As parameters of a report.
    private(set) var parameters: [Filter] = []
    private let app: App

    /// Those in the URL, each once.
    init(_ fields: FormFields, of app: App) {
        self.app = app
        for field in fields.fields where Self.names.contains(field.name) && !field.value.isEmpty {
            if !parameters.contains(where: { Self.isSame($0, field) }) { parameters.append(field) }
        }
    }

    /// Two spellings of é are equal as strings.
    private static func isSame(_ one: Filter, _ other: Filter) -> Bool {
        one.name == other.name && one.value.utf8.elementsEqual(other.value.utf8)
    }

    private func keeping(where isKept: (Filter) -> Bool) -> Filters {
        var filters = self
        filters.parameters = parameters.filter(isKept)
        return filters
    }

    var isEmpty: Bool { parameters.isEmpty }

    /// Those on events.
    var texts: [String] { parameters.filter { $0.name == "where" }.map(\.value) }

    /// Those on what people did.
    var ofPeople: [Filter] { parameters.filter { $0.name != "where" } }

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
        let takesPeople = Self.reasonAgainstPeople(of: report) == nil
        return keeping { filter in
            guard filter.name == "where" else { return takesPeople }
            let key = Self.key(filter.value)
            return !keys.isEmpty && (keys.contains(key) || !isKnown(key))
        }
    }

    func without(_ filter: Filter) -> Filters { keeping { !Self.isSame($0, filter) } }

    /// Why a report cannot mean what people did; nil if it can.
    static func reasonAgainstPeople(of report: String) -> String? {
        ReportCatalogue.descriptions.first { $0.name == report }?.reasonAgainstPeople
    }

    /// With another condition; the same if it is there already.
    func adding(_ key: String, _ value: String, isExcluded: Bool = false) -> Filters {
        let filter: Filter =
            key == Self.peopleKey
            ? (isExcluded ? "without" : "with", value)
            : ("where", Self.condition(key, [value], isExcluded: isExcluded))
        var filters = without(filter)
        filters.parameters.append(filter)
        return filters
    }

    /// A condition, as reports read it.
    static func condition(_ key: String, _ values: [String], isExcluded: Bool = false) -> String {
        // A comma divides two values.
        let escaped = values.map { $0.replacing("\\", with: "\\\\").replacing(",", with: "\\,") }
        return "\(key)\(isExcluded ? "!=" : "=")\(escaped.joined(separator: ","))"
    }

    func contains(_ key: String, _ value: String) -> Bool { adding(key, value).parameters.count == parameters.count }

    /// A condition in words: `channel is search`, `people with touch, 2 or more, in the last 30 days`.
    static func words(_ filter: Filter) -> String {
        let form = /(.*?)(?:>=([0-9]+))?(?:@([0-9]+)d)?/
        guard filter.name != "where", let parts = filter.value.wholeMatch(of: form) else { return words(filter.value) }
        let count = parts.2.map { ", \($0) or more" } ?? ""
        let days = parts.3.map { $0 == "1" ? ", in the last day" : ", in the last \($0) days" } ?? ""
        return "people \(filter.name) \(parts.1)\(count)\(days)"
    }

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
