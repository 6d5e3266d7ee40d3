import JSONReading

/// Spellings of JSON values.
enum JSONValueText {
    static func quoted(_ text: String) -> [UInt8] {
        var json: [UInt8] = []
        JSONWriter.appendQuoted(text.utf8, to: &json)
        return json
    }

    /// A number, true, false or null; nil for another text.
    static func scalar(_ text: String) -> [UInt8]? {
        switch kind(of: Array(text.utf8)[...]) {
        case .number, .true, .false, .null: Array(text.utf8)
        default: nil
        }
    }

    /// The kind of a JSON value; nil if the text is not JSON.
    static func kind(of text: ArraySlice<UInt8>) -> JSONNode.Kind? {
        var list: [UInt8] = [UInt8(ascii: "[")]
        list += text
        list.append(UInt8(ascii: "]"))
        guard let document = try? JSONDocument(reading: list), document.root.count == 1 else { return nil }
        return document.root.elements.first { _ in true }?.kind
    }
}
