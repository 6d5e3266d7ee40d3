import Foundation
import InboundLinks

/// Where a visit of a short link has led, as the phone or browser of the visitor sees it.
struct DemoLanding: Equatable {
    /// A web page that the browser opens, or on which the person continues.
    var web: String?
    /// The place in the app, without a browser's own wrapping.
    var app: String?
    /// What Google Play gives to the app after the install.
    var installReferrer: String?
    /// Whether there is a store, or a button that leads to one.
    var hasStore = false

    /// - Parameters:
    ///   - location: of a redirect.
    ///   - page: the HTML of an answer that is none.
    init(location: String?, page: String) {
        var addresses = location.map { [$0] } ?? []
        if location == nil {
            addresses = page.matches(of: /<a href="([^"]*)"/).map { Self.unescaped(String($0.1)) }
        }
        for address in addresses { take(address) }
    }

    private mutating func take(_ address: String) {
        let scheme = address.prefix { $0 != ":" }
        if address.hasPrefix("https://apps.apple.com/") {
            hasStore = true
        } else if address.hasPrefix("https://play.google.com/") {
            hasStore = true
            let query = URLComponents(string: address)?.queryItems ?? []
            installReferrer = query.first { $0.name == "referrer" }?.value
        } else if scheme == "https" || scheme == "http" {
            web = address
        } else if scheme == "intent", let end = address.range(of: "#Intent;scheme=") {
            // Android's browsers open `SCHEME:REST` for `intent:REST#Intent;scheme=SCHEME;…`.
            let rest = address[..<end.lowerBound].dropFirst("intent".count)
            app = String(address[end.upperBound...].prefix { $0 != ";" }) + rest
        } else {
            app = address
        }
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    /// The click's id that an address hands over.
    static func clickID(in address: String) -> String? {
        URLComponents(string: address)?.queryItems?.first { $0.name == "click_id" }?.value
    }
}
