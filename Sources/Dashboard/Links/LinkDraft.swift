import Redirects
import Text

/// A link as the form has it, and what is wrong with it.
struct LinkDraft {
    var link = Link(host: "", slug: "")
    /// Only of fields that cannot be read. What a link must fulfil is checked where it is stored.
    var faults: [LinkFault] = []

    /// - Parameters:
    ///   - form: of ``LinkField/ofForm``, and `host`.
    ///   - time: reads times.
    init(_ form: FormFields, time: LocalTime) {
        link.host = Self.trimmed(form["host"] ?? "").map { LinkHost.normalised($0) ?? $0 } ?? ""
        for field in LinkField.ofForm {
            do throws(LinkFault) { try read(field, form[field.name], time) } catch { faults.append(error) }
        }
    }

    private mutating func read(_ field: LinkField, _ entry: String?, _ time: LocalTime) throws(LinkFault) {
        let text = Self.trimmed(entry ?? "")
        switch field.value {
        case .host: break
        case .slug: if let text { link.slug = try Slug.checked(text) }
        case .text(let path, _): link[keyPath: path] = text
        case .choice(let path, let words):
            if let text, !words.contains(text) {
                throw LinkFault(.invalidValue, field.name, "\(field.name) must be one of the list")
            }
            link[keyPath: path] = text
        case .list(let path):
            for part in (text ?? "").split(separator: ",") {
                let part = String(part.trimmedOfBlanks)
                guard !part.isEmpty, !link[keyPath: path].contains(part) else { continue }
                link[keyPath: path].append(part)
            }
        // A checkbox that is off is not sent.
        case .flag(let path): link[keyPath: path] = entry != nil
        case .time(let path):
            guard let text else { break }
            guard let time = time.time(text) else {
                let message = "\(field.name) must be a time such as 2026-12-31T23:00"
                throw LinkFault(.invalidValue, field.name, message)
            }
            link[keyPath: path] = time
        }
    }

    /// Without blanks at both ends, and with the line breaks of Unix; nil if nothing is left. Browsers send CRLF.
    private static func trimmed(_ text: String) -> String? {
        let lines = text.replacing("\r\n", with: "\n")
        guard let first = lines.firstIndex(where: { !$0.isWhitespace }),
            let last = lines.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(lines[first...last])
    }
}
