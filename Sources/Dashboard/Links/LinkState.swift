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
    /// Where the dashboard shows this link.
    var page: String { Self.pagePath + "?" + FormFields.encode(addressFields) }

    /// The link's QR code as a file.
    ///
    /// - Parameter kind: `svg` or `png`.
    func codeFile(_ kind: String) -> String { "/links/qr.\(kind)?" + FormFields.encode(addressFields) }

    static let pagePath = "/links/link"

    /// They name this link in the URLs of its pages.
    var addressFields: [(name: String, value: String)] { [("host", host), ("slug", slug)] }
}
