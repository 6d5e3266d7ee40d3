import HTTPTypes
import Testing

@testable import Ingest

@Suite("Reading requests")
struct RequestReadingTests {
    @Test(arguments: [
        (nil, AnswerFormat.json),
        ("*/*", .json),
        ("text/csv", .csv),
        ("TEXT/CSV; charset=utf-8", .csv),
        ("text/*", .csv),
        ("application/json, text/csv", .json),
        ("application/json;q=0.5, text/csv", .csv),
        ("text/csv;q=0.5, */*", .json),
        ("text/csv, */*;q=0.1", .csv),
        ("text/csv;q=0", .json),
        ("text/html,application/xhtml+xml,*/*;q=0.8", .json),
        (",,;q=,junk", .json),
    ])
    func prefersTheFormatThatAcceptPrefers(accept: String?, format: AnswerFormat) {
        var headers = HTTPFields()
        if let accept { headers[.accept] = accept }
        #expect(AnswerFormat(accepting: headers) == format)
    }

    @Test(
        arguments: [
            ([], .json), ([""], .json), (["  "], .json), (["application/json;"], .json),
            (["application/JSON; charset=UTF8"], .json),
            (["application/json; charset=\"utf8\""], .json), (["application/json; charset=\"UTF-8\""], .json),
            (["application/json; charset='utf-8'"], .json), (["application/x-ndjson;charset=\"utf8\""], .ndjson),
            (["application/x-jsonlines"], .ndjson), (["application/json-lines; charset=utf-8"], .ndjson),
            (["application/jsonl"], .ndjson), (["text/json"], .json),
            (["application/x-www-form-urlencoded; charset=\"utf8\""], .form),
        ] as [([String], BatchFormat)]
    )
    func readsTheFormatOfABody(contentType: [String], format: BatchFormat) throws {
        #expect(try BatchFormat(contentType, acceptsForm: true) == format)
    }

    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
        ("Zm9vYmFy", "foobar"), ("Zm9vYg", "foob"),
    ])
    func readsBase64(text: String, expected: String) {
        // RFC 4648 section 10; padding may be left out.
        #expect(Base64.bytes(of: text) == Array(expected.utf8))
    }

    @Test(arguments: ["Z", "Zm9vY", "Zm 9v", "Zm9v====", "Zm9v\n", "=", "Zm=v", "é", "Zm9vYg="])
    func refusesWhatIsNotBase64(text: String) {
        #expect(Base64.bytes(of: text) == nil)
    }

    @Test(arguments: [
        ("", []),
        ("a=1&b=2", [["a", "1"], ["b", "2"]]),
        ("a=1&b=1&&c&A=2", [["a", "1"], ["b", "1"], ["c", ""], ["A", "2"]]),
        ("a%3D=b+c%2B%C3%A9&=x", [["a=", "b c+é"], ["", "x"]]),
        ("a=b=c", [["a", "b=c"]]),
        ("with=a&where=b&with=c", [["with", "a"], ["where", "b"], ["with", "c"]]),
    ])
    func readsAQuery(text: String, expected: [[String]]) throws {
        #expect(try QueryString(text).parameters.map { [$0.name, $0.value] } == expected)
    }

    @Test(arguments: [
        ("a=%", "hexadecimal", nil), ("a=%2", "hexadecimal", nil), ("a=%zz", "hexadecimal", nil),
        ("a=%FF", "UTF-8", nil), ("app=%00", "U+0000", nil), ("%00=1", "U+0000", nil),
        ("app=1&app=1", "given twice", "app"), ("app=1&%61pp=2", "given twice", "app"),
        ("a+b=1&a%20b=2", "given twice", "a b"), ("=1&=2", "given twice", ""),
    ])
    func refusesABadQuery(text: String, reason: String, field: String?) throws {
        let problem = try #require(throws: Problem.self) { try QueryString(text) }
        #expect(problem.code.status == 400)
        #expect(problem.detail.contains(reason))
        #expect(problem.field == field)
    }

    @Test(arguments: [
        ("/v1/events", "/v1/events", ""),
        ("/v1/inbound-links", "/v1/inbound-links", ""),
        ("/v1/feed-posts", "/v1/feed-posts", ""),
        ("/v1/reports/channels", "/v1/reports/{name}", "channels"),
        ("/v1/reports/a%20b+c", "/v1/reports/{name}", "a b+c"),
        ("/v1/reports/{name}", "/v1/reports/{name}", "{name}"),
        ("/healthz", "/healthz", ""),
        ("/readyz", "/readyz", ""),
        ("/metrics", "/metrics", ""),
        ("/openapi.yaml", "/openapi.yaml", ""),
    ])
    func findsARoute(path: String, pattern: String, parameter: String) throws {
        let found = try #require(Route.find(path))
        #expect(found.route.pattern == pattern)
        #expect(found.parameter == parameter)
    }

    @Test(arguments: [
        "/", "", "/v1", "/v1/events/", "/V1/events", "/v1/reports", "/v1/reports/", "/v1/reports/a/b",
        "/v1/reports/a%2Fb", "/v1/reports/%", "//v1/events", "*", "/v1/events%00",
    ])
    func findsNoRoute(path: String) {
        #expect(Route.find(path) == nil)
    }

    @Test func namesAReportByItsBytes() {
        let report = RenderedReport(bytes: [1, 2, 3], contentType: "text/csv")
        let tag = EntityTag(report)
        #expect(tag == EntityTag(report))
        #expect(tag != EntityTag(RenderedReport(bytes: [1, 2, 4], contentType: "text/csv")))
        #expect(tag != EntityTag(RenderedReport(bytes: [1, 2, 3], contentType: "application/json")))
        for value in [tag.text, "W/\(tag.text)", "\"x\", \(tag.text)", "*"] {
            #expect(tag.isMatched(by: [.ifNoneMatch: value]))
        }
        #expect(!tag.isMatched(by: [.ifNoneMatch: "\"x\""]))
        #expect(!tag.isMatched(by: [:]))
    }
}
