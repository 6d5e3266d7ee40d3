import Redirects
import Time

/// Whether a link leads anywhere.
enum LinkState: String {
    case live, disabled, expired

    init(_ link: Link, now: Timestamp) {
        self = link.disabled ? .disabled : link.isExpired(at: now) ? .expired : .live
    }
}

extension Link {
    /// The short link without its scheme, as people say it.
    var spokenAddress: String { "\(host)/\(slug)" }

    /// Where the dashboard shows this link.
    var page: String { "/links/link?" + addressQuery }

    /// The link's QR code as a file.
    ///
    /// - Parameter kind: `svg` or `png`.
    func codeFile(_ kind: String) -> String { "/links/qr.\(kind)?" + addressQuery }

    private var addressQuery: String { FormFields.encode([("host", host), ("slug", slug)]) }
}
