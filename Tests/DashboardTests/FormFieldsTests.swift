import Testing

@testable import Dashboard

@Suite("Form fields")
struct FormFieldsTests {
    @Test(arguments: ["plain", "a b", "ä&=?#+%", "install|authentication", "conversion:Käufe", "\u{1F600}"])
    func comeBackAsTheyWere(value: String) throws {
        let encoded = FormFields.encode([("from", "2026-01-01"), ("steps", value)])
        let fields = try FormFields(encoded)
        #expect(fields["steps"] == value)
        #expect(fields["from"] == "2026-01-01")
        #expect(encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
    }

    @Test(arguments: ["a", "a=", "", "&&&", "=1"])
    func areNothingWhereNothingIsGiven(text: String) throws {
        #expect(try FormFields(text)["a"] == nil)
    }

    @Test(arguments: [
        ("a=%", "hexadecimal"), ("a=%4", "hexadecimal"), ("a=%zz", "hexadecimal"), ("a=%ff", "UTF-8"),
        ("a=%00", "U+0000"), ("a=1&b=2&%61=1", "‘a’: A parameter is given twice"),
    ])
    func refuseWhatCannotBeRead(text: String, reason: String) throws {
        let failure = try #require(throws: DashboardFailure.self) { try FormFields(text) }
        #expect("\(failure)".contains(reason))
    }
}
