import Markup

/// Writes the pages of links as HTML. They need no script, load nothing from elsewhere, and follow the reader's choice
/// of a dark screen.
package struct LinkPages: Sendable {
    private let templates: HTMLTemplates

    package init() throws {
        templates = try HTMLTemplates(RedirectFiles.templates)
    }

    /// - Parameter nonce: of this answer, as its ``PageHeaders`` have it.
    package func html(_ page: Page, nonce: String) -> String {
        switch page {
        case .interstitial(let page): html(Self.values(page), "interstitial", nonce)
        case .iPadCheck(let page): html(Self.values(page), "ipad-check", nonce)
        case .crawler(let page): CrawlerPageHead(page).text + html(Self.values(page), "crawler", nonce)
        case .notice(let notice, let appName): html(Self.values(notice, appName: appName), "notice", nonce)
        }
    }

    private func html(_ values: [String: Any], _ template: String, _ nonce: String) -> String {
        var values = values
        values["nonce"] = nonce
        return templates.html(values, template)
    }

    // Dictionaries, because Mustache reads the fields of other values by reflection, which took half of the daemon's
    // time.

    private static func values(_ page: InterstitialPage) -> [String: Any] {
        var values: [String: Any] = [
            "title": page.title, "appName": page.appName,
            "buttons": page.buttons.map { button -> [String: Any] in
                ["label": button.label, "address": button.address, "isFirst": button.isFirst]
            },
        ]
        values["description"] = page.description
        return values
    }

    private static func values(_ page: IPadCheckPage) -> [String: Any] {
        var values: [String: Any] = ["appName": page.appName, "leadsToStore": page.leadsToStore]
        values["web"] = page.web
        values["iPadAddress"] = page.iPadAddress
        values["interstitial"] = page.interstitial.map { Self.values($0) }
        return values
    }

    private static func values(_ page: CrawlerPage) -> [String: Any] {
        var values: [String: Any] = ["title": page.title, "linkText": page.linkText]
        values["description"] = page.description
        values["address"] = page.address
        return values
    }

    private static func values(_ notice: Page.Notice, appName: String?) -> [String: Any] {
        var values: [String: Any] = ["pageTitle": appName ?? "Link"]
        switch notice {
        case .notAvailable:
            values["title"] = "Not available on this device"
            values["text"] = appName.map { "\($0) has no page and no app for this device." }
        case .expired:
            values["title"] = "This link has expired"
            values["text"] = appName.map { "It was a link of \($0)." }
        case .notFound:
            values["title"] = "There is no such link"
            values["text"] = (appName.map { "\($0) has no link at this address. " } ?? "") + "Check its spelling."
        }
        return values
    }
}
