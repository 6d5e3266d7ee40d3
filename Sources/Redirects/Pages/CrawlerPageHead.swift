import Markup

/// The first bytes of a crawler's page: its metadata, within 4 KB.
struct CrawlerPageHead {
    static let limit = 4096

    let text: String

    init(_ page: CrawlerPage) {
        var text = "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
        var room = Self.limit - text.utf8.count
        func add(_ lines: String) {
            guard lines.utf8.count <= room else { return }
            room -= lines.utf8.count
            text += lines
        }
        for tags in page.groups {
            add(tags.map { Self.line($0.property, $0.content) }.joined())
        }
        if let description = page.description { add(Self.line("description", description)) }
        self.text = text
    }

    private static func line(_ property: String, _ content: String) -> String {
        // Only Open Graph and its kin have properties; others are names.
        let attribute = property == "description" || property.hasPrefix("twitter:") ? "name" : "property"
        return "<meta \(attribute)=\"\(property)\" content=\"\(HTMLText.escaped(content))\">\n"
    }
}
