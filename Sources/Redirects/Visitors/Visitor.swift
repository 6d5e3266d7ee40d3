import Events

/// A request for a link: what of it decides where it leads.
package struct Visitor: Sendable {
    /// GET and HEAD lead somewhere; every other method is refused.
    package enum Method: Sendable {
        case get, head, other
    }

    package var method: Method
    /// As it came.
    package var target: RequestTarget
    package var agent: String
    package var headers = Headers()

    /// The headers that decide, apart from the user agent.
    package struct Headers: Sendable {
        /// `Sec-Purpose`, `Purpose`, `X-Purpose`, `X-Moz`.
        package var purposes: [String] = []
        /// Whether `Purpose` or `X-Purpose` says `preview`.
        package var isPreview = false
        package var secFetchDest: String?
        package var saysAndroid = false
        package var saysMobile = false
        /// `Sec-GPC: 1` or `DNT: 1`.
        package var wantsPrivacy = false
        package var referer: String?
        /// The first of `Accept-Language`, as a BCP 47 tag.
        package var language: String?
        /// `Accept-Language`, as it came.
        package var acceptedLanguages: String?

        package init() {}
    }

    /// - Parameters:
    ///   - target: path and query, as they came.
    ///   - headers: all headers. Names in any case.
    package init(method: String, target: String, headers: some Sequence<(name: String, value: String)>) {
        self.method =
            switch method {
            case "GET": .get
            case "HEAD": .head
            default: .other
            }
        self.target = RequestTarget(target)
        agent = ""
        for (name, value) in headers { read(name.lowercased(), value) }
    }

    private mutating func read(_ name: String, _ value: String) {
        switch name {
        case "user-agent":
            agent = agent.isEmpty ? value : agent + " " + value
        case "sec-purpose", "x-moz":
            headers.purposes.append(value.lowercased())
        case "purpose", "x-purpose":
            headers.purposes.append(value.lowercased())
            if value.lowercased().contains("preview") { headers.isPreview = true }
        case "sec-fetch-dest":
            headers.secFetchDest = Self.plain(value)
        case "sec-ch-ua-platform":
            headers.saysAndroid = Self.plain(value) == "android"
        case "sec-ch-ua-mobile":
            headers.saysMobile = Self.plain(value) == "?1"
        case "sec-gpc", "dnt":
            if Self.plain(value) == "1" { headers.wantsPrivacy = true }
        case "referer":
            headers.referer = value
        case "accept-language":
            headers.language = headers.language ?? LanguageTag.first(ofAccepted: value)
            headers.acceptedLanguages = headers.acceptedLanguages.map { "\($0),\(value)" } ?? value
        default: break
        }
    }

    /// In lower case, without quotation marks and blanks.
    private static func plain(_ value: String) -> String {
        value.lowercased().filter { $0 != "\"" && $0 != " " }
    }

    package var isPrefetch: Bool {
        headers.isPreview || headers.purposes.contains { $0.contains("prefetch") || $0.contains("prerender") }
    }

    /// Whether a person goes to a page, as far as the browser says: it does not load an image, a frame or data.
    package var isNavigation: Bool {
        headers.secFetchDest.map { $0 == "document" } ?? true
    }
}
