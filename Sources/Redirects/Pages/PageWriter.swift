import Markup

/// Writes the pages of one answer as HTML. They need no script, load nothing but the app's picture, and follow the
/// reader's choice of a dark screen.
struct PageWriter {
    let theme: PageTheme
    let carry: CarriedClick
    /// Of the answer, as its ``LinkHeaders`` have it.
    let nonce: String

    private static let style = HTML(markup: RedirectFiles.pageCSS)
    private static let iPadCheckScript = HTML(markup: RedirectFiles.ipadCheckJS)
    private static let copyingScript = HTML(markup: RedirectFiles.carryJS)

    func html(_ page: Page) -> String {
        let html =
            switch page {
            case .interstitial(let page):
                document(page.title, body: "<main>\n\(card(page))</main>\n\(carryScript)")
            case .iPadCheck(let page): self.html(page)
            case .crawler(let page): self.html(page)
            case .notice(let notice): self.html(notice)
            }
        return html.text
    }

    private func document(start: HTML? = nil, _ title: String, afterTitle: HTML? = nil, body: HTML) -> HTML {
        let direction: HTML? = theme.isRightToLeft ? " dir=\"rtl\"" : nil
        let ownStart: HTML =
            "<!doctype html>\n<html lang=\"\(theme.language)\"\(direction)>\n<head>\n<meta charset=\"utf-8\">\n"
        return """
            \(start ?? ownStart)<title>\(title)</title>
            \(afterTitle)<meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex">
            <link rel="icon" href="data:,">
            <style nonce="\(nonce)">
            \(Self.style)\(ownColors)</style>
            </head>
            <body>
            \(body)</body>
            </html>

            """
    }

    /// Texts on the page keep their colour: nobody knows whether the app's can be read there.
    private var ownColors: HTML? {
        theme.color.map {
            ":root{--accent:\($0.text);--on:\($0.textColor);--link:var(--text);--edge:var(--line);--ring:var(--text)}\n"
        }
    }

    private func paragraph(_ text: String?) -> HTML? {
        text.map { $0.isEmpty ? "" : "<p>\($0)</p>\n" }
    }

    /// The app's name, below its picture.
    private var brand: HTML {
        let logo: HTML? = theme.logo.map {
            "<img src=\"\($0)\" alt=\"\" width=\"64\" height=\"64\" decoding=\"async\" referrerpolicy=\"no-referrer\">\n"
        }
        return "\(logo)<p class=\"app\">\(theme.appName)</p>\n"
    }

    private func card(_ page: InterstitialPage) -> HTML {
        let buttons = page.buttons.reduce("" as HTML) { buttons, button in
            let look: HTML? = button.isFirst ? " class=\"first\"" : nil
            let target: HTML = "href=\"\(button.address)\"\(look) rel=\"nofollow\">\(button.label.html)</a>\n"
            return "\(buttons)\(button.leadsToStore && !carry.isEmpty ? carrying(target) : "<a \(target)")"
        }
        return """
            \(brand)<h1>\(page.title)</h1>
            \(paragraph(page.description))<nav>
            \(buttons)</nav>

            """
    }

    /// The button to the store with what the visitor takes along. The code comes first: the button leads away from it.
    private func carrying(_ target: HTML) -> HTML {
        let code: HTML? = carry.code.map { code in
            let groups = code.groups
            return """
                <p id="code-label">\(theme.text(.code).html)</p>
                <p id="code" class="code" dir="ltr"><span>\(groups[0])</span> <span>\(groups[1])</span></p>

                """
        }
        let copied: HTML? = carry.link.map { "data-copied=\"\($0)\" " }
        let note: HTML? = carry.link.map { _ in
            "<p id=\"copy\" class=\"note\" hidden>\(theme.text(.copy).html)</p>\n"
        }
        return "<div>\n\(code)<a id=\"get\" \(copied)\(target)\(note)</div>\n"
    }

    private var carryScript: HTML? {
        carry.link == nil ? nil : "<script nonce=\"\(nonce)\">\n\(Self.copyingScript)</script>\n"
    }

    private func html(_ page: IPadCheckPage) -> HTML {
        let refresh: HTML? = page.web.map {
            "<noscript><meta http-equiv=\"refresh\" content=\"0;url=\($0)\"></noscript>\n"
        }
        let web: HTML? = page.web.map {
            """
            <nav><a id="web" href="\($0)" class="first" rel="nofollow">\(theme.text(.continue).html)</a></nav>

            """
        }
        let hidden: HTML? = page.leadsToStore ? nil : " hidden"
        let app: HTML? = page.iPadAddress.map {
            "<nav\(hidden)><a id=\"app\" href=\"\($0)\" rel=\"nofollow\">\(theme.text(.get).html)</a></nav>\n"
        }
        let touch: HTML? = page.onIPad.map { "<main id=\"touch\" hidden>\n\(card($0))</main>\n" }
        return document(
            theme.appName,
            afterTitle: refresh,
            body: """
                <main id="wait">
                \(brand)<h1>\(theme.text(page.web == nil ? .notAvailable : .wait).html)</h1>
                \(web)\(app)</main>
                \(touch)<script nonce="\(nonce)">
                \(Self.iPadCheckScript)</script>
                \(carryScript)
                """
        )
    }

    private func html(_ page: CrawlerPage) -> HTML {
        let link: HTML? = page.address.map {
            "<nav><a class=\"first\" href=\"\($0)\">\(page.linkText.html)</a></nav>\n"
        }
        return document(
            start: HTML(markup: CrawlerPageHead(page).text),
            page.title,
            body: "<main>\n<h1>\(page.title)</h1>\n\(paragraph(page.description))\(link)</main>\n"
        )
    }

    private func html(_ notice: Page.Notice) -> HTML {
        let (title, text): (PageWord, PageWord) =
            switch notice {
            case .notAvailable: (.notAvailable, .notAvailableText)
            case .expired: (.expired, .expiredText)
            case .notFound: (.notFound, .notFoundText)
            }
        return document(
            theme.appName,
            body: """
                <main>
                \(brand)<h1>\(theme.text(title).html)</h1>
                <p>\(theme.text(text).html)</p>
                </main>

                """
        )
    }
}
