import Redirects
import Text
import Time

/// A link of another service: Bitly, or Firebase Dynamic Links.
struct ForeignLink {
    /// The short link; nil if it gets a new slug.
    var short: String?
    /// Further short links that lead to the same place (Bitly's custom back-halves).
    var others: [String] = []
    /// Where it leads: a page, or a long Dynamic Link.
    var long: String
    var title: String?
    var name: String?
    var tags: [String] = []
    var createdAt: String?
    /// The place in the app.
    var appURL: String?

    /// The names of members and columns, in lower case and without other characters than letters and digits.
    private static let shortNames: Set = [
        "link", "bitlink", "shortlink", "shorturl", "shortdynamiclink", "dynamiclink", "id",
    ]
    private static let longNames: Set = [
        "longurl", "longlink", "longdynamiclink", "destination", "destinationurl", "originalurl", "deeplink",
    ]

    static func plainName(_ name: String) -> String {
        String(decoding: name.utf8.filter { $0.isASCIILetter || $0.isASCIIDigit }.map(\.lowercasedASCII), as: UTF8.self)
    }

    /// Whether members or columns of these names describe links of another service.
    static func isDescribed(by names: some Sequence<String>) -> Bool {
        !longNames.isDisjoint(with: names.map(plainName))
    }

    init(long: String) {
        self.long = long
    }

    /// Reads members or columns. The first name of the file that fits wins.
    init?(_ values: [(name: String, texts: [String])]) {
        var given: [String: [String]] = [:]
        for (name, texts) in values where given[Self.plainName(name)] == nil {
            given[Self.plainName(name)] = texts.filter { !$0.isEmpty }
        }
        func first(_ names: some Sequence<String>) -> String? { names.compactMap { given[$0]?.first }.first }
        guard let long = first(values.map { Self.plainName($0.name) }.filter(Self.longNames.contains)) else {
            return nil
        }
        self.long = long
        short = first(values.map { Self.plainName($0.name) }.filter(Self.shortNames.contains))
        others = given["custombitlinks"] ?? []
        title = first(["title"])
        name = first(["name", "linkname"])
        tags = given["tags"] ?? []
        createdAt = first(["createdat", "created", "datecreated", "creationtime", "createtime"])
    }

    /// The links of the app that take its place. A host that is not the app's is replaced by its first.
    func links(in app: LinkApp, hosts: [String]) throws(LinkFault) -> ReadLinks {
        var template = Link(host: "", slug: "")
        var settings: [LinkAppSetting] = []
        if let dynamic = DynamicLink(long) {
            try dynamic.fill(&template)
            settings = dynamic.settings(differentFrom: app)
        } else {
            template.targetURL = long
            template.preview.title = title.map { Self.cut($0, to: LinkLimits.name) }
        }
        template.appURL = template.appURL ?? appURL
        if let name { template.note = Self.cut(name, to: LinkLimits.note) }
        if template.refs.isEmpty { template.refs = Array(tags.flatMap(Self.refs).prefix(LinkLimits.refCount)) }
        template.createdAt = createdAt.flatMap { Timestamp(rfc3339: $0) }
        var links: [Link] = []
        for address in [short].compactMap({ $0 }) + others {
            var link = template
            try Self.place(&link, at: address, hosts)
            if !links.contains(where: { $0.host == link.host && $0.slug == link.slug }) { links.append(link) }
        }
        return ReadLinks(links: links.isEmpty ? [template] : links, settings: settings)
    }

    /// Gives a link the slug of a short link such as `https://bit.ly/abc` or `bit.ly/abc`, and its host if it is the
    /// app's.
    private static func place(_ link: inout Link, at address: String, _ hosts: [String]) throws(LinkFault) {
        var rest = address[...]
        for scheme in ["https://", "http://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
        }
        let parts = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        guard parts.count > 1, let host = parts.first, let last = parts.last else {
            throw LinkFault(.invalidSlug, "slug", "the short link has no slug")
        }
        if let host = LinkHost.named(by: String(host)), hosts.contains(host) { link.host = host }
        let bytes = Array(last.utf8)
        guard let slug = PercentDecoding.text(bytes, bytes.indices, plusIsSpace: false) else {
            throw LinkFault(.invalidSlug, "slug", "the slug of the short link is not percent-encoded UTF-8")
        }
        link.slug = try Slug.checked(slug)
    }

    private static func refs(_ tag: String) -> [String] {
        tag.split(separator: ",").map { String($0.trimmingPrefix { $0 == " " }) }
            .filter { !$0.isEmpty && $0.utf8.count <= LinkLimits.ref }
    }

    /// The beginning of a text, in whole characters.
    static func cut(_ text: String, to bytes: Int) -> String {
        var cut = text
        while cut.utf8.count > bytes { cut.removeLast() }
        return cut
    }
}
