import Events
import InboundLinks
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
@testable import Timelines

/// A readable example of what `posts --each` says of a post. The oracle checks the rest.
@Suite("Each post")
struct EachPostTests {
    private typealias E = OracleEvents

    private static let events = [
        E.event(
            1,
            at: 0,
            user: "ann",
            E.post(refs: ["gift", "boast"], postID: "p1", link: "a", composer: .feedDialog)
        ),
        E.event(2, at: 100, user: "bob", E.post(refs: ["gift"], link: "b")),
        // Nobody came from these two, and the second was no post.
        E.event(3, at: 200, device: "phone", E.post()),
        E.event(4, at: 300, user: "ann", E.post(.cancelled, refs: ["gift"])),
        // Came from it all the same.
        E.event(5, at: 400, user: "ann", E.post(.unconfirmed, link: "c")),
        // The device is somebody's, as is known later.
        E.event(6, at: 500, device: "pad", E.post(link: "d")),
        E.event(7, at: 600, user: "zoe", device: "pad", .authentication()),
        E.event(10, at: 1000, user: "v1", .inboundLink(E.touch(storyLink: "a"))),
        E.event(11, at: 1060, user: "v1", E.install),
        E.event(12, at: 1070, user: "v1", E.conversion("buy", 5_000_000)),
        E.event(20, at: 1500, user: "v2", .linkClick(E.touch(.other, postID: "p1"))),
        E.event(30, at: 2000, user: "v3", .inboundLink(E.touch(storyLink: "c"))),
        E.event(40, at: 3000, user: "v4", .inboundLink(E.touch(.search))),
    ]

    /// By its id, else its link, else its event, whether the events are packed or not.
    @Test func isNamed() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.writer.store(Self.events, of: app, receivedAt: E.time(5_000))
            for isPacked in [false, true] {
                if isPacked {
                    try await testing.pool.passHorizon()
                    try await TimelinePacker(app: app, pool: testing.pool).pack()
                }
                func told(_ limit: String) async throws -> [[String]] {
                    let range = [("from", E.time(0).rfc3339), ("to", E.time(5_000).rfc3339)]
                    let request = try ReportRequest.parse(
                        name: "posts",
                        parameters: range + [("each", "true"), ("limit", limit)],
                        origin: .http,
                        app: app,
                        now: E.time(5_000)
                    )
                    return try await ReportRunner.run(request, on: testing.pool).table.rows.texts
                }
                let times = [0, 400, 100, 200, 500].map { E.time($0).rfc3339 }
                let first = ["p1", times[0], "ann", "gift,boast", "feed_dialog", "a", "2", "2", "1", "1", "5"]
                let event = EventID(high: 0, low: 3).description
                #expect(
                    try await told("10") == [
                        first, ["c", times[1], "ann", "", "", "c", "1", "1", "0", "0", "0"],
                        ["b", times[2], "bob", "gift", "", "b", "0", "0", "0", "0", "0"],
                        [event, times[3], "phone", "", "", "", "0", "0", "0", "0", "0"],
                        ["d", times[4], "zoe", "", "", "d", "0", "0", "0", "0", "0"],
                        ["total", "", "", "", "", "", "3", "3", "1", "1", "5"],
                    ]
                )
                #expect(
                    try await told("1") == [
                        first, ["(others)", "", "", "", "", "", "1", "1", "0", "0", "0"],
                        ["total", "", "", "", "", "", "3", "3", "1", "1", "5"],
                    ]
                )
            }
        }
    }
}
