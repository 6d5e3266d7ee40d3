import EventTesting
import Events
import RandomTesting
import Testing

/// What holds for every field of every type of events.
@Suite("Fields in every type")
struct FieldUseTests {
    @Test(arguments: FieldUse.all.filter(\.isFreeText), TestSeeds.seeds(1))
    func keepItsText(use: FieldUse, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let text = "zq" + String(UInt32.random(in: 0 ... .max, using: &random))
        let decoded = try event(use.body(value: use.example(with: text)))
        #expect("\(decoded)".contains(text))
    }

    /// As an earlier version stored it, which knew fewer secrets.
    @Test(arguments: FieldUse.all.filter(\.isFreeText))
    func loseASecretThatWasStored(use: FieldUse) throws {
        let (secret, placeholder) = ("&jwt=EAABsbCS1iHgBAKq", "zqzqzqzqzqzqzqzqzqzqz")
        let decoded = try event(use.body(value: use.example(with: placeholder)))
        let stored = EventJSON.encode(decoded).replacing(placeholder, with: secret)
        let old = try EventJSON.decode(stored.utf8)
        #expect("\(old)".contains("EAABsbCS1iHgBAKq"))
        #expect(!"\(StoredText.event(old))".contains("EAABsbCS1iHgBAKq"))
    }

    /// The values of a form are texts.
    @Test(arguments: FieldUse.all.filter { $0.type == .inboundLink || $0.type == .feedPost })
    func areReadFromForms(use: FieldUse) throws {
        // A form names the type by its path.
        let members = use.members().filter { $0.key != EventField.type.key }
        let form = members.map { member in
            let text = member.json.hasPrefix("\"") ? String(member.json.dropFirst().dropLast()) : member.json
            return "\(member.key)=\(escaped(member.key == EventField.ref.key ? "recipe" : text))"
        }
        let fromForm = try decode(form.joined(separator: "&"), as: .form, impliedType: use.type)
        let fromJSON = try decode(use.body())
        #expect(fromForm.events.first?.event.content == fromJSON.events.first?.event.content)
        #expect(fromForm.events.count == 1)
    }

    private func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16).padded
        }.joined()
    }
}

extension String {
    fileprivate var padded: String { count == 1 ? "0" + self : self }
}
