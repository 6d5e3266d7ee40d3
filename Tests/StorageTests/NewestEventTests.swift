import Events
import InboundLinks
import Storage
import Testing
import Time

@Suite("The events that happened last")
struct NewestEventTests {
    @Test func areListedWithThePersonThatTheyName() async throws {
        try await StorageTesting.with { storage in
            #expect(try await NewestEvent.list(of: storage.app, on: storage.pool).isEmpty)
            try await storage.store(
                (1...25).map { StorageTesting.event($0, device: "phone", .appOpen) } + [
                    StorageTesting.event(26, click: "click", .linkClick(Touch(link: InboundLink()))),
                    StorageTesting.event(27, user: "ann", device: "phone", .install()),
                ]
            )
            let events = try await NewestEvent.list(of: storage.app, on: storage.pool)
            #expect(events.count == 20 && events.map(\.time) == events.map(\.time).sorted(by: >))
            let people = Set(events.map { "\($0.type) \($0.person?.text ?? "")" })
            #expect(people == ["install uann", "link_click cclick", "app_open dphone"])
        }
    }
}
