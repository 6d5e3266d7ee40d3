import Mustache

/// Mustache templates of HTML. `{{value}}` is escaped by ``HTMLText``, `{{{value}}}` is HTML already.
///
/// Mustache's own escaping goes by characters, so it lets a quotation mark through that a combining accent follows.
package struct HTMLTemplates: Sendable {
    private struct Escaping: MustacheContentType {
        func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
    }

    /// The fields of a value, each read once. Mustache itself reflects on every value around a name, for each name.
    private final class Fields: MustacheParent {
        // A cell has few fields, and a dictionary would take twice the memory.
        private let fields: [(name: String, value: Any)]

        init(_ mirror: Mirror) {
            fields = mirror.children.compactMap { child in
                guard let name = child.label, let value = HTMLTemplates.readable(child.value) else { return nil }
                return (name, value)
            }
        }

        func child(named name: String) -> Any? { fields.first { $0.name == name }?.value }
    }

    private static let contentType = "HTML-BYTES"

    private let library: MustacheLibrary

    package init(_ templates: [(name: String, text: String)]) throws {
        MustacheContentTypes.register(Escaping(), named: Self.contentType)
        var library = MustacheLibrary()
        for (name, text) in templates {
            // In each of them: a partial begins with Mustache's own escaping again.
            try library.register("{{% CONTENT_TYPE:\(Self.contentType)}}" + text, named: name)
        }
        self.library = library
    }

    /// - Returns: nothing if there is no template of this name.
    package func html(_ values: Any, _ template: String) -> String {
        library.render(Self.readable(values) ?? "", withTemplate: template) ?? ""
    }

    /// A value as templates read it; nil for an empty optional, which also leaves its array. Structs without a
    /// `description`, tuples and arrays are read here; all else stays as it is.
    private static func readable(_ value: Any) -> Any? {
        if let text = value as? String { return text }
        let mirror = Mirror(reflecting: value)
        return switch mirror.displayStyle {
        case .optional: mirror.children.first.flatMap { readable($0.value) }
        case .collection: mirror.children.compactMap { readable($0.value) }
        case .struct where !(value is any CustomStringConvertible), .tuple: Fields(mirror)
        default: value
        }
    }
}
