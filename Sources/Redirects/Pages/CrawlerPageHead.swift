import Markup

/// The first bytes of a crawler's page: its metadata, within 4 KB.
struct CrawlerPageHead {
    static let limit = 4096

    let text: String
    /// The tags of the page that fit.
    let tags: [CrawlerPage.Tag]

    init(_ page: CrawlerPage) {
        var tags: [CrawlerPage.Tag] = []
        var text = "<!doctype html>\n<html lang=\"\(page.language)\">\n<head>\n<meta charset=\"utf-8\">\n"
        var room = Self.limit - text.utf8.count
        func add(_ group: [CrawlerPage.Tag]) {
            let lines = group.map { Self.line($0.property, $0.content) }.joined()
            guard lines.utf8.count <= room else { return }
            room -= lines.utf8.count
            text += lines
            tags += group
        }
        for group in page.groups { add(group) }
        if let description = page.description { add([CrawlerPage.Tag("description", description)]) }
        self.text = text
        self.tags = tags
    }

    private static func line(_ property: String, _ content: String) -> String {
        // Only Open Graph and its kin have properties; others are names.
        let attribute = property == "description" || property.hasPrefix("twitter:") ? "name" : "property"
        return "<meta \(attribute)=\"\(property)\" content=\"\(HTMLText.escaped(content))\">\n"
    }
}
