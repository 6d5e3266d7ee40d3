import Mustache

/// Writes the pages of links as HTML. They need no script, load nothing from elsewhere, and follow the reader's choice
/// of a dark screen.
package struct LinkPages: Sendable {
    private let library: MustacheLibrary

    package init() throws {
        var library = MustacheLibrary()
        for (name, text) in RedirectFiles.templates { try library.register(text, named: name) }
        self.library = library
    }

    /// - Parameter nonce: of this answer, as its ``PageHeaders`` have it.
    package func html(_ page: Page, nonce: String) -> String {
        switch page {
        case .interstitial(let page):
            render(InterstitialView(page, nonce), "interstitial")
        case .iPadCheck(let page):
            render(IPadCheckView(page, nonce), "ipad-check")
        case .crawler(let page):
            CrawlerPageHead(page).text + render(CrawlerView(page, nonce), "crawler")
        case .notice(let notice, let appName):
            render(NoticeView(notice, appName, nonce), "notice")
        }
    }

    private func render(_ view: Any, _ template: String) -> String {
        library.render(view, withTemplate: template) ?? ""
    }

    // The views hold HTML, and the templates take it as it is: Mustache escapes whole characters, so it would let a
    // quotation mark through that a combining accent follows.

    private struct ButtonView {
        var label: String
        var address: String
        var isFirst: Bool

        init(_ button: InterstitialPage.Button) {
            label = HTMLText.escaped(button.label)
            address = HTMLText.escaped(button.address)
            isFirst = button.isFirst
        }
    }

    private struct InterstitialView {
        var nonce: String
        var title: String
        var description: String?
        var appName: String
        var buttons: [ButtonView]

        init(_ page: InterstitialPage, _ nonce: String) {
            self.nonce = HTMLText.escaped(nonce)
            title = HTMLText.escaped(page.title)
            description = page.description.map(HTMLText.escaped)
            appName = HTMLText.escaped(page.appName)
            buttons = page.buttons.map { ButtonView($0) }
        }
    }

    private struct IPadCheckView {
        var nonce: String
        var web: String?
        var iPadAddress: String?
        var leadsToStore: Bool
        var interstitial: InterstitialView?
        var appName: String

        init(_ page: IPadCheckPage, _ nonce: String) {
            self.nonce = HTMLText.escaped(nonce)
            web = page.web.map(HTMLText.escaped)
            iPadAddress = page.iPadAddress.map(HTMLText.escaped)
            leadsToStore = page.leadsToStore
            interstitial = page.interstitial.map { InterstitialView($0, nonce) }
            appName = HTMLText.escaped(page.appName)
        }
    }

    private struct CrawlerView {
        var nonce: String
        var title: String
        var description: String?
        var address: String?
        var linkText: String

        init(_ page: CrawlerPage, _ nonce: String) {
            self.nonce = HTMLText.escaped(nonce)
            title = HTMLText.escaped(page.title)
            description = page.description.map(HTMLText.escaped)
            address = page.address.map(HTMLText.escaped)
            linkText = HTMLText.escaped(page.linkText)
        }
    }

    private struct NoticeView {
        var nonce: String
        var pageTitle: String
        var title: String
        var text: String?

        init(_ notice: Page.Notice, _ appName: String?, _ nonce: String) {
            self.nonce = HTMLText.escaped(nonce)
            let appName = appName.map(HTMLText.escaped)
            pageTitle = appName ?? "Link"
            switch notice {
            case .notAvailable:
                title = "Not available on this device"
                text = appName.map { "\($0) has no page and no app for this device." }
            case .expired:
                title = "This link has expired"
                text = appName.map { "It was a link of \($0)." }
            case .notFound:
                title = "There is no such link"
                text = (appName.map { "\($0) has no link at this address. " } ?? "") + "Check its spelling."
            }
        }
    }
}
