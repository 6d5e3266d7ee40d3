import Events
import InboundLinks
import Storage
import Testing

@Suite("Milestones of an app")
struct AppMilestoneTests {
    @Test func areReachedOneByOne() async throws {
        try await StorageTesting.with { storage in
            let apps = AppStore(pool: storage.pool)
            var expected: Set<AppMilestone> = []
            func expectReached(_ milestones: AppMilestone...) async throws {
                expected.formUnion(milestones)
                #expect(try await apps.milestones(of: storage.app) == expected)
            }
            try await expectReached()
            try await storage.storeLink(of: storage.app, host: "go.example")
            try await expectReached(.link)
            try await storage.store([StorageTesting.event(1, click: "click", .linkClick(Touch(link: InboundLink())))])
            try await expectReached(.click)
            try await storage.store([StorageTesting.event(2, device: "phone", .appOpen)])
            try await expectReached(.open)
            // A click that nobody knows is no join.
            try await storage.store([StorageTesting.event(3, device: "phone", click: "unknown", .install())])
            try await expectReached(.install)
            try await storage.store([StorageTesting.event(4, device: "phone", click: "click", .appOpen)])
            try await expectReached(.join)
            try await storage.store([
                StorageTesting.event(5, user: "ann", .conversion(Conversion(name: "purchase")))
            ])
            try await expectReached(.conversion)
        }
    }
}
