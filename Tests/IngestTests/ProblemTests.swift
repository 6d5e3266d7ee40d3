import Events
import JSONReading
import Testing

@testable import Ingest

@Suite("Problems")
struct ProblemTests {
    @Test(arguments: ProblemCode.allCases)
    func isSeldomTheServersFault(code: ProblemCode) {
        #expect((400..<500).contains(code.status) || code.status == 503 || code == .internalError)
        #expect(!code.title.isEmpty)
    }

    @Test func writesAProblemDocument() {
        var problem = Problem(.invalidParameter, "say \"csv\"\nor json", field: "format")
        problem.allowed = ["csv", "json"]
        #expect(
            problem.document == #"""
                {"type":"urn:tributary:problem:invalid_parameter","title":"Invalid parameter","status":400,\#
                "detail":"say \"csv\"\nor json","code":"invalid_parameter","field":"format","allowed":["csv","json"]}
                """#
        )
    }

    @Test func escapesWhatJSONCannotHold() {
        var json = JSONWriter()
        json.object { $0.member("a\u{0}b", "\u{1}\u{7F}\u{2028}\\é😀") }
        #expect(json.text == #"{"a\u0000b":"\u0001\u007f\u2028\\é😀"}"#)
    }

    @Test(
        arguments: [
            (Duration.zero, 1), (.milliseconds(1), 1), (.seconds(1), 1), (.milliseconds(1_001), 2), (.seconds(90), 90),
        ] as [(Duration, Int64)]
    )
    func roundsRetryAfterUp(duration: Duration, seconds: Int64) {
        #expect(duration.wholeSecondsRoundedUp == seconds)
    }

    @Test func leavesOutWhatARejectionDoesNotHave() {
        var problem = Problem(.noValidEvent, "none")
        problem.rejections = [
            Rejection(index: 3, code: .invalidJSON, message: "the line is not JSON", redactedEvent: "x")
        ]
        #expect(
            problem.document.hasSuffix(
                #""rejected":[{"index":3,"code":"invalid_json","message":"the line is not JSON"}]}"#
            )
        )
    }
}
