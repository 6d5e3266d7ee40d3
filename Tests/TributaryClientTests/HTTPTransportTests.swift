import Foundation
import NIOHTTP1
import Testing

@testable import TributaryClient

@Suite("Answers of the server")
struct HTTPTransportTests {
    @Test(
        arguments: [
            (200, nil, #"{"accepted":1,"duplicates":0,"stored":"database","rejected":[]}"#, Delivery.stored([])),
            (202, nil, #"{"accepted":1,"duplicates":0,"stored":"spool","rejected":[]}"#, .stored([])),
            (
                200, nil,
                #"{"accepted":1,"rejected":[{"index":3,"event_id":null,"code":"junk_id","message":"nobody"}]}"#,
                .stored([Rejection(index: 3, code: "junk_id", message: "nobody")])
            ),
            (
                422, nil, #"{"code":"no_valid_event","rejected":[{"index":0,"code":"too_old","message":"old"}]}"#,
                .stored([Rejection(index: 0, code: "too_old", message: "old")])
            ),
            (413, nil, #"{"code":"body_too_large"}"#, .tooLarge),
            (429, "3", #"{"code":"rate_limited"}"#, .failed("rate_limited", retryAfter: .seconds(3))),
            (503, "1", #"{"code":"unavailable"}"#, .failed("unavailable", retryAfter: .seconds(1))),
            (503, "soon", "", .failed("status 503", retryAfter: nil)),
            (502, nil, "<html>", .failed("status 502", retryAfter: nil)),
            (401, nil, #"{"code":"unknown_key","detail":"No such key."}"#, .refused("401 unknown_key: No such key.")),
            (404, nil, "", .refused("404 Not Found: ")),
        ] as [(Int, String?, String, Delivery)]
    )
    func areRead(status: Int, retryAfter: String?, body: String, expected: Delivery) {
        let delivery = HTTPTransport.delivery(
            status: HTTPResponseStatus(statusCode: status),
            retryAfter: retryAfter,
            body: Data(body.utf8)
        )
        #expect(delivery == expected)
    }

    @Test func answerTimesWithMilliseconds() {
        #expect(Date(timeIntervalSince1970: 1_769_851_800.25).rfc3339 == "2026-01-31T09:30:00.250Z")
    }

    @Test func idsAreOfVersion7AndInOrder() {
        let ids = (0..<100).map { UUID(version7At: Date(timeIntervalSince1970: Double($0))).uuidString }
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy { $0.dropFirst(14).first == "7" && "89AB".contains($0.dropFirst(19).first ?? " ") })
        #expect(Set(ids).count == 100)
    }
}
