import Events
import InboundLinks
@testable import Storage
import Testing

/// CONTRACT.md section 3: the earliest event that carries both decides, whatever the order of arrival.
@Suite("People")
struct PeopleTests {
    typealias Base = StorageTesting

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]])
    func theEarliestUserHasTheDevice(order: [Int]) async throws {
        let events = [
            Base.event(1, at: Base.noon.advanced(by: .seconds(10)), user: "late", device: "d"),
            Base.event(3, user: "twin", device: "d"),
            Base.event(2, user: "early", device: "d"),
        ]
        try await Base.with { base in
            for position in order { try await base.store([events[position]]) }
            #expect(try await base.texts("select user_id from device_link") == ["early"])
        }
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func aClickStandsForTheEarliestOwner(order: [Int]) async throws {
        let events = [
            Base.event(1, device: "d", click: "c"),
            Base.event(2, at: Base.noon.advanced(by: .seconds(1)), user: "u", click: "c"),
        ]
        try await Base.with { base in
            for position in order { try await base.store([events[position]]) }
            #expect(try await base.texts("select concat_ws('/', user_id, device_id) from click_link") == ["d"])
        }
    }

    @Test func aRepeatedEventLinksNobody() async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, user: "u", device: "d")])
            try await base.store([Base.event(1, user: "v", device: "e")])
            #expect(try await base.texts("select device_id from device_link") == ["d"])
        }
    }
}
