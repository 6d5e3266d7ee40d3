import RandomTesting
import Testing

@testable import Ingest

@Suite("Admission")
struct AdmissionTests {
    private static let empty = Admission(requestLimit: 2, byteLimit: 100)
    private static let principal = Principal(appNumber: 7, appID: "237", scope: .write, keyPrefix: "trib_write")

    @Test func admitsUpToBothLimits() {
        var admission = Self.empty
        expectEqual(admission.admit(of: 1, announcing: 60), .admitted)
        expectEqual(admission.extend(of: 1, by: 60), .admitted)
        expectEqual(admission.admit(of: 1, announcing: 41), .full(.bytes))
        expectEqual(admission.admit(of: 1, announcing: 40), .admitted)
        expectEqual(admission.admit(of: 1, announcing: 0), .full(.requests))
        #expect(admission.total == Admission.Usage(requests: 2, bytes: 60))
    }

    @Test func takesNoRoomForBytesThatHaveNotArrived() {
        var admission = Self.empty
        expectEqual(admission.admit(of: 1, announcing: 100), .admitted)
        #expect(admission.total.bytes == 0)
    }

    @Test func takesNothingWhenFull() {
        var admission = Self.empty
        _ = admission.admit(of: 1, announcing: 0)
        expectEqual(admission.extend(of: 1, by: 90), .admitted)
        expectEqual(admission.extend(of: 1, by: 11), .full(.bytes))
        #expect(admission.total.bytes == 90)
        expectEqual(admission.extend(of: 1, by: 10), .admitted)
    }

    @Test func givesAnAppItsShareOnly() {
        var admission = Admission(requestLimit: 8, byteLimit: 100, shares: 4)
        _ = admission.admit(of: 1, announcing: 0)
        _ = admission.admit(of: 1, announcing: 0)
        expectEqual(admission.admit(of: 1, announcing: 0), .full(.requestsOfApp))
        expectEqual(admission.extend(of: 1, by: 26), .full(.bytesOfApp))
        expectEqual(admission.extend(of: 1, by: 25), .admitted)
        expectEqual(admission.admit(of: 2, announcing: 25), .admitted)
    }

    @Test func letsTheOnlyRequestOfAnAppBeLargerThanAShare() {
        var admission = Admission(requestLimit: 8, byteLimit: 100, shares: 4)
        _ = admission.admit(of: 1, announcing: 0)
        expectEqual(admission.extend(of: 1, by: 60), .admitted)
        expectEqual(admission.admit(of: 1, announcing: 1), .full(.bytesOfApp))
    }

    @Test func doesNotOverflow() {
        var admission = Self.empty
        _ = admission.admit(of: 1, announcing: 50)
        expectEqual(admission.admit(of: 1, announcing: .max), .full(.bytes))
        expectEqual(admission.extend(of: 1, by: .max), .full(.bytes))
    }

    /// Whatever apps 1 to 3 do, they have no more than their shares, app 4 gets in, and all room is given back.
    @Test(arguments: TestSeeds.seeds(200))
    func keepsEveryAppToItsShare(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let shares = Int.random(in: 4...6, using: &random)
        var admission = Admission(
            requestLimit: Int.random(in: shares...40, using: &random),
            byteLimit: Int.random(in: 100...1_000, using: &random),
            shares: shares
        )
        var held: [(app: Int32, bytes: Int)] = []
        for _ in 0..<300 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let app = Int32.random(in: 1...3, using: &random)
                let announced = Int.random(in: 0...admission.limit.bytes, using: &random)
                if admission.admit(of: app, announcing: announced) == .admitted { held.append((app, 0)) }
            case 2 where !held.isEmpty:
                let index = held.indices.randomElement(using: &random) ?? 0
                let count = Int.random(in: 0...admission.share.bytes, using: &random)
                if admission.extend(of: held[index].app, by: count) == .admitted { held[index].bytes += count }
            case 3 where !held.isEmpty:
                let ended = held.remove(at: held.indices.randomElement(using: &random) ?? 0)
                admission.release(of: ended.app, bytes: ended.bytes)
            default: break
            }
            for (app, usage) in admission.apps {
                let requests = held.filter { $0.app == app }
                #expect(usage == Admission.Usage(requests: requests.count, bytes: requests.map(\.bytes).reduce(0, +)))
                #expect(usage.requests <= admission.share.requests)
                let largest = requests.map(\.bytes).max() ?? 0
                #expect(usage.bytes <= max(admission.share.bytes, largest), "seed \(seed)")
            }
            #expect(admission.total.requests == held.count)
            #expect(admission.total.bytes == held.map(\.bytes).reduce(0, +))
            #expect(admission.total.bytes <= admission.limit.bytes)
            var other = admission
            expectEqual(other.admit(of: 4, announcing: 0), .admitted)
        }
        for ended in held { admission.release(of: ended.app, bytes: ended.bytes) }
        #expect(admission.total == Admission.Usage())
        #expect(admission.apps.isEmpty)
    }

    @Test func givesATicketsPlaceBack() throws {
        let gate = AdmissionGate(Admission(requestLimit: 1, byteLimit: 10), retryAfter: .seconds(3))
        var ticket: AdmissionTicket? = try gate.admit(Self.principal, announcing: 1)
        try ticket?.cover(8)
        try ticket?.cover(5)
        #expect(throws: Problem.self) { try ticket?.cover(11) }
        let problem = #expect(throws: Problem.self) { try gate.admit(Self.principal) }
        #expect(problem?.retryAfter == .seconds(3))
        ticket = nil
        try gate.admit(Self.principal).cover(10)
    }
}
