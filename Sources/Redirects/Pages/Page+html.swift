import Markup

extension Page {
    /// The page as HTML. It needs no script, loads nothing from elsewhere, and follows the reader's choice of a dark
    /// screen.
    ///
    /// - Parameter nonce: of this answer, as its ``LinkHeaders`` have it.
    package func html(nonce: String) -> String {
        let html: HTML =
            switch self {
            case .interstitial(let page):
                Self.document(page.title, nonce, body: "<main>\n\(Self.card(page))</main>\n")
            case .iPadCheck(let page): Self.html(page, nonce)
            case .crawler(let page): Self.html(page, nonce)
            case .notice(let notice, let appName): Self.html(notice, appName, nonce)
            }
        return html.text
    }

    private static let style = HTML(markup: RedirectFiles.pageCSS)
    private static let iPadCheck = HTML(markup: RedirectFiles.ipadCheckJS)

    private static func document(
        start: HTML = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        _ title: String,
        _ nonce: String,
        afterTitle: HTML? = nil,
        body: HTML
    ) -> HTML {
        """
        \(start)<title>\(title)</title>
        \(afterTitle)<meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <link rel="icon" href="data:,">
        <style nonce="\(nonce)">
        \(style)</style>
        </head>
        <body>
        \(body)</body>
        </html>

        """
    }

    private static func paragraph(_ text: String?) -> HTML? {
        text.map { $0.isEmpty ? "" : "<p>\($0)</p>\n" }
    }

    private static func card(_ page: InterstitialPage) -> HTML {
        let buttons = page.buttons.reduce("" as HTML) { buttons, button in
            let look: HTML? = button.isFirst ? " class=\"first\"" : nil
            return "\(buttons)<a href=\"\(button.address)\"\(look) rel=\"nofollow\">\(button.label)</a>\n"
        }
        return """
            <p class="app">\(page.appName)</p>
            <h1>\(page.title)</h1>
            \(paragraph(page.description))<nav>
            \(buttons)</nav>

            """
    }

    private static func html(_ page: IPadCheckPage, _ nonce: String) -> HTML {
        let refresh: HTML? = page.web.map {
            "<noscript><meta http-equiv=\"refresh\" content=\"0;url=\($0)\"></noscript>\n"
        }
        let web: HTML? = page.web.map {
            "<nav><a id=\"web\" href=\"\($0)\" class=\"first\" rel=\"nofollow\">Continue on the web</a></nav>\n"
        }
        let hidden: HTML? = page.leadsToStore ? nil : " hidden"
        let app: HTML? = page.iPadAddress.map {
            "<nav\(hidden)><a id=\"app\" href=\"\($0)\" rel=\"nofollow\">Get the app for iPad</a></nav>\n"
        }
        let touch: HTML? = page.interstitial.map { "<main id=\"touch\" hidden>\n\(card($0))</main>\n" }
        return document(
            page.appName,
            nonce,
            afterTitle: refresh,
            body: """
                <main id="wait">
                <p class="app">\(page.appName)</p>
                <h1>\(page.web == nil ? "Not available on this device" : "One moment" as HTML)</h1>
                \(web)\(app)</main>
                \(touch)<script nonce="\(nonce)">
                \(iPadCheck)</script>

                """
        )
    }

    private static func html(_ page: CrawlerPage, _ nonce: String) -> HTML {
        let link: HTML? = page.address.map {
            "<nav><a class=\"first\" href=\"\($0)\">\(page.linkText)</a></nav>\n"
        }
        return document(
            start: HTML(markup: CrawlerPageHead(page).text),
            page.title,
            nonce,
            body: "<main>\n<h1>\(page.title)</h1>\n\(paragraph(page.description))\(link)</main>\n"
        )
    }

    private static func html(_ notice: Notice, _ appName: String?, _ nonce: String) -> HTML {
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
        return document(appName ?? "Link", nonce, body: "<main>\n<h1>\(title)</h1>\n\(paragraph(text))</main>\n")
    }
}
