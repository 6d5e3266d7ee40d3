import RandomTesting
import Synchronization
import Testing

@testable import Ingest

@Suite("Admission")
struct AdmissionTests {
    private static let start = ContinuousClock.now
    private static let late = start.advanced(by: Admission.patience)

    /// Admits requests of one app each with these bytes.
    private func admission(
        _ requests: [(app: Int64, bytes: Int)],
        requestLimit: Int = 100,
        byteLimit: Int = 100,
        isShared: Bool = true
    ) -> Admission {
        var admission = Admission(requestLimit: requestLimit, byteLimit: byteLimit, isShared: isShared)
        for (number, request) in requests.enumerated() {
            expectEqual(admission.admit(UInt64(number), of: request.app, announcing: 0), .admitted)
            expectEqual(admission.extend(UInt64(number), by: request.bytes), .admitted)
        }
        return admission
    }

    @Test func admitsUpToBothLimits() {
        var admission = admission([(1, 60)], requestLimit: 2, isShared: false)
        expectEqual(admission.admit(1, of: 1, announcing: 41), .full(.bytes))
        expectEqual(admission.admit(1, of: 1, announcing: .max), .full(.bytes))
        expectEqual(admission.admit(1, of: 1, announcing: 40), .admitted)
        expectEqual(admission.admit(2, of: 1, announcing: 0), .full(.requests))
        // What is announced has not arrived.
        #expect(admission.total == Admission.Usage(requests: 2, bytes: 60))
        expectEqual(admission.extend(1, by: 41), .full(.bytes))
        expectEqual(admission.extend(1, by: 40), .admitted)
        admission.release(0)
        #expect(admission.total == Admission.Usage(requests: 1, bytes: 40))
    }

    @Test func givesAnAppAsMuchAsItLeavesFree() {
        var admission = admission([(1, 50)])
        expectEqual(admission.extend(0, by: 1), .full(.bytesOfApp))
        expectEqual(admission.admit(1, of: 2, announcing: 26), .full(.bytesOfApp))
        expectEqual(admission.admit(1, of: 2, announcing: 25), .admitted)
        expectEqual(admission.extend(1, by: .max), .full(.bytes))
        expectEqual(admission.extend(1, by: 25), .admitted)
        expectEqual(admission.admit(2, of: 3, announcing: 12), .admitted)
    }

    @Test func givesAnAppAsManyRequestsAsItLeavesFree() {
        var admission = admission([(1, 0), (1, 0), (1, 0), (1, 0)], requestLimit: 8)
        expectEqual(admission.admit(4, of: 1, announcing: 0), .full(.requestsOfApp))
        expectEqual(admission.admit(4, of: 2, announcing: 0), .admitted)
    }

    /// Whatever other apps do, one that has nothing gets in, and all room is given back.
    @Test(arguments: TestSeeds.seeds(200))
    func leavesRoomForOneMoreApp(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let apps = Int64.random(in: 1...5, using: &random)
        var admission = Admission(requestLimit: 1 << 10, byteLimit: 1 << 20, isShared: true)
        var held: [UInt64: (app: Int64, bytes: Int)] = [:]
        for number in 0..<UInt64(400) {
            let app = Int64.random(in: 1...apps, using: &random)
            if admission.admit(number, of: app, announcing: 0) == .admitted { held[number] = (app, 0) }
            for _ in 0..<3 {
                guard let one = held.keys.randomElement(using: &random) else { break }
                let count = Int.random(in: 0...1 << Int.random(in: 0...20, using: &random), using: &random)
                if admission.extend(one, by: count) == .admitted { held[one]?.bytes += count }
            }
            if Int.random(in: 0..<4, using: &random) == 0, let one = held.keys.randomElement(using: &random) {
                admission.release(one)
                held[one] = nil
            }
            for (app, usage) in admission.apps {
                let requests = held.values.filter { $0.app == app }
                #expect(usage == Admission.Usage(requests: requests.count, bytes: requests.map(\.bytes).reduce(0, +)))
            }
            #expect(admission.total.requests == held.count)
            #expect(admission.limit.bytes - admission.total.bytes >= admission.limit.bytes >> (2 * Int(apps)))
            var other = admission
            expectEqual(other.admit(1_000, of: 0, announcing: admission.limit.bytes >> (2 * Int(apps) + 1)), .admitted)
        }
        for number in held.keys { admission.release(number) }
        #expect(admission.total == Admission.Usage() && admission.apps.isEmpty)
    }

    @Test func takesRoomFromTheSlowestBodyOfAnAppThatHasMore() {
        var admission = admission([(1, 20), (1, 10), (2, 30), (3, 10)], isShared: false)
        admission.wait(for: 1, since: Self.start)
        admission.wait(for: 0, since: Self.start)
        admission.wait(for: 2, since: Self.start)
        admission.wait(for: 2, since: nil)
        admission.wait(for: 3, since: Self.start)
        func evicted(for app: Int64, bytes: Int, at now: ContinuousClock.Instant = Self.late) -> UInt64? {
            var copy = admission
            return copy.evict(because: .bytes, for: app, adding: Admission.Usage(bytes: bytes), at: now)
        }
        // Nobody is slow yet.
        #expect(evicted(for: 4, bytes: 5, at: Self.start) == nil)
        #expect(evicted(for: 4, bytes: 5) == 0)
        // Apps 2 and 4 would have as much as app 1.
        #expect(evicted(for: 2, bytes: 5) == nil)
        #expect(evicted(for: 4, bytes: 30) == nil)
        expectEqual(admission.evict(because: .bytes, for: 4, adding: .init(bytes: 15), at: Self.late), 0)
        #expect(admission.total == Admission.Usage(requests: 3, bytes: 50))
        // It has lost its room, and gets none again.
        expectEqual(admission.extend(0, by: 1), .full(.slow))
        admission.release(0)
        #expect(admission.total == Admission.Usage(requests: 3, bytes: 50))
    }

    private static func principal(_ app: Int32) -> Principal {
        Principal(appNumber: app, appID: "\(app)", scope: .write, keyPrefix: "trib_write")
    }

    @Test func givesATicketsPlaceBack() throws {
        let gate = AdmissionGate(Admission(requestLimit: 1, byteLimit: 10), retryAfter: .seconds(3))
        var ticket: AdmissionTicket? = try gate.admit(Self.principal(7), announcing: 1)
        try ticket?.cover(8)
        try ticket?.cover(5)
        #expect(throws: Problem.self) { try ticket?.cover(11) }
        let problem = #expect(throws: Problem.self) { try gate.admit(Self.principal(7)) }
        #expect(problem?.retryAfter == .seconds(3))
        ticket = nil
        try gate.admit(Self.principal(7)).cover(10)
    }

    /// Twenty silent apps have all room; the twenty-first gets in all the same.
    @Test func givesTheRoomOfSilentSendersToOthers() throws {
        let time = Mutex(Self.start)
        let ended = Mutex<[Int32]>([])
        let refused = Mutex<[Admission.Cause]>([])
        let gate = AdmissionGate(
            Admission(requestLimit: 100, byteLimit: 200),
            retryAfter: .seconds(1),
            onRefusal: { cause, _ in refused.withLock { $0.append(cause) } },
            now: { time.withLock { $0 } }
        )
        var silent: [AdmissionTicket] = []
        for app in 1...Int32(20) {
            let ticket = try gate.admit(Self.principal(app))
            try ticket.cover(10)
            ticket.waitForBody { problem in
                #expect(problem.code == .overloaded)
                ended.withLock { $0.append(app) }
            }
            silent.append(ticket)
        }
        let ticket = try gate.admit(Self.principal(21))
        #expect(throws: Problem.self) { try ticket.cover(5) }
        silent[0].bodyIsWhole()
        time.withLock { $0 = Self.late }
        try ticket.cover(5)
        #expect(ended.withLock { $0 } == [2])
        #expect(refused.withLock { $0 } == [.bytes, .slow])
        #expect(throws: Problem.self) { try silent[1].cover(11) }
    }
}
