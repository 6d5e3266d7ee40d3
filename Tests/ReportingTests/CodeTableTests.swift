@testable import Reporting
import Testing
@testable import Timelines

@Suite("Dictionaries of codes")
struct CodeTableTests {
    @Test func numbersTextsInTheOrderOfTheirAppearance() {
        var table = CodeTable()
        let texts = (0..<5000).map { "text \($0 % 2500)" } + ["", "é", "e\u{301}"]
        let codes = texts.map { table.code(of: $0) }
        #expect(table.count == 2503)
        for (text, code) in zip(texts, codes) { #expect(table.text(of: code).utf8.elementsEqual(text.utf8)) }
        #expect(codes[0].rawValue == 0 && codes[2500].rawValue == 0 && codes[1].rawValue == 1)
    }

    @Test func knowsTheRefsOfAListOnce() {
        let dictionary = TimelineDictionary()
        let list = dictionary.refList(["b", "a", "b", ""])
        #expect(dictionary.refs(of: list).map { dictionary.refs.text(of: $0) } == ["b", "a", ""])
        #expect(dictionary.refList(["b", "a", "b", ""]) == list)
        #expect(dictionary.refList(["a", "b"]) != list)
        #expect(dictionary.refList([]) == .none)
        #expect(dictionary.refs(of: .none).isEmpty)
    }
}
