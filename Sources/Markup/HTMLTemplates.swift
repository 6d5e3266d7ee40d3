import Mustache

/// Mustache templates of HTML. `{{value}}` is escaped by ``HTMLText``, `{{{value}}}` is HTML already.
///
/// Mustache's own escaping goes by characters, so it lets a quotation mark through that a combining accent follows.
package struct HTMLTemplates: Sendable {
    private struct Escaping: MustacheContentType {
        func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
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
        library.render(values, withTemplate: template) ?? ""
    }
}
