import Synchronization

/// What a template shows, by name.
package typealias TemplateValues = [(name: String, value: TemplateValue)]

/// A value that a template shows, or that chooses what it shows.
package enum TemplateValue: Sendable {
    /// Nil: the template does not have it.
    case text(String?)
    case flag(Bool)
    case part(TemplateValues?)
    case list([TemplateValues])
}

/// Pages that are written very often. They are as ``HTMLTemplates`` writes them, but Mustache, which took a fifth of
/// the daemon's time for visits, writes each form only once: with marks in the places of the texts.
///
/// Two pages have one form if they differ by texts alone. So there are as many forms as templates have branches.
package final class HTMLForms: Sendable {
    private enum Piece {
        case markup(ArraySlice<UInt8>)
        /// The text with this number, escaped.
        case text(Int)
    }

    /// Begins and ends a mark. No template has this character; it is for private use.
    private static let mark = "\u{F8FF}"

    private let templates: HTMLTemplates
    private let forms = Mutex<[String: [Piece]]>([:])

    package init(_ templates: HTMLTemplates) {
        self.templates = templates
    }

    package func html(_ values: TemplateValues, _ template: String) -> String {
        var form = template
        var texts: [String] = []
        Self.read(values, &form, &texts)
        let known = forms.withLock { $0[form] }
        let pieces = known ?? make(values, template)
        if known == nil { forms.withLock { $0[form] = pieces } }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4096)
        for piece in pieces {
            switch piece {
            case .markup(let markup): bytes += markup
            case .text(let number): HTMLText.append(texts[number], to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Collects the texts, and what of the values is no text: it tells forms apart.
    private static func read(_ values: TemplateValues, _ form: inout String, _ texts: inout [String]) {
        form += "{"
        for (name, value) in values {
            form += name
            switch value {
            case .text(nil), .part(nil): form += "-"
            case .text(""): form += "e"
            case .text(let text?):
                form += "t"
                texts.append(text)
            case .flag(let flag): form += flag ? "1" : "0"
            case .part(let part?): read(part, &form, &texts)
            case .list(let list): for element in list { read(element, &form, &texts) }
            }
            form += ";"
        }
        form += "}"
    }

    private func make(_ values: TemplateValues, _ template: String) -> [Piece] {
        var count = 0
        let page = templates.html(Self.marked(values, &count), template)
        let parts = Array(page.utf8).split(separator: Array(Self.mark.utf8), omittingEmptySubsequences: false)
        // Every other part is a number.
        return parts.enumerated().map { index, part in
            guard !index.isMultiple(of: 2), let number = Int(String(decoding: part, as: UTF8.self)) else {
                return .markup(part)
            }
            return .text(number)
        }
    }

    /// The values with marks in place of texts, in the order of ``read(_:_:_:)``. Dictionaries, because Mustache reads
    /// the fields of other values by reflection.
    private static func marked(_ values: TemplateValues, _ count: inout Int) -> [String: Any] {
        var marked: [String: Any] = [:]
        for (name, value) in values {
            switch value {
            case .text(nil), .part(nil): break
            case .text(""): marked[name] = ""
            case .text:
                marked[name] = "\(mark)\(count)\(mark)"
                count += 1
            case .flag(let flag): marked[name] = flag
            case .part(let part?): marked[name] = Self.marked(part, &count)
            case .list(let list): marked[name] = list.map { Self.marked($0, &count) }
            }
        }
        return marked
    }
}
