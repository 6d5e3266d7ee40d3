import Redirects
import Text
import Time

/// A link of another service: Bitly, Firebase Dynamic Links, Shlink, Rebrandly, Short.io, TinyURL, YOURLS or Kutt.
struct ForeignLink {
    /// The short link; nil if it gets a new slug.
    var short: Place?
    /// Further short links that lead to the same place (Bitly's custom back-halves).
    var others: [Place] = []
    /// Where it leads: a page, or a long Dynamic Link.
    var long: String
    var title: String?
    var name: String?
    var tags: [String] = []
    var createdAt: String?
    /// The place in the app.
    var appURL: String?

    /// Where a short link is.
    enum Place {
        /// `https://bit.ly/abc` or `bit.ly/abc`.
        case address(String)
        case slug(String, domain: String?)
    }

    /// What members and columns of other services mean, by their names without case, blanks and punctuation.
    private enum Meaning: CaseIterable {
        case address, slug, domain, otherAddresses, long, title, name, tags, createdAt

        var names: [String] {
            switch self {
            case .address:
                ["link", "bitlink", "shortlink", "shorturl", "shortdynamiclink", "dynamiclink", "tinyurl", "id"]
            case .slug: ["slug", "shortcode", "slashtag", "path", "alias", "keyword", "backhalf", "address"]
            case .domain: ["domain", "domainname"]
            case .otherAddresses: ["customlink", "customlinks", "custombitlink", "custombitlinks"]
            case .long:
                [
                    "longurl", "longlink", "longdynamiclink", "destination", "destinationurl", "originalurl",
                    "deeplink", "url", "target",
                ]
            case .title: ["title"]
            case .name: ["name", "linkname", "description"]
            case .tags: ["tags"]
            case .createdAt:
                ["createdat", "created", "datecreated", "creationtime", "createtime", "timestamp"]
            }
        }
    }

    private static let meanings = [String: Meaning](
        uniqueKeysWithValues: Meaning.allCases.flatMap { meaning in meaning.names.map { ($0, meaning) } }
    )

    private static func meaning(of name: String) -> Meaning? {
        meanings[
            String(
                decoding: name.utf8.filter { $0.isASCIILetter || $0.isASCIIDigit }.map(\.lowercasedASCII),
                as: UTF8.self
            )
        ]
    }

    /// Whether members or columns of these names describe links of another service.
    static func isDescribed(by names: some Collection<String>) -> Bool {
        names.contains { meaning(of: $0) == .long } && !names.contains { ["target_url", "app_url"].contains($0) }
    }

    /// The names of columns that are not read.
    static func unread(_ names: [String]) -> [String] { names.filter { meaning(of: $0) == nil } }

    /// Whether a name stands for the short link. Without one, links get random slugs.
    static func hasPlace(_ names: [String]) -> Bool {
        names.contains { [.address, .slug].contains(meaning(of: $0)) }
    }

    /// Whether a column holds several values.
    static func isList(_ name: String) -> Bool { [.tags, .otherAddresses].contains(meaning(of: name)) }

    init(long: String) {
        self.long = long
    }

    /// Reads members or columns. Of several with one meaning, the first that is not empty wins.
    init?(_ values: [(name: String, texts: [String])]) {
        var given: [Meaning: [String]] = [:]
        for (name, texts) in values {
            guard let meaning = Self.meaning(of: name), given[meaning] == nil else { continue }
            // Some services have numbers as ids.
            let isID = name.lowercased() == "id"
            let texts = texts.filter { !$0.isEmpty && (!isID || $0.contains("/")) }
            if !texts.isEmpty { given[meaning] = texts }
        }
        guard let long = given[.long]?.first else { return nil }
        self.long = long
        let slug = given[.slug]?.first.map { Place.slug($0, domain: given[.domain]?.first) }
        short = given[.address]?.first.map(Place.address) ?? slug
        others = (given[.otherAddresses] ?? []).map { $0.contains("/") ? .address($0) : .slug($0, domain: nil) }
        title = given[.title]?.first
        name = given[.name]?.first
        tags = given[.tags] ?? []
        createdAt = given[.createdAt]?.first
    }

    /// The links of the app that take its place. A host that is not the app's is replaced by its first.
    func links(in app: LinkApp, hosts: [String]) throws(LinkFault) -> ReadLinks {
        var template = Link(host: "", slug: "")
        var settings: [LinkAppSetting] = []
        if let dynamic = DynamicLink(long, hosts: hosts) {
            try dynamic.fill(&template)
            settings = dynamic.settings(differentFrom: app)
        } else {
            template.targetURL = long
        }
        template.preview.title = template.preview.title ?? title.map { Self.cut($0, to: LinkLimits.name) }
        template.appURL = template.appURL ?? appURL
        if let name { template.note = Self.cut(name, to: LinkLimits.note) }
        if template.refs.isEmpty { template.refs = Self.refs(tags) }
        template.createdAt = createdAt.flatMap(Self.time)
        var links: [Link] = []
        for place in [short].compactMap({ $0 }) + others {
            var link = template
            try Self.put(&link, at: place, hosts)
            if !links.contains(where: { $0.host == link.host && $0.slug == link.slug }) { links.append(link) }
        }
        return ReadLinks(
            links: links.isEmpty ? [template] : links,
            settings: settings,
            hasUnreadTime: createdAt != nil && template.createdAt == nil
        )
    }

    /// Gives a link the slug of a short link, and its host if it is the app's.
    private static func put(_ link: inout Link, at place: Place, _ hosts: [String]) throws(LinkFault) {
        var domain: String?
        var segments: ArraySlice<Substring>
        switch place {
        case .address(let text):
            segments = withoutScheme(text).prefix { $0 != "?" && $0 != "#" }.split(separator: "/")[...]
            domain = segments.popFirst().map(String.init)
        case .slug(let text, let stated):
            segments = text.split(separator: "/")[...]
            domain = stated.map { String(withoutScheme($0)) }
        }
        guard let last = segments.last else { throw LinkFault(.invalidSlug, "slug", "the short link has no slug") }
        guard segments.count == 1 else {
            throw LinkFault(
                .invalidSlug,
                "slug",
                "the short link has a path before its slug, and a link has none; leave the path out here, and let your "
                    + "proxy rewrite it (docs/redirects.md, Moving links)"
            )
        }
        if let host = domain.flatMap(LinkHost.named), hosts.contains(host) { link.host = host }
        let bytes = Array(last.utf8)
        guard let slug = PercentDecoding.text(bytes, bytes.indices, plusIsSpace: false) else {
            throw LinkFault(.invalidSlug, "slug", "the slug of the short link is not percent-encoded UTF-8")
        }
        link.slug = try Slug.checked(slug)
    }

    private static func withoutScheme(_ address: String) -> Substring {
        let scheme = ["https://", "http://"].first { address.lowercased().hasPrefix($0) }
        return address.dropFirst(scheme?.count ?? 0)
    }

    private static func refs(_ tags: [String]) -> [String] {
        var refs: [String] = []
        for part in tags.flatMap({ $0.split(separator: ",") }) {
            let ref = String(part.trimmed { $0 == " " })
            if !ref.isEmpty, ref.utf8.count <= LinkLimits.ref, !refs.contains(ref) { refs.append(ref) }
        }
        return Array(refs.prefix(LinkLimits.refCount))
    }

    /// The beginning of a text, in whole characters.
    static func cut(_ text: String, to bytes: Int) -> String {
        var cut = text
        while cut.utf8.count > bytes { cut.removeLast() }
        return cut
    }

    /// RFC 3339, also with an offset such as `+0000`, as Bitly writes it. Without an offset it is UTC, and a date alone
    /// is its first moment. Nil for other forms.
    private static func time(_ text: String) -> Timestamp? {
        var reader = TimeReader(format: .dateTime, zone: LocalZone("UTC"))
        return [text, text.dropLast(2) + ":" + text.suffix(2)].lazy.compactMap { reader.read(Array($0.utf8)[...]) }
            .first
    }
}
