import RandomTesting
import Testing
@testable import Timelines

@Suite("The parts of a scan")
struct ScanPartsTests {
    /// Connections come, go and come back in any order: every part and every share of the delta is read once.
    @Test(arguments: TestSeeds.seeds(100)) func areReadOnce(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let readers = Int.random(in: 1...16, using: &random)
        var parts = ScanParts([.postDetails, .posts, .links, .stories], readers: readers)
        var hasShare = Array(repeating: false, count: readers)
        var shares: [Range<Int>] = []
        var whole = 0
        var present = 1
        while !parts.isEmpty {
            if random.chance(30) { present = min(readers, present + 1) }
            let reader = Int.random(in: 0..<present, using: &random)
            switch parts.next(among: present, hasShare: &hasShare[reader]) {
            case .delta(let part): shares.append(part.shares)
            case .postDetails, .sharedDevices, .posts, .links, .stories: whole += 1
            case nil: Issue.record("there is a part")
            }
        }
        var nobody = false
        #expect(parts.next(among: present, hasShare: &nobody) == nil)
        #expect(whole == 4)
        shares.sort { $0.lowerBound < $1.lowerBound }
        #expect(shares.first?.lowerBound == 0)
        #expect(shares.last?.upperBound == DeltaScan.Part.whole.shares.upperBound)
        #expect(zip(shares, shares.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(shares.count <= readers)
    }

    /// Every statement passes over the whole delta.
    @Test func areFewForOneConnectionAlone() {
        var parts = ScanParts([.links], readers: 16)
        var hasShare = false
        var statements = 0
        while let part = parts.next(among: 1, hasShare: &hasShare) {
            if case .delta = part { statements += 1 }
        }
        #expect(statements == 2)
    }

    @Test(arguments: [(0, 1), (1, 1), (299_999, 1), (300_000, 2), (449_999, 2), (450_000, 3), (10_000_000, 16)])
    func needEnoughEvents(events: Int, readers: Int) {
        #expect(ScanSharing(connections: 16).readers(of: events) == readers)
        #expect(ScanSharing(connections: 2).readers(of: events) == min(2, readers))
        #expect(ScanSharing(connections: 1).readers(of: events) == 1)
    }
}
