import JSONReading
import Logging
import Testing
import Time

@testable import Settings

@Suite("A line of the log")
struct LogLineTests {
    private func line(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogLine {
        LogLine(
            time: Timestamp(microseconds: 1_795_588_874_120_834),
            level: .notice,
            message: message,
            metadata: metadata,
            logger: "tributaryd",
            source: "Ingest"
        )
    }

    @Test func beginsWithItsMessage() {
        let text = line("listening", ["port": "80", "address": "127.0.0.1:8080"]).text(as: .text)
        #expect(text == "2026-11-25T06:41:14.120834Z notice listening address=127.0.0.1:8080 port=80")
        #expect(line("stopped").text(as: .text) == "2026-11-25T06:41:14.120834Z notice stopped")
    }

    @Test(arguments: [
        ("word", "word"), ("", #""""#), ("two words", #""two words""#), (#"say "no""#, #""say \"no\"""#),
        ("a=b", #""a=b""#), ("line\nbreak\r\t", #""line\nbreak\r\t""#), ("\u{1B}[31mred", #""\u001b[31mred""#),
        ("\u{9B}2J", #""\u009b2J""#), ("\u{202E}evil", #""\u202eevil""#), ("Zoë", "Zoë"),
        ("\u{E0041}", #""\udb40\udc41""#),
    ])
    func quotesAValueThatIsNotAWord(value: String, shown: String) {
        #expect(line("m", ["key": "\(value)"]).text(as: .text).hasSuffix(" notice m key=\(shown)"))
    }

    @Test func listsValues() {
        #expect(line("m", ["names": ["a", "b"]]).text(as: .text).hasSuffix(" names=a,b"))
    }

    @Test func isOneLineWhateverItHolds() {
        for format in LogFormat.allCases {
            let text = line("a\nb\u{2028}c\u{85}d", ["k\ne\u{0}y": "v\nw", "list": ["\n", "\u{7F}"]]).text(as: format)
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
            #expect(!text.contains("\u{2028}"))
        }
    }

    @Test func isAnObjectOfJSON() throws {
        let metadata: Logger.Metadata = [
            "address": "127.0.0.1:8080", "reason": "\"no\" \u{1B}\u{9B}", "list": ["1", .dictionary(["a": "b"])],
        ]
        let text = line("listening\n", metadata).text(as: .json)
        let root = try JSONDocument(reading: text.utf8).root
        #expect(root["time"]?.string == "2026-11-25T06:41:14.120834Z")
        #expect(root["level"]?.string == "notice")
        #expect(root["message"]?.string == "listening\n")
        #expect(root["logger"]?.string == "tributaryd")
        #expect(root["source"]?.string == "Ingest")
        #expect(root["metadata"]?["reason"]?.string == "\"no\" \u{1B}\u{9B}")
        #expect(text.contains(#""list":["1",{"a":"b"}]"#))
        #expect(!line("stopped").text(as: .json).contains("metadata"))
    }
}
