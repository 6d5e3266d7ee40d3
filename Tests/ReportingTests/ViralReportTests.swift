import Events
import InboundLinks
@testable import Reporting
import Testing

@Suite("The viral report")
struct ViralReportTests {
    private typealias E = OracleEvents

    /// Two people post. Their stories bring three installs, one of them through a link with a ref of its own.
    private static let events = [
        E.event(1, at: 0, user: "ann", E.post(refs: ["gift"], postID: "p1", link: "a")),
        E.event(2, at: 100, user: "bob", E.post(refs: ["gift", "boast"], postID: "p2", link: "b")),
        E.event(3, at: 200, user: "cat", E.post(.cancelled, refs: ["boast"])),
        // Through the echoed link.
        E.event(10, at: 1000, user: "v1", .inboundLink(E.touch(storyLink: "a"))),
        E.event(11, at: 1060, user: "v1", E.install),
        // The same post again, with an earlier install than the first, and through another channel.
        E.event(20, at: 500, user: "v2", .linkClick(E.touch(.other, postID: "p1"))),
        E.event(21, at: 530, user: "v2", E.install),
        // Two refs share the credit.
        E.event(30, at: 2000, user: "v3", .inboundLink(E.touch(storyLink: "b"))),
        E.event(31, at: 2100, user: "v3", E.install),
        // A ref of its own, and no post.
        E.event(40, at: 3000, user: "v4", .inboundLink(E.touch(refs: ["gift"]))),
        E.event(41, at: 3100, user: "v4", E.install),
        // Came from a post, but the install follows another touch.
        E.event(50, at: 4000, user: "v5", .inboundLink(E.touch(postID: "p1"))),
        E.event(51, at: 4010, user: "v5", .inboundLink(E.touch(.search))),
        E.event(52, at: 4020, user: "v5", E.install),
    ]

    @Test func tracesInstallsToPosts() throws {
        #expect(
            try Asking.rows("viral", of: Self.events) == [
                // Post p1 after 530 s, p2 after 2000 s.
                ["gift", "2", "2", "4", "4", "1", "2.5", "1.250000", "2", "1265"],
                ["boast", "1", "1", "1", "1", "0", "0.5", "0.500000", "1", "2000"],
                ["(none)", "0", "0", "0", "0", "0", "0", "", "0", ""],
                ["total", "2", "2", "4", "4", "1", "3", "1.500000", "2", "1265"],
            ]
        )
    }

    @Test func givesEachChannelItsPartOfK() throws {
        let rows = try Asking.rows("viral", ["by": "channel"], of: Self.events)
        #expect(rows.map { $0[0] } == Channel.allCases.map(\.rawValue) + ["total"])
        #expect(rows.allSatisfy { $0[1] == "2" && $0[2] == "2" })
        #expect(rows[4] == ["story_links", "2", "2", "3", "3", "1", "2", "1.000000", "2", "1530"])
        #expect(rows[5] == ["other", "2", "2", "1", "1", "0", "1", "0.500000", "1", "530"])
        #expect(rows[7] == ["total", "2", "2", "4", "4", "1", "3", "1.500000", "2", "1265"])
    }

    @Test func countsAnInstallBeforeItsPostAsNoTime() throws {
        let rows = try Asking.rows(
            "viral",
            of: [
                E.event(1, at: 100, user: "ann", E.post(refs: ["gift"], postID: "p")),
                E.event(2, at: 10, user: "v", .inboundLink(E.touch(postID: "p"))),
                E.event(3, at: 20, user: "v", E.install),
            ]
        )
        #expect(rows[0] == ["gift", "1", "1", "1", "1", "0", "1", "1.000000", "1", "0"])
    }

    /// The post of an untraced touch may have brought an install: 0 would say that it has not.
    @Test func leavesKEmptyWhereNothingCanBeTraced() throws {
        let events = [
            E.event(1, at: 0, user: "ann", E.post(refs: ["gift"], postID: "p1", link: "a")),
            E.event(2, at: 10, user: "v", .inboundLink(E.touch(refs: ["gift"]))),
            E.event(3, at: 20, user: "v", E.install),
            E.event(4, at: 30, user: "bob", E.post(refs: ["boast"], postID: "p2")),
        ]
        let rows = try Asking.rows("viral", of: events)
        #expect(rows[0] == ["boast", "1", "1", "0", "0", "0", "0", "0.000000", "0", ""])
        #expect(rows[1] == ["gift", "1", "1", "0", "0", "1", "0", "", "0", ""])
        #expect(rows[3] == ["total", "2", "2", "0", "0", "1", "0", "", "0", ""])
        let byChannel = try Asking.rows("viral", ["by": "channel"], of: events)
        #expect(byChannel[4][6...7] == ["0", ""])
        #expect(byChannel[5][6...7] == ["0", "0.000000"])
    }

    /// One post of the range with an install after one day and one after three, both after the range.
    @Test func followsPostsForTheSameTimeEach() throws {
        let day = E.day
        let events = [
            E.event(1, at: 9.5 * day, user: "ann", E.post(refs: ["gift"], postID: "p1")),
            E.event(2, at: 10.5 * day, user: "v", .inboundLink(E.touch(postID: "p1"))),
            E.event(3, at: 10.5 * day, user: "v", E.install),
            E.event(4, at: 12.5 * day, user: "w", .inboundLink(E.touch(postID: "p1"))),
            E.event(5, at: 12.5 * day, user: "w", E.install),
            // Posted before the range.
            E.event(6, at: -1, user: "bob", E.post(refs: ["gift"], postID: "p0")),
            E.event(7, at: 1, user: "x", .inboundLink(E.touch(postID: "p0"))),
            E.event(8, at: 2, user: "x", E.install),
        ]
        #expect(try Asking.rows("viral", of: events)[0] == ["gift", "1", "1", "1", "1", "0", "1", "1.000000", "0", ""])
        let first = ["gift", "1", "1", "1", "1", "0", "1", "1.000000", "1", "86400"]
        #expect(try Asking.rows("viral", ["within": "1d"], of: events)[0] == first)
        let both = ["gift", "1", "1", "2", "2", "0", "2", "2.000000", "1", "86400"]
        #expect(try Asking.rows("viral", ["within": "3d", "matured": "on"], of: events)[0] == both)
        // The range was asked for 100 days after its start.
        let open = try Asking.rows("viral", ["within": "90d", "matured": "on"], of: events)
        #expect(open.last == ["total", "1", "1", "2", "2", "0", "2", "2.000000", "1", "86400"])
    }
}
