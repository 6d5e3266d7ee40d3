import Events
import Time
import Postgres
@testable import Reporting
import Storage
import Testing
import InboundLinks

/// The story join through the database, for posts of any age, with events stored in any order, by the post's id and by
/// the echoed link.
@Suite("The story join in the database")
struct StoryJoinTests {
    private typealias E = OracleEvents

    private struct Story {
        var name: String
        var events: [Event]
        /// For `refs`: the row of the touch.
        var ref: String
        /// For `viral`: the installs that a post brought, and the median time.
        var installs: String
        var seconds: String
    }

    /// A post, a touch of it `age` seconds later, an install, and posts that must not be joined.
    private static func stories(age: Double) -> [Story] {
        let install = E.event(3, at: 60, user: "v", E.install)
        let post = E.event(1, at: -age, user: "ann", E.post(refs: ["gift"], postID: "p1", link: "a"))
        func touch(_ touch: Touch) -> Event { E.event(2, at: 0, user: "v", .inboundLink(touch)) }
        let byID = touch(E.touch(postID: "p1", storyLink: "b"))
        let byLink = touch(E.touch(storyLink: "a"))
        let decoys = [
            // A post after the touch, one before the post, a cancelled one, and one with another link.
            E.event(4, at: 0.000001, user: "bob", E.post(refs: ["late"], postID: "p4", link: "a")),
            E.event(5, at: -age - 1, user: "bob", E.post(refs: ["early"], postID: "p5", link: "a")),
            E.event(6, at: -age / 2, user: "bob", E.post(.cancelled, refs: ["never"], link: "a")),
            E.event(7, at: -age / 2, user: "bob", E.post(refs: ["other"], link: "b")),
        ]
        let unconfirmed = E.event(1, at: -age, user: "ann", E.post(.unconfirmed, refs: ["gift"], link: "a"))
        let seconds = age <= 5 * E.day ? "\(Int(age) + 60)" : ""
        return [
            Story(name: "id", events: [post, byID, install] + decoys, ref: "gift", installs: "1", seconds: seconds),
            Story(
                name: "link",
                events: [post, byLink, install] + decoys,
                ref: "gift",
                installs: "1",
                seconds: seconds
            ),
            Story(
                name: "unconfirmed",
                events: [unconfirmed, byLink, install] + decoys,
                ref: "gift",
                installs: "1",
                seconds: seconds
            ),
            Story(
                name: "own ref",
                events: [post, touch(E.touch(refs: ["own"], postID: "p1")), install] + decoys,
                ref: "own",
                installs: "1",
                seconds: seconds
            ),
            Story(
                name: "unknown id",
                events: [post, touch(E.touch(postID: "p9", storyLink: "a")), install] + decoys,
                ref: "(none)",
                installs: "0",
                seconds: ""
            ),
        ]
    }

    private static func permutations(_ events: [Event]) -> [[Event]] {
        if events.isEmpty { return [[]] }
        return events.indices.flatMap { index in
            var rest = events
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    /// From one second to the longest retention.
    @Test(arguments: [1, 3600, 4 * E.day, 399 * E.day]) func joinsInEveryOrder(age: Double) async throws {
        try await FigureTesting.with { testing in
            for story in Self.stories(age: age) {
                let orders = Self.permutations(Array(story.events.prefix(3)))
                for (number, order) in orders.enumerated() {
                    // Other events arrive before, between and after.
                    let decoys = story.events.dropFirst(3)
                    let batches = [
                        Array(decoys.prefix(2)), [order[0]], [order[1]], Array(decoys.dropFirst(2)), [order[2]],
                    ]
                    let app = try await testing.makeApp("\(story.name.replacing(" ", with: "-"))-\(number)")
                    for batch in batches { try await testing.store(batch, of: app) }
                    let refs = try await rows("refs", app: app, on: testing.pool)
                    let touched = refs.filter { $0[7] == "1" && $0[0] != "total" }
                    #expect(touched.map { [$0[0], $0[10]] } == [[story.ref, "1"]], "\(app.profile.id)")
                    let viral = try await rows("viral", app: app, on: testing.pool)
                    #expect(
                        viral.last.map { [$0[6], $0[10]] } == [story.installs, story.seconds],
                        "\(app.profile.id)"
                    )
                }
            }
        }
    }

    private func rows(_ report: String, app: App, on pool: PostgresPool) async throws -> [[String]] {
        let request = try ReportRequest.parse(
            name: report,
            parameters: [("from", E.time(-5 * E.day).rfc3339), ("to", E.time(E.day).rfc3339)],
            origin: .http,
            app: app,
            now: E.time(E.day)
        )
        return try await ReportRunner.run(request, on: pool).table.rows.texts
    }
}
