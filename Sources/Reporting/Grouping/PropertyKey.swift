import Events
import InboundLinks
import Storage
import Timelines

/// A declared property as a key of reports.
///
/// A class, so that the keys of every app stay as small as they are: folds pass them for each event.
final class PropertyKey: Hashable, Sendable {
    let property: AppProperty
    /// Its place among the properties of the app.
    let place: Int

    init(_ property: AppProperty, at place: Int) {
        self.property = property
        self.place = place
    }

    var name: String { property.name }
    var kind: AppProperty.Kind { property.kind }

    static func == (first: PropertyKey, second: PropertyKey) -> Bool { first.property == second.property }

    func hash(into hasher: inout Hasher) { hasher.combine(property) }

    /// Whether a code stands for all values that have no row of their own.
    func isOthers(_ code: Code, _ dictionary: TimelineDictionary) -> Bool {
        dictionary.bytes(ofProperty: place, code).elementsEqual(PropertyValues.others)
    }

    /// The name of the row of a value. Values that are called like another row are shown in quotation marks, and so are
    /// those that look like it.
    func name(of code: Code, _ dictionary: TimelineDictionary) -> String {
        if isOthers(code, dictionary) { return ReportNames.others }
        return Self.name(ofValue: dictionary.bytes(ofProperty: place, code))
    }

    static func name(ofValue bytes: some Collection<UInt8>) -> String {
        let value = String(decoding: bytes, as: UTF8.self)
        return isRowName(value) ? "\"\(value)\"" : value
    }

    /// The code of the value whose row has a name, else of the value that the name spells otherwise (`1.0` for `1`);
    /// nil if there is no such row.
    func code(ofName name: String, _ dictionary: TimelineDictionary) -> Code? {
        row(named: name, dictionary) ?? row(named: PropertyValue.normalised(name), dictionary)
    }

    private func row(named name: String, _ dictionary: TimelineDictionary) -> Code? {
        if name == ReportNames.others { return dictionary.code(ofProperty: place, PropertyValues.others) }
        guard Self.isRowName(name) else { return dictionary.code(ofProperty: place, Array(name.utf8)) }
        return Self.unquoted(name).flatMap { dictionary.code(ofProperty: place, Array($0.utf8)) }
    }

    /// Whether a text is the name of a row, in any number of quotation marks.
    private static func isRowName(_ text: String) -> Bool {
        RowName.matches(text) || unquoted(text).map(isRowName) ?? false
    }

    private static func unquoted(_ text: String) -> String? {
        let bytes = text.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return nil }
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
