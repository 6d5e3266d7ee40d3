import Events
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
@testable import Timelines

@Suite("Check of packed timelines")
struct TimelineCheckTests {
    private typealias E = OracleEvents

    /// These touches have the right refs, so nobody would notice until a post is added late, or deleted.
    @Test func findsTouchesWithAnotherStory() async throws {
        let events = [
            E.event(1, at: 0, user: "ann", E.post(refs: ["gift"], postID: "p", link: "a")),
            E.event(2, at: 60, user: "bob", .inboundLink(E.touch(storyLink: "a"))),
            E.event(3, at: 60, user: "eve", .inboundLink(E.touch(postID: "p"))),
            E.event(4, at: 60, user: "joe", .inboundLink(E.touch(refs: ["own"], postID: "p"))),
        ]
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.store(events, of: app)
            try await testing.pool.passHorizon()
            try await TimelinePacker(app: app, pool: testing.pool).rebuild()
            #expect(try await TimelineCheck.run(app, on: testing.pool)?.isSame == true)
            try await testing.pool.withConnection { connection in
                let count = try connection.execute(
                    """
                    update timeline_segment
                    set stories = decode(repeat('ab', length(stories)), 'hex')
                    where length(stories) > 0
                    """
                )
                #expect(count > 0)
            }
            #expect(try await TimelineCheck.run(app, on: testing.pool)?.isSame == false)
        }
    }
}
