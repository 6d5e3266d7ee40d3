import JSONReading
import Testing

@Suite("JSON documents")
struct JSONDocumentTests {
    private func read(_ text: String) throws -> JSONNode {
        try JSONDocument(reading: text.utf8).root
    }

    @Test func readsEveryKindOfValue() throws {
        let root = try read(#" {"n":null,"f":false,"t":true,"i":-12,"s":"a\nb","a":[1,[2]],"o":{"x":{}}} "#)
        #expect(root.kind == .object)
        #expect(root.count == 7)
        #expect(root["n"]?.kind == .null)
        #expect(root["f"]?.bool == false)
        #expect(root["t"]?.bool == true)
        #expect(root["i"]?.number == "-12")
        #expect(root["s"]?.string == "a\nb")
        #expect(root["a"]?.elements.map(\.kind) == [.number, .array])
        #expect(root["o"]?["x"]?.count == 0)
        #expect(root["missing"] == nil)
        #expect(root["s"]?["x"] == nil)
        #expect(root["i"]?.string == nil)
        #expect(root["s"]?.number == nil)
        #expect(root.members.map(\.key) == ["n", "f", "t", "i", "s", "a", "o"])
    }

    @Test(arguments: [
        "", " ", "{", "[", "}", "{}}", "{} {}", "[] x", "[1,]", "[,1]", "[1 2]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
        #"{"a" 1}"#, #"{a:1}"#, "{'a':1}", #"{"a":1"#, #"["a"#, #"["a]"#, "[nul]", "[nulls]", "[tru]", "[falsey]",
        "[01]",
        "[1.]", "[.5]", "[+1]", "[-]", "[1e]", "[1e+]", "[0x1]", "[NaN]", "[Infinity]", "[1_0]", "[--1]", #"{1:2}"#,
        #"{"a":1,,"b":2}"#, "[\"a\nb\"]", "[\"\u{1}\"]", "[]]", "[[]", "{]", "[}", "5", "\"a\"", "null", "true",
        "\u{0}", "[1]\u{0}",
    ])
    func rejectsWhatIsNoJSON(_ text: String) {
        #expect(throws: JSONError.malformed) { try JSONDocument(reading: text.utf8) }
    }

    @Test func everyTruncationIsRejected() throws {
        let text = Array(#"{"a":[1,{"b":"cé\u00e9\\"},null,true,-1.5e3],"d":"e"}"#.utf8)
        _ = try JSONDocument(reading: text)
        for end in text.indices {
            #expect(throws: JSONError.self) { try JSONDocument(reading: text[..<end]) }
        }
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x80],
        ] as [[UInt8]]
    )
    func rejectsInvalidUTF8(_ bytes: [UInt8]) {
        let text = Array("[\"".utf8) + bytes + Array("\"]".utf8)
        #expect(throws: JSONError.invalidUTF8) { try JSONDocument(reading: text) }
    }

    @Test func boundsTheDepth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth + 1) + String(repeating: "]", count: depth + 1)
        }
        _ = try JSONDocument(reading: nested(32).utf8)
        #expect(throws: JSONError.tooDeep) { try JSONDocument(reading: nested(33).utf8) }
        #expect(throws: JSONError.self) { try JSONDocument(reading: nested(100_000).utf8) }
        #expect(throws: JSONError.tooDeep) { try JSONDocument(reading: "[[]]".utf8, maximumDepth: 0) }
        _ = try JSONDocument(reading: "[1]".utf8, maximumDepth: 0)
    }

    @Test func boundsTheNumberOfValues() throws {
        _ = try JSONDocument(reading: "[1,2]".utf8, maximumNodes: 3)
        #expect(throws: JSONError.tooLarge) { try JSONDocument(reading: "[1,2,3]".utf8, maximumNodes: 3) }
    }

    @Test func ofARepeatedKeyTheLastWins() throws {
        let root = try read(#"{"a":1,"b":2,"a":3,"\u0061":4}"#)
        #expect(root["a"]?.number == "4")
        #expect(root.count == 4)
        #expect(root.members.map(\.key) == ["a", "b", "a", "a"])
    }

    @Test(arguments: ["0", "-0", "1e3", "1E-3", "1.50", "123456789012345678901234567890", "1e999", "-1.0e+10"])
    func numbersKeepTheirSpelling(_ number: String) throws {
        #expect(try read("[ \(number) ]").elements.map(\.number) == [number])
        #expect(try read("{\"a\":\(number)}")["a"]?.number == number)
    }

    @Test(arguments: [
        (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
        (#""\ud83d\ude00""#, "😀"),
        (#""\u0000""#, "\u{0}"), (#""é€😀""#, "é€😀"), (#""  ""#, "  "),
    ])
    func stringsAreUnescaped(_ json: String, _ expected: String) throws {
        #expect(try read("[\(json)]").elements.map(\.string) == [expected])
        #expect(try read("{\(json):1}").members.map(\.key) == [expected])
        #expect(try read("{\(json):1}")[expected]?.number == "1")
    }

    @Test(arguments: [#""\ud800""#, #""\udc00x""#, #""\ud800\ud800""#, #""\x""#, #""\u12""#, #""\u00zz""#])
    func aStringThatIsNoTextIsToldApart(_ json: String) throws {
        let root = try read(#"{"a":\#(json),"b":[\#(json)],"c":"d"}"#)
        #expect(root["a"]?.kind == .invalidString)
        #expect(root["a"]?.string == nil)
        #expect(root["c"]?.string == "d")
        #expect(root.count == 3)
    }

    @Test(arguments: [#""\ud800""#, #""\x""#])
    func aKeyThatIsNoTextIsPassedOver(_ key: String) throws {
        let root = try read(#"{\#(key):1,"b":2}"#)
        #expect(root["b"]?.number == "2")
        #expect(root.count == 2)
    }

    @Test func sourceRangesAreTheSpelling() throws {
        let text = " { \"a\" : [ 1 , { \"é\" : \"x\\\"y\" } ] , \"b\":  -1.5  ,\"c\":{},\"d\": [ ] } "
        let bytes = Array(text.utf8)
        let root = try read(text)
        func spelling(_ node: JSONNode?) -> String? {
            node.map { String(decoding: bytes[$0.sourceRange], as: UTF8.self) }
        }
        #expect(spelling(root) == text.trimmingBlanks)
        #expect(spelling(root["a"]) == "[ 1 , { \"é\" : \"x\\\"y\" } ]")
        #expect(root["a"]?.elements.map { spelling($0) } == ["1", "{ \"é\" : \"x\\\"y\" }"])
        #expect(spelling(root["a"]?.elements.map { $0 }.last?["é"]) == "\"x\\\"y\"")
        #expect(spelling(root["b"]) == "-1.5")
        #expect(spelling(root["c"]) == "{}")
        #expect(spelling(root["d"]) == "[ ]")
    }

    @Test func nodesKeepTheDocumentAlive() throws {
        var node: JSONNode?
        do {
            node = try JSONDocument(reading: #"{"a":{"b":"c"}}"#.utf8).root["a"]
        }
        #expect(node?["b"]?.string == "c")
    }

    @Test func anySequenceOfBytesIsRead() throws {
        let root = try JSONDocument(reading: #"{"a":1}"#.utf8.lazy.map { $0 }).root
        #expect(root["a"]?.number == "1")
        #expect(throws: JSONError.malformed) { try JSONDocument(reading: EmptyCollection<UInt8>()) }
    }

    @Test func manyDocumentsAreReadAtOnce() async {
        await withTaskGroup { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<500 {
                        let text = #"{"worker":\#(worker),"round":"\#(round)"}"#
                        let root = try? JSONDocument(reading: text.utf8).root
                        #expect(root?["worker"]?.number == String(worker))
                        #expect(root?["round"]?.string == String(round))
                    }
                }
            }
        }
    }

    /// Changes every byte of a text, one at a time. Each text is refused, or all its values lie inside the text.
    @Test func noChangeOfAByteIsTooMuch() throws {
        let text = Array(#"{"a":[1,{"b":"cé\u00e9\\"},null,true,-1.5e3],"d":"e"}"#.utf8)
        for index in text.indices {
            for byte in stride(from: UInt8(0), through: 255, by: 3) {
                var changed = text
                changed[index] = byte
                guard let document = try? JSONDocument(reading: changed) else { continue }
                #expect(document.root.sourceRange.upperBound <= changed.count)
                for member in document.root.members {
                    #expect(member.value.sourceRange.upperBound < changed.count)
                }
            }
        }
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
