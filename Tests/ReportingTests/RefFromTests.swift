import Events
import InboundLinks
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
@testable import Timelines

/// What named the refs of touches (docs/links.md, *Where a ref comes from*), through the database.
@Suite("Where a ref comes from")
struct RefFromTests {
    private typealias E = OracleEvents

    /// A person a way, who buys by it; and touches that have no ref in the end.
    private static let events: [Event] = {
        var short = E.touch(refs: ["gift"])
        (short.shortLink, short.link.stated) = ("go.example/gift", .shortLinkRefs)
        let touches: [(user: String, touch: Touch)] = [
            ("link", E.touch(refs: ["gift"])),
            ("own refs of a post", E.touch(refs: ["own"], postID: "p1")),
            ("post", E.touch(postID: "p1", storyLink: "a")),
            ("url", E.touch(storyLink: "a")),
            ("short link", short),
            ("post without a ref", E.touch(postID: "p2")),
            ("unknown post", E.touch(postID: "p9", storyLink: "a")),
            ("nothing", E.touch()),
        ]
        let posts = [
            E.event(1, at: 0, user: "ann", E.post(refs: ["gift", "boast"], postID: "p1", link: "a")),
            E.event(2, at: 0, user: "ann", E.post(postID: "p2", link: "b")),
        ]
        return posts
            + touches.enumerated().flatMap { number, told in
                let id = UInt64(number) * 2 + 10
                return [
                    E.event(id, at: 60, user: told.user, .inboundLink(told.touch)),
                    E.event(id + 1, at: 120, user: told.user, E.conversion("buy", 1_000_000)),
                ]
            }
    }()

    private func rows(
        _ name: String = "breakdown",
        _ parameters: [(name: String, value: String)] = [("by", "ref_from")],
        of app: App,
        _ testing: FigureTesting
    ) async throws -> [[String]] {
        let request = try ReportRequest.parse(
            name: name,
            parameters: parameters + [("from", E.time(0).rfc3339), ("to", E.time(E.day).rfc3339)],
            origin: .http,
            app: app,
            now: E.time(E.day)
        )
        return try await ReportRunner.run(request, on: testing.pool).table.rows.texts
    }

    /// The name and the touches of each row.
    private func touches(of app: App, _ testing: FigureTesting) async throws -> [[String]] {
        try await rows(of: app, testing).filter { !["direct", "total"].contains($0[0]) }.map { [$0[0], $0[1]] }
    }

    @Test(arguments: [false, true]) func tellsAllWaysApart(isPacked: Bool) async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.store(Self.events, of: app)
            if isPacked {
                try await testing.pool.passHorizon()
                try await TimelinePacker(app: app, pool: testing.pool).pack()
            }
            #expect(
                try await touches(of: app, testing) == [
                    ["(none)", "3"], ["link", "2"], ["post", "1"], ["url", "1"], ["short_link", "1"],
                ]
            )
            let credits = try await rows(
                "attribution",
                [("event", "conversion"), ("by", "ref_from"), ("where", "ref=gift")],
                of: app,
                testing
            )
            #expect(
                credits.map { [$0[0], $0[2]] } == [
                    ["link", "1"], ["short_link", "1"], ["post", "0.5"], ["url", "0.5"], ["direct", "0"],
                    ["total", "3"],
                ]
            )
            let people = try await rows("channels", [("with", "touch[ref_from=url]")], of: app, testing)
            #expect(people.last?[2] == "1")
        }
    }

    /// What named a ref changes with the posts of packed touches.
    @Test func followsPostsThatComeLateOrGo() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            let packer = TimelinePacker(app: app, pool: testing.pool)
            try await testing.store(Array(Self.events.dropFirst()), of: app)
            try await testing.pool.passHorizon()
            try await packer.pack()
            let without = [["(none)", "5"], ["link", "2"], ["short_link", "1"]]
            #expect(try await touches(of: app, testing) == without)

            try await testing.store([Self.events[0]], of: app)
            let with = [["(none)", "3"], ["link", "2"], ["post", "1"], ["url", "1"], ["short_link", "1"]]
            #expect(try await touches(of: app, testing) == with)
            try await testing.pool.passHorizon()
            try await packer.pack()
            #expect(try await touches(of: app, testing) == with)
            try await packer.apply()
            #expect(try await touches(of: app, testing) == with)

            try await testing.erase(PersonKey(.user, "ann"), of: app)
            #expect(try await touches(of: app, testing) == without)
            try await packer.apply()
            #expect(try await touches(of: app, testing) == without)
            #expect(try await TimelineCheck.run(app, on: testing.pool)?.isSame == true)
        }
    }

    /// An open that says no ref has that of its click.
    @Test func anOpenHasItFromItsClick() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            var clicked = E.touch(refs: ["gift"])
            (clicked.shortLink, clicked.link.stated) = ("go.example/gift", [.refs, .shortLinkRefs])
            let id = EventID(high: 0, low: 1).description
            try await testing.store(
                [
                    E.event(1, at: 0, click: id, .linkClick(clicked)),
                    E.event(2, at: 60, device: "d", click: id, .inboundLink(E.touch(storyLink: "a"))),
                ],
                of: app
            )
            #expect(try await touches(of: app, testing) == [["short_link", "1"]])
        }
    }
}
