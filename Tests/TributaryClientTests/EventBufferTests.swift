import Testing

@testable import TributaryClient
import RandomTesting

@Suite("The event buffer")
struct EventBufferTests {
    /// Every appended event comes out once and in order, and the limits hold at every moment.
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func keepsOrderAndLimits(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let limits = BatchLimits(
            events: Int.random(in: 1...5, using: &random),
            bytes: Int.random(in: 1...1000, using: &random)
        )
        let (byteLimit, eventLimit) = (4000, 20)
        var buffer = EventBuffer(byteLimit: byteLimit, eventLimit: eventLimit)
        var (taken, answered): ([EncodedEvent], [EncodedEvent]) = ([], [])
        var onTheirWay: [EncodedEvent] = []
        for number in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let user = String(repeating: "u", count: Int.random(in: 1...200, using: &random)) + "\(number)"
                let event = try EncodedEvent(.authentication(by: .user(user)))
                let room = taken.count - answered.count < eventLimit
                let bytes = taken.dropFirst(answered.count).reduce(0) { $0 + $1.json.count }
                if (try? buffer.append(event)) != nil {
                    #expect(room && bytes + event.json.count <= byteLimit)
                    taken.append(event)
                } else {
                    #expect(!room || bytes + event.json.count > byteLimit)
                }
            case 2 where onTheirWay.isEmpty:
                guard let batch = buffer.takeBatch(limits) else { break }
                #expect(batch.count <= limits.events)
                #expect(batch.count == 1 || batch.reduce(0) { $0 + $1.json.count } <= limits.bytes)
                onTheirWay = batch
            default:
                guard !onTheirWay.isEmpty else { break }
                if Bool.random(using: &random) {
                    buffer.ended(onTheirWay)
                    answered += onTheirWay
                } else {
                    buffer.putBack(onTheirWay)
                }
                onTheirWay = []
            }
            #expect(buffer.pendingCount == taken.count - answered.count)
        }
        #expect(Array(taken.prefix(answered.count)) == answered)
    }
}
