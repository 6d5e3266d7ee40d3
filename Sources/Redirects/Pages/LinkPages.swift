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
        case .interstitial(let page):
            templates.html(InterstitialView(page, nonce), "interstitial")
        case .iPadCheck(let page):
            templates.html(IPadCheckView(page, nonce), "ipad-check")
        case .crawler(let page):
            CrawlerPageHead(page).text + templates.html(CrawlerView(page, nonce), "crawler")
        case .notice(let notice, let appName):
            templates.html(NoticeView(notice, appName, nonce), "notice")
        }
    }

    private struct InterstitialView {
        var nonce: String
        var title: String
        var description: String?
        var appName: String
        var buttons: [InterstitialPage.Button]

        init(_ page: InterstitialPage, _ nonce: String) {
            self.nonce = nonce
            title = page.title
            description = page.description
            appName = page.appName
            buttons = page.buttons
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
            self.nonce = nonce
            web = page.web
            iPadAddress = page.iPadAddress
            leadsToStore = page.leadsToStore
            interstitial = page.interstitial.map { InterstitialView($0, nonce) }
            appName = page.appName
        }
    }

    private struct CrawlerView {
        var nonce: String
        var title: String
        var description: String?
        var address: String?
        var linkText: String

        init(_ page: CrawlerPage, _ nonce: String) {
            self.nonce = nonce
            title = page.title
            description = page.description
            address = page.address
            linkText = page.linkText
        }
    }

    private struct NoticeView {
        var nonce: String
        var pageTitle: String
        var title: String
        var text: String?

        init(_ notice: Page.Notice, _ appName: String?, _ nonce: String) {
            self.nonce = nonce
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
