import InboundLinks
import Text

/// What a link must fulfil (docs/redirects.md, *A link*).
package enum LinkRules {
    /// Everything that is wrong with a link, by field. None if it may be served.
    ///
    /// - Parameter linkHosts: the hosts of all apps, in lower case.
    package static func faults(of link: Link, in app: LinkApp, linkHosts: Set<String>) -> [LinkFault] {
        var faults: [LinkFault] = []
        func check(_ rule: () throws(LinkFault) -> Void) {
            do throws(LinkFault) { try rule() } catch { faults.append(error) }
        }
        check { () throws(LinkFault) in
            guard try Slug.checked(link.slug).utf8.elementsEqual(link.slug.utf8) else {
                throw LinkFault(.invalidSlug, "slug", "slug is not in Unicode's form NFC")
            }
        }
        let pages = [
            ("target_url", link.targetURL), ("mobile_url", link.mobileURL), ("expired_url", link.expiredURL),
        ]
        for case (let field, let url?) in pages {
            check { () throws(LinkFault) in
                try length(url, LinkLimits.url, field)
                let address = try WebAddress(url, field: field)
                if linkHosts.contains(address.host) { throw loop(field) }
            }
        }
        if let url = link.appURL {
            check { () throws(LinkFault) in
                try length(url, LinkLimits.tagURL, "app_url")
                let scheme = try AppAddress(url).scheme
                guard scheme == "http" || scheme == "https" else { return }
                if linkHosts.contains(try WebAddress(url, field: "app_url").host) { throw loop("app_url") }
            }
        }
        if let url = link.preview.imageURL {
            check { () throws(LinkFault) in
                try length(url, LinkLimits.tagURL, "image_url")
                _ = try WebAddress(url, field: "image_url")
            }
        }
        if link.targetURL == nil, link.appURL == nil, !app.isListed {
            faults.append(
                LinkFault(
                    .missingTarget,
                    "target_url",
                    "target_url is required, or app_url, or a store id or a package of the app: the link leads nowhere"
                )
            )
        }
        check { () throws(LinkFault) in try refs(link.refs) }
        let texts = [
            ("title", link.preview.title, LinkLimits.name),
            ("description", link.preview.description, LinkLimits.description),
            ("site_name", link.preview.siteName, LinkLimits.name), ("og_type", link.preview.ogType, LinkLimits.ogType),
            ("note", link.note, LinkLimits.note),
        ]
        for case (let field, let value?, let limit) in texts {
            check { () throws(LinkFault) in
                try length(value, limit, field)
                try plainText(value, field)
            }
        }
        if let campaign = link.campaign {
            check { () throws(LinkFault) in
                guard 1...LinkLimits.campaign ~= campaign.count else {
                    throw LinkFault(
                        .tooLarge,
                        "campaign",
                        "campaign must have 1 to \(LinkLimits.campaign) characters: the App Store accepts no more"
                    )
                }
                try plainText(campaign, "campaign")
            }
        }
        faults += secrets(in: link)
        return faults
    }

    /// A click stores the slug and the refs, and `tributary redact` would change them. Addresses are kept as they are.
    private static func secrets(in link: Link) -> [LinkFault] {
        let texts: [(field: String, values: [String?])] = [
            ("slug", [link.slug]), ("ref", link.refs), ("title", [link.preview.title]),
            ("description", [link.preview.description]), ("site_name", [link.preview.siteName]),
            ("og_type", [link.preview.ogType]), ("campaign", [link.campaign]), ("note", [link.note]),
        ]
        return texts.compactMap { field, values in
            guard values.contains(where: { $0.map { Redaction.redact($0) != $0 } ?? false }) else { return nil }
            return LinkFault(
                field == "slug" ? .invalidSlug : .invalidValue,
                field,
                "\(field) holds a secret, such as an access token; secrets are not stored"
            )
        }
    }

    private static func loop(_ field: String) -> LinkFault {
        LinkFault(.linkLoop, field, "\(field) is on a host of short links, so visitors would go round in circles")
    }

    private static func length(_ text: String, _ limit: Int, _ field: String) throws(LinkFault) {
        guard text.utf8.count <= limit else {
            throw LinkFault(.tooLarge, field, "\(field) is longer than \(limit) bytes")
        }
    }

    private static func plainText(_ text: String, _ field: String) throws(LinkFault) {
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control || $0 == "\n" }
        guard isPlain else {
            throw LinkFault(.invalidText, field, "\(field) contains control characters")
        }
    }

    private static func refs(_ refs: [String]) throws(LinkFault) {
        guard refs.count <= LinkLimits.refCount else {
            throw LinkFault(.tooLarge, "ref", "ref contains more than \(LinkLimits.refCount) refs")
        }
        for ref in refs {
            guard ref.utf8.count <= LinkLimits.ref else {
                throw LinkFault(.tooLarge, "ref", "ref contains a ref that is longer than \(LinkLimits.ref) bytes")
            }
            guard !ref.isEmpty, !ref.contains(","), ref != RefList.sentinel else {
                throw LinkFault(.invalidValue, "ref", "ref contains an empty ref, a comma or \(RefList.sentinel)")
            }
            guard !RowName.matches(ref) else {
                throw LinkFault(.invalidValue, "ref", "ref cannot be '\(ref)', the name of a row in reports")
            }
            try plainText(ref, "ref")
        }
    }
}
