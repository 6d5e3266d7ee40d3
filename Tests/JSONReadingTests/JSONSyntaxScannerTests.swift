import JSONReading
import RandomTesting
import Testing

@Suite("Positions of JSON errors")
struct JSONSyntaxScannerTests {
    private func firstError(_ bytes: [UInt8]) -> JSONSyntaxError? {
        bytes.withUnsafeBufferPointer { JSONSyntaxScanner.firstError(in: $0) }
    }

    @Test(arguments: [
        ("", "line 1, column 1: the text ends where an object or an array is expected; perhaps it was cut off"),
        (#"{"a":1,}"#, "line 1, column 7: found a trailing comma before }; remove the comma"),
        ("[1,\n 2,\n]", "line 2, column 3: found a trailing comma before ]; remove the comma"),
        (
            "{'a':1}",
            "line 1, column 2: found ' where a double quote is expected; "
                + "JSON takes only double quotes around texts and keys"
        ),
        (
            #"{"a":“b”}"#,
            "line 1, column 6: found U+201C where a double quote is expected; "
                + "JSON takes only double quotes around texts and keys"
        ),
        ("[NaN]", "line 1, column 2: found NaN, which JSON does not have; send null, or leave the field out"),
        (
            "[-Infinity]",
            "line 1, column 2: found -Infinity, which JSON does not have; send null, or leave the field out"
        ),
        ("[True]", "line 1, column 2: found True; JSON spells it true"),
        ("[None]", "line 1, column 2: found None; JSON spells it null"),
        ("[secret]", "line 1, column 2: found a word without quotes; put double quotes around texts and keys"),
        ("{a:1}", "line 1, column 2: found a word without quotes; put double quotes around texts and keys"),
        ("url=x", "line 1, column 1: found u where an object or an array is expected"),
        ("[1]\u{0}", "line 1, column 4: found U+0000 where the end of the text is expected"),
        ("[1 2]", "line 1, column 4: found 2 where a comma or ] is expected"),
        ("{\"é\":1\r\n \"b\":2}", "line 2, column 2: found \" where a comma or } is expected"),
        (#"{"é😀" 1}"#, "line 1, column 7: found 1 where a colon is expected"),
        ("[1,,2]", "line 1, column 4: found , where a value is expected"),
        ("[,1]", "line 1, column 2: found , where a value or ] is expected"),
        ("[01]", "line 1, column 2: found a malformed number; write it like 12.5, or put double quotes around a text"),
        (
            "[2026-11-21]",
            "line 1, column 2: found a malformed number; write it like 12.5, or put double quotes around a text"
        ),
        ("{ // x\n}", "line 1, column 3: found a comment; JSON has none"),
        (
            "[\"a\nb\"]",
            "line 1, column 4: found a line break inside a string; close the string, or write the line break as \\n"
        ),
        ("[\"a\tb\"]", "line 1, column 4: found a tab inside a string; write it as \\t"),
        ("[\"\u{1}\"]", "line 1, column 3: found U+0001 inside a string; escape control characters"),
        (#"{"a":"b"#, "line 1, column 8: the text ends inside a string; close the string with a double quote"),
        (#"{"a":1"#, "line 1, column 7: the text ends where a comma or } is expected; perhaps it was cut off"),
        (#"{"a":"#, "line 1, column 6: the text ends where a value is expected; perhaps it was cut off"),
        ("{]", "line 1, column 2: found ] where a key in double quotes or } is expected"),
        ("[1}", "line 1, column 3: found } where a comma or ] is expected"),
        ("{}\n{}", "line 2, column 1: found a second value on a line of its own after the end of the first"),
        ("{} {}", "line 1, column 4: found a second value after the end of the first"),
        ("{}}", "line 1, column 3: found } where the end of the text is expected"),
        ("7", "line 1, column 1: found a single value where an object or an array is expected"),
        ("7 x", "line 1, column 3: found x where the end of the text is expected"),
    ])
    func areNamed(_ text: String, _ description: String) {
        #expect(firstError(Array(text.utf8))?.description == description)
    }

    @Test func aByteThatIsNotUTF8IsNamed() {
        #expect(firstError([0x5B, 0xFF])?.reason == "found a byte that is not UTF-8 where a value or ] is expected")
    }

    @Test func depthIsBounded() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 2_000_000)
        #expect(firstError(deep)?.problem == .tooDeep(levels: 1_024))
    }

    /// Mutates valid texts. The scanner must find an error exactly in the texts that the parser refuses.
    @Test(arguments: TestSeeds.seeds(4))
    func existExactlyWhereTheParserRefuses(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "1e9", "-", "\n", "\t", " ", "\u{0}", "'", "NaN",
            "0", ".", "/*", "é", "\\u12", "{}", "[]", "\"a\":", "x", "+", "\u{7F}", "\u{1F}",
        ].map { Array($0.utf8) }
        var refused = 0
        for _ in 0..<4_000 {
            let valid = Array(Self.valid[Int(random.next() % UInt64(Self.valid.count))].utf8)
            var text = valid
            for _ in 0...random.next() % 3 {
                let position = Int(random.next() % UInt64(text.count + 1))
                let piece = pieces[Int(random.next() % UInt64(pieces.count))]
                switch random.next() % 4 {
                case 0: text.insert(contentsOf: piece, at: position)
                case 1: text.replaceSubrange(position..<min(position + piece.count, text.count), with: piece)
                case 2: text.removeSubrange(position..<min(position + 1 + Int(random.next() % 4), text.count))
                default: text.removeSubrange(position...)
                }
            }
            // A text that is no longer UTF-8 is refused for that.
            guard String(validating: text, as: UTF8.self) != nil else { continue }
            let isValid = (try? JSONDocument(reading: text)) != nil
            let error = firstError(text)
            #expect((error == nil) == isValid, "\(String(decoding: text, as: UTF8.self).debugDescription)")
            guard let error else { continue }
            refused += 1
            #expect(error.offset <= text.count)
            #expect(error.line >= 1 && error.column >= 1)
            #expect(error.reason.utf8.allSatisfy { 0x20..<0x7F ~= $0 }, "\(error.reason)")
        }
        #expect(refused > 1_000)
    }

    private static let valid = [
        #"{"a":[1,{"b":"cé\u00e9\\"},null,true,-1.5e3],"d":"e"}"#,
        "[]", "{}", #" { "a" : [ 1 , { "é" : "x\"y" } ] , "b":  -1.5  ,"c":{},"d": [ ] } "#,
        "[\n  {\"type\": \"install\", \"user_id\": \"u\"},\n  {\"type\": \"x\", \"properties\": {\"a\": [0, 0.1, 1E+2]}}\n]",
        #"{"events":[{"a":"\ud83d\ude00"},{"b":false}],"sent_at":"2026-11-21T12:00:00Z"}"#,
        #"["\x","\u12","\ud800",{"\x":1}]"#,
    ]
}
