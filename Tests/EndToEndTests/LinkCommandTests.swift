import Foundation
import JSONReading
import Testing

@testable import tributary

@Suite("tributary link")
struct LinkCommandTests {
    private static let vectors = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "RedirectsTests/Vectors/redirects.jsonl")

    /// Without a database: its address leads nowhere.
    private func link(_ arguments: [String], input: String? = nil) async throws -> Programs.Outcome {
        try await Programs.tributary(
            ["link"] + arguments,
            input: input,
            environment: ["DATABASE_URL": "postgresql://127.0.0.1:1/none"]
        )
    }

    @Test func triesEveryVector() async throws {
        let input = try String(contentsOf: Self.vectors, encoding: .utf8)
        let outcome = try await link(["try", "-"], input: input)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let lines = input.split(separator: "\n")
        let results = outcome.output.split(separator: "\n")
        #expect(results.count == lines.count)
        for (line, result) in zip(lines, results) {
            let vector = try JSONDocument(reading: line.utf8).root
            let result = try JSONDocument(reading: result.utf8).root
            #expect(result["id"]?.string == vector["id"]?.string)
            for (name, expected) in try #require(vector["expect"]).members {
                let actual = result[name]
                #expect(actual?.kind == expected.kind, "\(line)")
                #expect(actual?.string == expected.string, "\(line)")
                #expect(actual?.number == expected.number, "\(line)")
            }
        }
    }

    @Test func tellsWhatIsWrongWithALine() async throws {
        let outcome = try await link(
            ["try", "-"],
            input: """
                {"id":"a","user_agent":"Twitterbot/1.0"}
                {"id":"b","settings":{"target_url":"javascript:alert(1)"}}

                rubbish

                """
        )
        #expect(outcome.status == 65)
        let results = outcome.output.split(separator: "\n")
        #expect(results.count == 3)
        #expect(results[0].contains(#""outcome": "crawler_page""#))
        #expect(results[1].hasPrefix(#"{"id": "b", "error": "invalid_url", "field": "target_url", "message": "#))
        #expect(results[2].contains(#""error": "invalid_json""#))
        #expect(outcome.errors == "tributary: 2 lines could not be tried\n")
    }

    @Test func printsOneResultOrItsPage() async throws {
        let result = try await link(["try", "--user-agent", "curl/8", "--header", "Sec-Purpose: prefetch"])
        #expect(result.output.hasPrefix("{\n  \"outcome\": \"prefetch_refused\",\n  \"reason\": \"prefetch\","))
        let page = try await link(["try", "--user-agent", "Twitterbot/1.0", "--page"])
        #expect(page.output.hasPrefix("<!doctype html>\n"))
        #expect(page.output.hasSuffix("</html>\n"))
    }

    @Test func takesTheWordsOfEverySwitch() {
        #expect(["on", "true", "off", "false"].map(Switch.init(argument:)) == [.on, .on, .off, .off])
        #expect(["yes", "", "1"].compactMap(Switch.init(argument:)).isEmpty)
    }

    @Test func printsQRCodes() async throws {
        let text = try await link(["qr", "https://links.example.com/abc"])
        #expect(text.output.split(separator: "\n").count == 19)
        #expect(try await link(["qr", "https://links.example.com/abc", "--format", "svg"]).output.hasPrefix("<svg "))
    }

    @Test(arguments: [
        (["qr", String(repeating: "a", count: 2_332)], "2,331"), (["qr", "a", "--format", "gif"], "svg"),
        (["update", "abc"], "nothing to change"), (["try", "-", "--page"], "each line"),
        (["try", "--settings", "{\"slug\":\"v1\"}"], "slug"), (["try", "--settings", "rubbish"], "not JSON"),
        (["try", "--header", "rubbish"], "Name: value"), (["create", "--append-click-id"], "<on|off>"),
        (["try", "--settings", "{\"targte_url\":\"x\"}"], "target_url"),
    ])
    func tellsInOneLineWhatIsWrong(arguments: [String], hint: String) async throws {
        let outcome = try await link(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
        #expect(outcome.errors.count { $0 == "\n" } == 1)
    }
}
