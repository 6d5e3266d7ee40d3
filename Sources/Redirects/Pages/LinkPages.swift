import Markup

/// Writes the pages of links as HTML. They need no script, load nothing from elsewhere, and follow the reader's choice
/// of a dark screen.
package struct LinkPages: Sendable {
    private let forms: HTMLForms

    package init() throws {
        forms = HTMLForms(try HTMLTemplates(RedirectFiles.templates))
    }

    /// - Parameter nonce: of this answer, as its ``PageHeaders`` have it.
    package func html(_ page: Page, nonce: String) -> String {
        let nonce: TemplateValues = [("nonce", .text(nonce))]
        return switch page {
        case .interstitial(let page): forms.html(nonce + Self.values(page), "interstitial")
        case .iPadCheck(let page): forms.html(nonce + Self.values(page), "ipad-check")
        case .crawler(let page): CrawlerPageHead(page).text + forms.html(nonce + Self.values(page), "crawler")
        case .notice(let notice, let appName): forms.html(nonce + Self.values(notice, appName: appName), "notice")
        }
    }

    private static func values(_ page: InterstitialPage) -> TemplateValues {
        let buttons = page.buttons.map { button -> TemplateValues in
            [
                ("label", .text(button.label)), ("address", .text(button.address)), ("isFirst", .flag(button.isFirst)),
            ]
        }
        return [
            ("title", .text(page.title)), ("appName", .text(page.appName)), ("description", .text(page.description)),
            ("buttons", .list(buttons)),
        ]
    }

    private static func values(_ page: IPadCheckPage) -> TemplateValues {
        [
            ("appName", .text(page.appName)), ("leadsToStore", .flag(page.leadsToStore)), ("web", .text(page.web)),
            ("iPadAddress", .text(page.iPadAddress)),
            ("interstitial", .part(page.interstitial.map { values($0) })),
        ]
    }

    private static func values(_ page: CrawlerPage) -> TemplateValues {
        [
            ("title", .text(page.title)), ("linkText", .text(page.linkText)), ("description", .text(page.description)),
            ("address", .text(page.address)),
        ]
    }

    private static func values(_ notice: Page.Notice, appName: String?) -> TemplateValues {
        let (title, text): (String, String?) =
            switch notice {
            case .notAvailable:
                ("Not available on this device", appName.map { "\($0) has no page and no app for this device." })
            case .expired: ("This link has expired", appName.map { "It was a link of \($0)." })
            case .notFound:
                (
                    "There is no such link",
                    (appName.map { "\($0) has no link at this address. " } ?? "") + "Check its spelling."
                )
            }
        return [("pageTitle", .text(appName ?? "Link")), ("title", .text(title)), ("text", .text(text))]
    }
}
