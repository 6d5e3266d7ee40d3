import Testing

@testable import Dashboard

@Suite("Form fields")
struct FormFieldsTests {
    @Test(arguments: ["plain", "a b", "ä&=?#+%", "install|authentication", "conversion:Käufe", "\u{1F600}"])
    func comeBackAsTheyWere(value: String) {
        let encoded = FormFields.encode([("from", "2026-01-01"), ("steps", value)])
        let fields = FormFields(encoded)
        #expect(fields["steps"] == value)
        #expect(fields["from"] == "2026-01-01")
        #expect(encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "a=%00", "a", "a=", "", "&&&", "=1"])
    func leaveOutWhatCannotBeRead(text: String) {
        #expect(FormFields(text)["a"] == nil)
    }
}
