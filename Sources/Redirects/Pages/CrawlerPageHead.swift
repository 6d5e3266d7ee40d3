import Markup

/// The first bytes of a crawler's page: its metadata, within 4 KB.
struct CrawlerPageHead {
    static let limit = 4096

    let text: String

    init(_ page: CrawlerPage) {
        var text = "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
        var room = Self.limit - text.utf8.count
        func add(_ line: String) {
            guard line.utf8.count <= room else { return }
            room -= line.utf8.count
            text += line
        }
        for tag in page.tags {
            // Twitter's tags have a name in place of a property.
            let attribute = tag.property.hasPrefix("twitter:") ? "name" : "property"
            let escaped = HTMLText.escaped(tag.content)
            add("<meta \(attribute)=\"\(tag.property)\" content=\"\(escaped)\">\n")
        }
        if let description = page.description {
            add("<meta name=\"description\" content=\"\(HTMLText.escaped(description))\">\n")
        }
        self.text = text
    }
}
