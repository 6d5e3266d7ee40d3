import Foundation
import Markup
import Testing

@testable import Dashboard

@Suite("Texts in pages")
struct EscapingTests {
    /// Swift takes a quotation mark with an accent for one character, which is no quotation mark.
    @Test func noTextEndsItsAttribute() throws {
        let text = "\"\u{301} autofocus onfocus=x '\u{301} <\u{301}b>"
        let pages = try Pages()
        let table = TableView.Head(column: "x", name: text, isNumber: false, meaning: text)
        let html = [
            pages.signIn(problem: text, target: text, email: text, hasUsers: true),
            pages.render(["heads": [table]], "figures"),
            // A partial.
            pages.render(["caption": text, "heads": [table]] as [String: Any], "table"),
        ]
        let escaped = "&quot;\u{301} autofocus onfocus=x &#39;\u{301} &lt;\u{301}b&gt;"
        for html in html {
            for hostile in ["\"\u{301}", "'\u{301}", "<\u{301}"] {
                #expect(Data(html.utf8).range(of: Data(hostile.utf8)) == nil, "\(html)")
            }
            #expect(Data(html.utf8).range(of: Data(escaped.utf8)) != nil)
        }
    }

    /// The name of a person or a ref must not turn around what stands beside it. A form sends back what it was given.
    @Test func noTextTurnsThePage() {
        let turning = "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}"
        let shown = #"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"#
        let field = "<input value=\"\(turning)&gt;\"><textarea rows=\"2\">\n\(turning)</textarea>"
        func tip(_ text: String) -> String {
            "<a href=\"\(turning)\" title=\"\(text)\" class=\"\(turning)\" aria-label=\"End: \(text)\">x</a>"
        }
        let page = "<p>\(turning) «é\u{301}» 👩\u{200D}💻</p>\(field)\(tip(turning))<b>\(turning)</b>"
        #expect(
            HTMLText.showingDirections(in: page)
                == "<p>\(shown) «é\u{301}» 👩\u{200D}💻</p>\(field)\(tip(shown))<b>\(shown)</b>"
        )
        #expect(HTMLText.showingDirections(in: "<p>é ’ x</p>") == "<p>é ’ x</p>")
    }
}
