/// The headers of every answer at a link, and those of pages.
package enum LinkHeaders {
    /// Every answer: nobody keeps it, because the next visitor may go elsewhere; search engines list the target, not
    /// the link.
    package static let always: [(name: String, value: String)] = [
        ("Cache-Control", "no-store"), ("X-Robots-Tag", "noindex"),
    ]

    /// - Parameters:
    ///   - nonce: base64, new for each answer, and the same in the page.
    ///   - logo: the address of the only picture that the page may load; nil: none.
    package static func page(nonce: String, logo: String? = nil) -> [(name: String, value: String)] {
        [
            ("Content-Type", "text/html; charset=utf-8"),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; img-src data:\(logo.map { " " + $0 } ?? ""); "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            ("Referrer-Policy", "strict-origin"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
        ]
    }

    /// All headers of an answer but its length.
    package static func all(_ redirect: Redirect, nonce: String) -> [(name: String, value: String)] {
        var headers = always
        if let location = redirect.location { headers.append(("Location", location)) }
        if redirect.outcome == .methodNotAllowed { headers.append(("Allow", "GET, HEAD")) }
        if redirect.page != nil { headers += page(nonce: nonce, logo: redirect.theme.logo) }
        return headers
    }
}
