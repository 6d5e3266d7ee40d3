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
        for field in LinkField.all {
            let name = field.name
            switch field.value {
            case .host, .choice, .flag, .time: break
            case .slug:
                check { () throws(LinkFault) in
                    guard try Slug.checked(link.slug).utf8.elementsEqual(link.slug.utf8) else {
                        throw LinkFault(.invalidSlug, name, "slug is not in Unicode's form NFC")
                    }
                }
                check { () throws(LinkFault) in try noSecret(link.slug, name, .invalidSlug) }
            case .list(let path):
                check { () throws(LinkFault) in try refs(link[keyPath: path], name) }
                for text in link[keyPath: path] { check { () throws(LinkFault) in try noSecret(text, name) } }
            case .text(let path, let kind):
                guard let text = link[keyPath: path] else { break }
                check { () throws(LinkFault) in try fulfils(text, kind, name, linkHosts) }
                // Addresses are kept as they are.
                if !kind.isAddress { check { () throws(LinkFault) in try noSecret(text, name) } }
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
        return faults
    }

    private static func fulfils(
        _ text: String,
        _ kind: LinkField.Text,
        _ field: String,
        _ linkHosts: Set<String>
    ) throws(LinkFault) {
        func page() throws(LinkFault) {
            if linkHosts.contains(try WebAddress(text, field: field).host) {
                throw LinkFault(
                    .linkLoop,
                    field,
                    "\(field) is on a host of short links, so visitors would go round in circles"
                )
            }
        }
        switch kind {
        case .page:
            try length(text, LinkLimits.url, field)
            try page()
        case .appAddress:
            try length(text, LinkLimits.tagURL, field)
            let scheme = try AppAddress(text).scheme
            if scheme == "http" || scheme == "https" { try page() }
        case .image:
            try length(text, LinkLimits.tagURL, field)
            _ = try WebAddress(text, field: field)
        case .plain(let limit):
            try length(text, limit, field)
            try plainText(text, field)
        case .campaign:
            guard 1...LinkLimits.campaign ~= text.count else {
                throw LinkFault(
                    .tooLarge,
                    field,
                    "\(field) must have 1 to \(LinkLimits.campaign) characters: the App Store accepts no more"
                )
            }
            try plainText(text, field)
        }
    }

    /// A click stores the slug and the refs, and `tributary redact` would change them.
    private static func noSecret(
        _ text: String,
        _ field: String,
        _ code: LinkFault.Code = .invalidValue
    ) throws(LinkFault) {
        guard Redaction.redact(text) == text else {
            throw LinkFault(code, field, "\(field) holds a secret, such as an access token; secrets are not stored")
        }
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

    private static func refs(_ refs: [String], _ field: String) throws(LinkFault) {
        guard refs.count <= LinkLimits.refCount else {
            throw LinkFault(.tooLarge, field, "\(field) contains more than \(LinkLimits.refCount) refs")
        }
        for ref in refs {
            guard ref.utf8.count <= LinkLimits.ref else {
                throw LinkFault(.tooLarge, field, "\(field) contains a ref that is longer than \(LinkLimits.ref) bytes")
            }
            guard !ref.isEmpty, !ref.contains(","), ref != RefList.sentinel else {
                throw LinkFault(.invalidValue, field, "\(field) contains an empty ref, a comma or \(RefList.sentinel)")
            }
            guard !RowName.matches(ref) else {
                throw LinkFault(.invalidValue, field, "\(field) cannot be '\(ref)', the name of a row in reports")
            }
            try plainText(ref, field)
        }
    }
}
