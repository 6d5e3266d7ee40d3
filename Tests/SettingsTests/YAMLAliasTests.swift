import Testing
import Text

@testable import Settings

@Suite("Aliases in YAML")
struct YAMLAliasTests {
    @Test(arguments: [
        "a: &x 1\nb: *x\n", "a: &x [1]\n? *x : 2\n", "{a: &x 1, b: *x}", "[&x a,*x]", "- &x-1 a\n- {*x-1 : b}\n",
        "\u{FEFF}&x a: *x",
    ])
    func areFound(yaml: String) {
        #expect(YAMLAliases.problem(in: yaml)?.contains("*x") == true)
    }

    @Test(arguments: [
        "a: Tom & Jerry * 2", "path: /sale*\nurl: https://a.example/?a=1&sale=2", "when: \"*\"", "a: *x", "a: &x 1",
        "a: b*x&x", "",
    ])
    func areNotSeenInOtherTexts(yaml: String) {
        #expect(YAMLAliases.problem(in: yaml) == nil)
    }

    @Test func areRefusedInSettings() {
        let bomb =
            "a: &a [x]\n" + (1...30).map { "b\($0): &b\($0) [*b\($0 - 1), *b\($0 - 1)]\n" }.joined() + "? *b30 : x\n"
        let error = #expect(throws: SettingsError.self) { try SettingsFile(path: "f.yaml", text: bomb) }
        #expect(error?.message == "f.yaml, line 3: aliases are not taken; write what *b1 stands for")
    }
}
