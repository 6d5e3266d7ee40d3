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
                ["gift", "2", "2", "4", "4", "1", "2.5", "1.250000", "1.250000", "2", "1265"],
                ["boast", "1", "1", "1", "1", "0", "0.5", "0.500000", "0.500000", "1", "2000"],
                ["(none)", "0", "0", "0", "0", "0", "0", "", "", "0", ""],
                ["total", "2", "2", "4", "4", "1", "3", "1.500000", "1.500000", "2", "1265"],
            ]
        )
    }

    /// Ann posts on the web, Bob on iOS. Ann's post is tapped on iOS and Android, Bob's on the web, once by a link that
    /// has another ref than the post.
    private static let platforms = [
        E.event(1, at: 0, user: "ann", platform: .web, E.post(refs: ["gift"], postID: "p1", composer: .feedDialog)),
        E.event(2, at: 0, user: "bob", platform: .ios, E.post(refs: ["boast"], postID: "p2", composer: .stories)),
        E.event(3, at: 0, device: "cat", E.post(refs: ["gift"], postID: "p3")),
        E.event(10, at: 100, user: "v1", platform: .ios, .inboundLink(E.touch(postID: "p1"))),
        E.event(11, at: 110, user: "v1", platform: .ios, E.install),
        E.event(20, at: 100, user: "v2", platform: .android, .inboundLink(E.touch(postID: "p1"))),
        E.event(21, at: 120, user: "v2", platform: .android, E.install),
        E.event(30, at: 100, user: "v3", platform: .web, .inboundLink(E.touch(refs: ["gift"], postID: "p2"))),
        E.event(31, at: 130, user: "v3", platform: .web, E.install),
        E.event(40, at: 100, user: "v4", platform: .web, .inboundLink(E.touch(refs: ["gift"]))),
    ]

    @Test(
        arguments: [
            (
                "platform",
                [
                    ["ios", "1", "1", "1", "1", "0", "1", "1.000000", "1.000000", "1", "130"],
                    ["web", "1", "1", "2", "2", "0", "2", "2.000000", "2.000000", "1", "110"],
                    ["(none)", "1", "1", "0", "0", "1", "0", "0.000000", "0.000000", "0", ""],
                ]
            ),
            (
                "composer",
                [
                    ["feed_dialog", "1", "1", "2", "2", "0", "2", "2.000000", "2.000000", "1", "110"],
                    ["stories", "1", "1", "1", "1", "0", "1", "1.000000", "1.000000", "1", "130"],
                    ["(none)", "1", "1", "0", "0", "1", "0", "0.000000", "0.000000", "0", ""],
                ]
            ),
            (
                "poster",
                [
                    ["ann", "1", "1", "2", "2", "0", "2", "2.000000", "2.000000", "1", "110"],
                    ["bob", "1", "1", "1", "1", "0", "1", "1.000000", "1.000000", "1", "130"],
                    ["cat", "1", "1", "0", "0", "0", "0", "0.000000", "0.000000", "0", ""],
                    ["(none)", "0", "0", "0", "0", "1", "0", "", "", "0", ""],
                ]
            ),
            (
                "ref,platform",
                [
                    ["boast / ios", "1", "1", "1", "1", "0", "1", "1.000000", "1.000000", "1", "130"],
                    ["gift / web", "1", "1", "2", "2", "0", "2", "2.000000", "2.000000", "1", "110"],
                    ["gift / (none)", "1", "1", "0", "0", "1", "0", "0.000000", "0.000000", "0", ""],
                ]
            ),
        ]
    )
    func countsWhatAPostBroughtInThePostsRow(keys: String, rows: [[String]]) throws {
        let total = ["total", "3", "3", "3", "3", "1", "3", "1.000000", "1.000000", "2", "120"]
        #expect(try Asking.rows("viral", ["by": keys], of: Self.platforms) == rows + [total])
    }

    @Test func keepsWhatThePostsOfAPlatformBrought() throws {
        #expect(
            try Asking.rows("viral", ["where": "platform=web"], of: Self.platforms) == [
                ["gift", "1", "1", "2", "2", "0", "2", "2.000000", "2.000000", "1", "110"],
                ["(none)", "0", "0", "0", "0", "0", "0", "", "", "0", ""],
                ["total", "1", "1", "2", "2", "0", "2", "2.000000", "2.000000", "1", "110"],
            ]
        )
    }

    /// A user and a device of one id are two people, and the row of the id has both.
    @Test func namesPostersByTheirIDs() throws {
        let events = [
            E.event(1, at: 0, user: "ann", E.post(refs: ["gift"], postID: "p1")),
            E.event(2, at: 0, device: "ann", E.post(refs: ["gift"], postID: "p2")),
        ]
        let row = ["ann", "2", "2", "0", "0", "0", "0", "0.000000", "0.000000", "0", ""]
        #expect(try Asking.rows("viral", ["by": "poster"], of: events).first == row)
        #expect(
            try Asking.rows("viral", ["where": "poster=ann"], of: events).last == ["total"] + row.dropFirst()
        )
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
        #expect(rows[0] == ["gift", "1", "1", "1", "1", "0", "1", "1.000000", "1.000000", "1", "0"])
    }

    /// The post of an untraced touch may have brought an install: 0 would say that it has not.
    @Test func leavesKEmptyWhereNothingCanBeTraced() throws {
        let events = [
            E.event(1, at: 0, user: "ann", E.post(refs: ["gift"], postID: "p1", link: "a")),
            E.event(2, at: 10, user: "v", .inboundLink(E.touch(refs: ["gift"]))),
            E.event(3, at: 20, user: "v", E.install),
            E.event(4, at: 30, user: "bob", E.post(refs: ["boast"], postID: "p2", composer: .stories)),
        ]
        let rows = try Asking.rows("viral", of: events)
        #expect(rows[0] == ["boast", "1", "1", "0", "0", "0", "0", "0.000000", "0.000000", "0", ""])
        #expect(rows[1] == ["gift", "1", "1", "0", "0", "1", "0", "", "", "0", ""])
        #expect(rows[3] == ["total", "2", "2", "0", "0", "1", "0", "", "", "0", ""])
        // Nobody knows how the untraced touch's post was composed.
        let byComposer = try Asking.rows("viral", ["by": "composer"], of: events)
        #expect(byComposer[0] == ["stories", "1", "1", "0", "0", "0", "0", "", "", "0", ""])
        #expect(byComposer[1] == ["(none)", "1", "1", "0", "0", "1", "0", "", "", "0", ""])
        let ofComposer = try Asking.rows("viral", ["where": "composer=stories"], of: events)
        #expect(ofComposer.last == ["total", "1", "1", "0", "0", "0", "0", "", "", "0", ""])
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
        #expect(
            try Asking.rows("viral", of: events)[0] == [
                "gift", "1", "1", "1", "1", "0", "1", "1.000000", "1.000000", "0", "",
            ]
        )
        let first = ["gift", "1", "1", "1", "1", "0", "1", "1.000000", "1.000000", "1", "86400"]
        #expect(try Asking.rows("viral", ["within": "1d"], of: events)[0] == first)
        let both = ["gift", "1", "1", "2", "2", "0", "2", "2.000000", "2.000000", "1", "86400"]
        #expect(try Asking.rows("viral", ["within": "3d", "matured": "on"], of: events)[0] == both)
        // The range was asked for 100 days after its start.
        let open = try Asking.rows("viral", ["within": "90d", "matured": "on"], of: events)
        #expect(open.last == ["total", "1", "1", "2", "2", "0", "2", "2.000000", "2.000000", "1", "86400"])
    }
}
