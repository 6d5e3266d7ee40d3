import Markup
import RandomTesting
import Testing

@Suite("Forms of pages")
struct HTMLFormTests {
    private static let templates = [
        (
            name: "page",
            text: """
            {{title}}{{#hint}} <b title="{{hint}}">{{title}}</b>{{/hint}}{{^hint}} none{{/hint}}
            {{#isOpen}}open {{nonce}}{{/isOpen}}{{^isOpen}}closed{{/isOpen}} {{> list}}
            {{#inner}}<i>{{hint}} {{title}}</i>
            {{> list}}{{/inner}}
            """
        ),
        (name: "list", text: "[{{#items}}<a href=\"{{address}}\"{{#first}} class=1{{/first}}>{{nonce}}</a>{{/items}}]"),
    ]

    private static func values(_ random: inout SeededRandom, depth: Int = 0) -> TemplateValues {
        let texts = ["", "a", "<\"'&>", "\u{F8FF}0\u{F8FF}", "{{title}}", "ü\u{301}\u{0}", "0"]
        let items = (0..<Int.random(in: 0...3, using: &random)).map { index -> TemplateValues in
            [("address", .text(random.pick(texts))), ("first", .flag(index == 0))]
        }
        return [
            ("nonce", .text("n0nce")), ("title", .text(random.pick(texts))),
            ("hint", .text(random.pickOrNone(texts, percent: 70))), ("isOpen", .flag(random.chance(50))),
            ("items", .list(items)),
            ("inner", .part(depth == 0 && random.chance(50) ? values(&random, depth: 1) : nil)),
        ]
    }

    private static func dictionary(_ values: TemplateValues) -> [String: Any] {
        var dictionary: [String: Any] = [:]
        for (name, value) in values {
            switch value {
            case .text(let text): dictionary[name] = text
            case .flag(let flag): dictionary[name] = flag
            case .part(let part): dictionary[name] = part.map(Self.dictionary)
            case .list(let list): dictionary[name] = list.map(Self.dictionary)
            }
        }
        return dictionary
    }

    /// Whatever the texts are, marks and templates among them.
    @Test func areFilledAsMustacheWouldWriteThem() throws {
        let templates = try HTMLTemplates(Self.templates)
        let forms = HTMLForms(templates)
        var random = SeededRandom(seed: 7)
        for _ in 0..<3_000 {
            let values = Self.values(&random)
            #expect(forms.html(values, "page") == templates.html(Self.dictionary(values), "page"))
        }
    }
}
