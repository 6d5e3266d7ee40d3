import Foundation
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
}
