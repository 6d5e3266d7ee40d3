import Testing

@testable import Ingest

@Suite("Admission")
struct AdmissionTests {
    private static let empty = Admission(requestLimit: 2, byteLimit: 100, retryAfter: .seconds(3))

    @Test func admitsUpToBothLimits() {
        var admission = Self.empty
        expectEqual(admission.admit(bytes: 60), .admitted)
        expectEqual(admission.admit(bytes: 41), .full(retryAfter: .seconds(3)))
        expectEqual(admission.admit(bytes: 40), .admitted)
        expectEqual(admission.admit(bytes: 0), .full(retryAfter: .seconds(3)))
        #expect([admission.requests, admission.bytes] == [2, 100])
    }

    @Test func takesNothingWhenFull() {
        var admission = Self.empty
        _ = admission.admit(bytes: 90)
        expectEqual(admission.extend(by: 11), .full(retryAfter: .seconds(3)))
        #expect(admission.bytes == 90)
        expectEqual(admission.extend(by: 10), .admitted)
    }

    @Test func admitsAgainAfterRelease() {
        var admission = Self.empty
        _ = admission.admit(bytes: 100)
        admission.release(bytes: 100)
        expectEqual(admission.admit(bytes: 100), .admitted)
        #expect(admission.requests == 1)
    }

    @Test func doesNotOverflow() {
        var admission = Self.empty
        _ = admission.admit(bytes: 50)
        expectEqual(admission.admit(bytes: .max), .full(retryAfter: .seconds(3)))
        expectEqual(admission.extend(by: .max), .full(retryAfter: .seconds(3)))
    }

    @Test func givesATicketsPlaceBack() throws {
        let gate = AdmissionGate(Admission(requestLimit: 1, byteLimit: 10, retryAfter: .seconds(1)))
        var ticket: AdmissionTicket? = try gate.admit(bytes: 1)
        try ticket?.cover(8)
        try ticket?.cover(5)
        #expect(throws: Problem.self) { try ticket?.cover(11) }
        #expect(throws: Problem.self) { try gate.admit(bytes: 0) }
        ticket = nil
        _ = try gate.admit(bytes: 10)
    }
}
