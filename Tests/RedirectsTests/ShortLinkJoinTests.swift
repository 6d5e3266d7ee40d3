import Events
import InboundLinks
import Testing
import Time

@testable import Redirects

@Suite("The short links of touches")
struct ShortLinkJoinTests {
    private static let join: ShortLinkJoin = {
        var table = LinkTable()
        table.set(LinkApp(id: "shop", name: "Shop"), hosts: ["go.example"])
        table.set(LinkApp(id: "other", name: "Other"), hosts: ["else.example"])
        var gift = Link(host: "go.example", slug: "gift")
        gift.refs = ["present", "bow"]
        gift.channel = .storyLinks
        table.set(gift)
        table.set(Link(host: "go.example", slug: "über"))
        table.set(Link(host: "else.example", slug: "gift"))
        return ShortLinkJoin(table, appID: "shop")
    }()

    private func event(_ content: Event.Content, properties: String? = nil) -> Event {
        Event(
            id: EventID(high: 1, low: 2),
            occurredAt: Timestamp(microseconds: 3),
            receivedAt: Timestamp(microseconds: 3),
            properties: properties,
            content: content
        )
    }

    private func touch(_ target: String?, refs: [String] = []) -> Touch {
        var link = InboundLink()
        link.targetURL = target
        link.refs = refs
        return Touch(link: link, storyLink: refs.isEmpty ? target : nil)
    }

    private func joined(_ touch: Touch) throws -> Touch {
        guard case .inboundLink(let touch) = Self.join.joined(event(.inboundLink(touch))).content else {
            throw Unexpected()
        }
        return touch
    }

    private struct Unexpected: Error {}

    @Test(arguments: [
        ("https://go.example/gift", "go.example/gift"), ("http://GO.example:443/gift/?x=1#y", "go.example/gift"),
        ("https://go.example/GIFT", "go.example/gift"), ("https://go.example/%C3%BCber", "go.example/über"),
        ("https://go.example/u\u{308}ber?a", "go.example/über"),
    ])
    func findsTheTargetAmongTheLinks(target: String, link: String) throws {
        #expect(try joined(touch(target)).shortLink == link)
    }

    @Test(arguments: [
        "https://go.example/", "https://go.example", "https://go.example/gift/more", "https://go.example/none",
        "https://else.example/gift", "https://user@go.example/gift", "shop://go.example/gift", "gift", "",
        "https://www.example.com/gift",
    ])
    func leavesOtherTargetsAsTheyAre(target: String) throws {
        #expect(try joined(touch(target)) == touch(target))
    }

    @Test func takesTheRefsOfTheLinkBeforeThoseOfAStory() throws {
        let touch = try joined(touch("https://go.example/gift"))
        #expect(touch.link.refs == ["present", "bow"])
        #expect(touch.storyLink == nil)
        #expect(touch.link.channel == .unattributed)
    }

    @Test func keepsItsOwnRefs() throws {
        let touch = try joined(touch("https://go.example/gift", refs: ["own"]))
        #expect(touch.link.refs == ["own"])
        #expect(touch.shortLink == "go.example/gift")
    }

    /// As clicks do. What the URL itself says is the URL's.
    @Test(
        arguments: [
            (["present", "bow"], .refs, [.refs, .shortLinkRefs]), (["present", "bow"], [], []),
            (["present"], .refs, .refs),
        ] as [([String], StatedFields, StatedFields)]
    )
    func knowsItsRefsWhereTheEventStatesThem(refs: [String], stated: StatedFields, noted: StatedFields) throws {
        var stating = touch("https://go.example/gift", refs: refs)
        stating.link.stated = stated
        let touch = try joined(stating)
        #expect(touch.link.refs == refs)
        #expect(touch.link.stated == noted)
    }

    /// A post and the touches that it brought name the same story, however each spells the link.
    @Test func namesTheStoryOfALinkWithoutRefs() throws {
        let story = "https://go.example/%C3%BCber"
        #expect(try joined(touch("https://go.example/über")).storyLink == story)
        let properties = #"{"link":"über","host":"go.example"}"#
        let click = event(.linkClick(touch("https://www.example.com/a")), properties: properties)
        guard case .linkClick(let clicked) = Self.join.joined(click).content else { throw Unexpected() }
        #expect(clicked.storyLink == story)
        for url in ["http://GO.example/%c3%bcber/", "https://go.example/über?utm_source=x"] {
            let post = FeedPost(outcome: .posted, postID: "1", refs: [], link: url, storyLink: url, composer: nil)
            guard case .feedPost(let posted) = Self.join.joined(event(.feedPost(post))).content else {
                throw Unexpected()
            }
            #expect(posted.storyLink == story)
            #expect(posted.link == url)
        }
    }

    @Test func joinsTheLinkOfAnInstall() {
        let install = event(.install(Install(limitAdTracking: true, link: touch("https://go.example/gift"))))
        guard case .install(let joined) = Self.join.joined(install).content else {
            Issue.record("it is no install any more")
            return
        }
        #expect(joined.limitAdTracking == true)
        #expect(joined.link?.shortLink == "go.example/gift")
        #expect(joined.link?.link.refs == ["present", "bow"])
    }

    @Test(
        arguments: [
            (#"{"link":"gift","host":"go.example","outcome":"store_iphone"}"#, "go.example/gift"),
            (#"{"host":"GO.example","link":"Gift"}"#, "go.example/gift"),
            (#"{"link":"gift","host":"else.example"}"#, nil), (#"{"link":"gift"}"#, nil),
            (#"{"host":"go.example"}"#, nil),
            (#"{"link":7,"host":"go.example"}"#, nil), (#"{"link":"none","host":"go.example"}"#, nil), (nil, nil),
        ] as [(String?, String?)]
    )
    func readsTheLinkOfAClickFromItsProperties(properties: String?, link: String?) {
        let click = event(.linkClick(touch("https://www.example.com/a")), properties: properties)
        var expected = touch("https://www.example.com/a")
        if link != nil {
            expected.shortLink = link
            expected.link.refs = ["present", "bow"]
            expected.link.stated = .shortLinkRefs
            expected.storyLink = nil
        }
        #expect(Self.join.joined(click).content == .linkClick(expected))
    }

    /// A link of the app that leads to another one is not what was clicked.
    @Test func doesNotTakeTheTargetOfAClickForItsLink() {
        let click = event(.linkClick(touch("https://go.example/gift")))
        #expect(Self.join.joined(click) == click)
    }
}
