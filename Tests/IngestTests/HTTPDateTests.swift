import Time
import Testing

@testable import Ingest

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (1_795_262_400, "Sat, 21 Nov 2026 12:00:00 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] as [(Int64, String)]
    )
    func isAnIMFFixdate(seconds: Int64, text: String) {
        #expect(HTTPDate(time: Timestamp(microseconds: seconds * 1_000_000)).description == text)
    }
}
