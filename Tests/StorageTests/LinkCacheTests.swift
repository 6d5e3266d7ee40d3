import Events
import Time
import Testing

@testable import Storage

@Suite struct LinkCacheTests {
    private static let device = LinkCache.Key(.device, app: 1, "device")

    private static func time(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds) }
    private static func id(_ number: UInt64) -> EventID { EventID(high: 1, low: number) }

    @Test func knowsEventsThatAreLaterThanTheEarliest() {
        let known = LinkCache()
        known.begin(revision: 1)
        #expect(!known.isKnown(Self.device, before: Self.time(10), Self.id(2)))
        known.learn(Self.device, at: Self.time(10), Self.id(2))
        known.learn(Self.device, at: Self.time(12), Self.id(1))
        #expect(known.isKnown(Self.device, before: Self.time(11), Self.id(1)))
        #expect(known.isKnown(Self.device, before: Self.time(10), Self.id(3)))
        #expect(!known.isKnown(Self.device, before: Self.time(10), Self.id(1)))
        #expect(!known.isKnown(Self.device, before: Self.time(9), Self.id(3)))
        known.learn(Self.device, at: Self.time(9), Self.id(3))
        #expect(known.isKnown(Self.device, before: Self.time(10), Self.id(1)))
    }

    @Test func tellsKindsAndAppsApart() {
        let known = LinkCache()
        known.begin(revision: 1)
        known.learn(Self.device, at: Self.time(1), Self.id(1))
        for key in [LinkCache.Key(.click, app: 1, "device"), LinkCache.Key(.device, app: 2, "device")] {
            #expect(!known.isKnown(key, before: Self.time(2), Self.id(2)))
        }
    }

    @Test(arguments: [2, nil] as [Int64?]) func forgetsWhenLinksHaveBeenRemoved(revision: Int64?) {
        let known = LinkCache()
        known.begin(revision: 1)
        known.learn(Self.device, at: Self.time(1), Self.id(1))
        known.begin(revision: 1)
        #expect(known.isKnown(Self.device, before: Self.time(2), Self.id(2)))
        known.begin(revision: revision)
        #expect(!known.isKnown(Self.device, before: Self.time(2), Self.id(2)))
    }

    /// About 70 keys are lost, where five or more share the same four slots. With one slot for each key, about 1,900
    /// would be.
    @Test func remembersNearlyAllWhileAQuarterOfItsPlacesIsTaken() {
        let known = LinkCache()
        known.begin(revision: 1)
        let keys = (0..<16_384).map { LinkCache.Key(.device, app: 1, "device-\($0)") }
        for key in keys { known.learn(key, at: Self.time(1), Self.id(1)) }
        let remembered = keys.count { known.isKnown($0, before: Self.time(2), Self.id(2)) }
        #expect(remembered > 16_000)
    }
}
