import InboundLinks
import QRCodes
import Redirects
import Storage
import Time

/// One link: what it has brought, its address and QR code, its fields, its preview, and where it leads.
struct LinkView {
    struct Line {
        var label: String
        var name: String
        var value: String
        /// Whether the value is the address of a web page. Other schemes could run something.
        var isWeb: Bool
    }

    /// What the crawler of a site with link previews reads.
    struct Preview {
        struct Tag {
            var property: String
            var content: String
        }

        var title: String
        var description: String
        var hasDescription: Bool
        var image: String
        var hasImage: Bool
        var host: String
        var tags: [Tag]
    }

    var url: String
    var address: String
    var isNew: Bool
    var figures: LinkFigures
    var state: String
    var stateText: String
    /// An SVG image.
    var code: String
    /// The text that the code holds.
    var codeText: String
    var codeSVG: String
    var codePNG: String
    var lines: [Line]
    var preview: Preview?
    /// What crawlers get in place of a preview.
    var noPreview: String
    var visitors: [LinkVisitorView]

    /// - Parameter codeText: what the QR code holds.
    init(_ link: Link, of app: App, codeText: String, figures: LinkFigures, isNew: Bool, now: Timestamp) {
        let time = LocalTime(timeZone: app.profile.timeZone)
        url = link.shortURL
        address = link.name
        self.isNew = isNew
        self.figures = figures
        state = LinkState(link, now: now).rawValue
        stateText =
            switch LinkState(link, now: now) {
            case .live: link.expiresAt.map { "until \(time.text($0))" } ?? ""
            case .disabled: "Visitors see that it has ended."
            case .expired: link.expiresAt.map { "since \(time.text($0))" } ?? ""
            }
        self.codeText = codeText
        // A link's address is far shorter than the longest text that a code holds.
        code = QRCode(codeText)?.svg ?? ""
        codeSVG = link.codeFile("svg")
        codePNG = link.codeFile("png")
        lines = Self.lines(link, time)
        let redirects = LinkVisitorView.samples.map { sample in
            (sample, LinkVisitorView.redirect(sample, to: link, of: app.linkApp, now: now))
        }
        visitors = redirects.map { LinkVisitorView($0.0, $0.1) }
        noPreview = visitors.last?.answer ?? ""
        if case .crawler(let page)? = redirects.last?.1.page {
            let image = link.preview.imageURL
            preview = Preview(
                title: page.title,
                description: page.description ?? "",
                hasDescription: page.description != nil,
                image: image ?? "",
                hasImage: image != nil,
                host: link.host,
                tags: page.tags.map { Preview.Tag(property: $0.property, content: $0.content) }
            )
        }
    }

    /// All fields that say something, in the order of the form.
    private static func lines(_ link: Link, _ time: LocalTime) -> [Line] {
        let times = ["created_at", "updated_at"].compactMap(LinkField.named)
        return (LinkField.ofForm + times).compactMap { field in
            let value =
                switch field.value {
                case .host: link.host
                case .slug: link.slug
                case .text(let path, _), .choice(let path, _): link[keyPath: path] ?? ""
                case .list(let path): link[keyPath: path].joined(separator: ", ")
                case .flag(let path): link[keyPath: path] ? "yes" : "no"
                case .time(let path): link[keyPath: path].map(time.text) ?? ""
                }
            // The slug is in the address above.
            guard !value.isEmpty, field.name != "slug" else { return nil }
            let scheme = value.prefix { $0 != ":" }.lowercased()
            var isWeb = false
            if case .address = field.control { isWeb = scheme == "https" || scheme == "http" }
            return Line(label: field.label, name: field.name, value: value, isWeb: isWeb)
        }
    }
}
