import InboundLinks
import Testing

@Suite("Rules of an app")
struct ReadingRulesTests {
    /// The rules of the contract's example, and some more.
    private static let yaml = """
        refs: [utm_campaign, campaign]
        rules:
          - when: {utm_source: "newsletter*", utm_medium: email}
            channel: story_links
            ref: newsletter
          - when: {host: shop.example.com, path: /sale*}
            channel: other
          - when: {scheme: myapp, referer_app: "Chat*"}
            channel: requests
            ref: a, b
          - when: {utm_medium: "*"}
            channel: search
        """

    private static func rules(_ yaml: String = yaml) throws -> ReadingRules {
        try ReadingRules(yaml: yaml, name: "rules.yaml")
    }

    private static func read(_ url: String, _ overrides: LinkOverrides = .none, _ yaml: String = yaml) throws
        -> InboundLink
    {
        guard case .inboundLink(let link) = LinkReader.read(url, overriding: overrides, rules: try rules(yaml)) else {
            throw NoInboundLink()
        }
        return link
    }

    @Test(
        arguments: [
            (
                "https://a.example/?utm_source=newsletter_7&utm_medium=email", Channel.storyLinks, "app:1",
                ["newsletter"]
            ),
            (
                "https://a.example/?utm_source=newsletter&utm_medium=email&fb_ref=x", .storyLinks, "app:1",
                ["newsletter"]
            ),
            ("https://a.example/?utm_source=Newsletter&utm_medium=email", .search, "app:4", []),
            ("https://a.example/?utm_source=news&utm_medium=email&utm_campaign=c", .search, "app:4", ["c"]),
            ("https://a.example/?utm_medium=&utm_campaign=c,d", .unattributed, "unattributed", ["c", "d"]),
            ("https://SHOP.example.com:443/sale/1?fb_source=search", .other, "app:2", []),
            ("https://shop.example.com/%73ale", .other, "app:2", []),
            ("https://shop.example.com/?fb_source=search", .search, "fb_source", []),
            ("https://a.example/?fb_ref=x&utm_campaign=y", .storyLinks, "story_parameters", ["x"]),
            ("https://a.example/?campaign=one&utm_campaign=", .unattributed, "unattributed", ["one"]),
            ("https://a.example/?campaign=one&utm_campaign=two", .unattributed, "unattributed", ["two"]),
            // The target's parameters win over the link's.
            (
                "fb1://authorize?utm_medium=email&target_url=https%3A%2F%2Fb.example%2F%3Futm_source%3Dnewsletter",
                .storyLinks, "app:1", ["newsletter"]
            ),
            (
                "x://y?utm_campaign=outer&al_applink_data=%7B%22target_url%22%3A%22https%3A%2F%2Fb.example%2F%3Futm_campaign%3Dinner%22%7D",
                .storyLinks, "target_shape", ["inner"]
            ),
            // A raw `&` inside of the JSON begins no parameter of the link.
            (
                #"x://y?al_applink_data={"target_url":"https://b.example/","note":"a&utm_medium=b"}"#,
                .storyLinks, "target_shape", []
            ),
        ] as [(String, Channel, String, [String])]
    )
    func theFirstRuleThatAppliesDecides(_ url: String, _ channel: Channel, _ rule: String, _ refs: [String]) throws {
        let link = try Self.read(url)
        #expect(link.channel == channel)
        #expect(link.rule.rawValue == rule)
        #expect(link.refs == refs)
    }

    @Test func whatTheEventStatesComesFirst() throws {
        let url = "https://a.example/?utm_source=newsletter&utm_medium=email"
        let stated = try Self.read(url, LinkOverrides(refs: ["mine"], channel: .bookmarks))
        #expect(stated.channel == .bookmarks && stated.rule == .explicit && stated.refs == ["mine"])
        let refs = try Self.read(url, LinkOverrides(refs: ["mine"]))
        #expect(refs.channel == .storyLinks && refs.rule == .app(1) && refs.refs == ["mine"])
        // With a channel of the event, no rule applies, and so none names the ref.
        let channel = try Self.read(url + "&utm_campaign=c", LinkOverrides(channel: .bookmarks))
        #expect(channel.refs == ["c"])
        let app = try Self.read("myapp://item", LinkOverrides(refererApp: " CHATTER "))
        #expect(app.rule == .app(3) && app.refs == ["a", "b"])
    }

    @Test func anAppWithoutRulesIsReadAsBefore() {
        for vector in Vector.inboundLinks {
            #expect(LinkReader.read(vector.input, rules: .none) == LinkReader.read(vector.input))
        }
    }

    @Test(
        arguments: [
            ("", "rules.yaml has no rules; to remove the rules of an app, use 'tributary app rules clear'"),
            (
                "rules: []",
                "rules.yaml:1: there are no rules; to remove the rules of an app, use 'tributary app rules clear'"
            ),
            ("- a", "rules.yaml:1: expected 'refs' or 'rules' or 'page' and a colon"),
            ("ref: [a]", "rules.yaml:1: unknown key 'ref' (did you mean 'refs'?)"),
            ("refs: a", "rules.yaml:1: refs must be a list of parameters, for example [utm_campaign]"),
            ("page: [id]", "rules.yaml:1: expected 'keep' and a colon"),
            ("page: {keep: id}", "rules.yaml:1: keep must be a list of parameters, for example [id]"),
            ("page: {keep: [id, id]}", "rules.yaml:1: 'id' is in the list twice"),
            ("page: {drop: [id]}", "rules.yaml:1: unknown key 'drop'; the keys are keep"),
            ("refs: [a, b, a]", "rules.yaml:1: 'a' is in the list twice"),
            ("refs: [fb_ref]", "rules.yaml:1: fb_ref always names the ref, before all others"),
            ("refs: [a=b]", "rules.yaml:1: 'a=b' cannot be the name of a parameter"),
            (
                "refs: [access_token]",
                "rules.yaml:1: access_token is a secret, and secrets are never kept; choose another parameter"
            ),
            (
                "rules:\n  - when: {al_applink_data: x}\n    channel: other",
                "rules.yaml:2: al_applink_data holds JSON; name a parameter of the target in its place"
            ),
            (
                "rules:\n  - channel: other",
                "rules.yaml:2: a rule needs 'when': the parameters, or host, path, scheme, referer_app, of its links"
            ),
            (
                "rules:\n  - when: {a: b}",
                "rules.yaml:2: a rule needs a channel: search, bookmarks, requests, story_attribution, story_links, other, unattributed"
            ),
            (
                "rules:\n  - when: {}\n    channel: other",
                "rules.yaml:2: 'when' must name what a link has, for example {utm_source: newsletter}"
            ),
            (
                "rules:\n  - when: {a: b}\n    channel: story_link",
                "rules.yaml:3: 'story_link' is not a channel (did you mean 'story_links'?)"
            ),
            (
                "rules:\n  - when: {a: b}\n    channel: direct",
                "rules.yaml:3: 'direct' is not a channel; the channels are search, bookmarks, requests, story_attribution, story_links, other, unattributed"
            ),
            (
                "rules:\n  - when: {a: b*c}\n    channel: other",
                "rules.yaml:2: * can only be the last character of a value"
            ),
            ("rules:\n  - when: {a: ''}\n    channel: other", "rules.yaml:2: 'a' is empty; an empty value is none"),
            (
                "rules:\n  - when: {a: [b, c]}\n    channel: other",
                "rules.yaml:2: 'a' must be one value; write a rule for each value"
            ),
            (
                "rules:\n  - when: {host: https://a.example}\n    channel: other",
                "rules.yaml:2: a host is a name such as example.com, without a scheme, port or path"
            ),
            ("rules:\n  - when: {path: sale}\n    channel: other", "rules.yaml:2: a path begins with /"),
            (
                "rules:\n  - when: {scheme: 'x://'}\n    channel: other",
                "rules.yaml:2: a scheme is a name such as https, without '://'"
            ),
            (
                "rules:\n  - when: {a: b}\n    channel: other\n    ref: ' '",
                "rules.yaml:4: the ref is empty; leave 'ref' out to keep the link's own"
            ),
            (
                "rules:\n  - when: {a: b}\n    channel: other\n    ref: [x, x]",
                "rules.yaml:4: the ref 'x' is there twice"
            ),
            (
                "rules:\n  - when: {a: b, a: c}\n    channel: other",
                "rules.yaml is not YAML: line 2: a key appears twice: a"
            ),
            (
                "rules:\n  - when: {a: b*}\n    channel: other\n  - when: {a: bc, d: e}\n    channel: search",
                "rules.yaml:4: rule 2 can never apply: rule 1 in line 2 applies to all its links, and comes first"
            ),
            (
                "rules:\n  - when: {host: A.example}\n    channel: other\n  - when: {host: a.example}\n    channel: other",
                "rules.yaml:4: rule 2 has the same conditions as rule 1 in line 2, so it can never apply"
            ),
        ] as [(String, String)]
    )
    func badRulesAreRefusedWithTheirLine(_ yaml: String, _ message: String) {
        #expect(throws: ReadingRulesError.self) { try Self.rules(yaml) }
        do {
            _ = try Self.rules(yaml)
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test func aPageMayKeepParameters() throws {
        #expect(try Self.rules("page: {keep: [id, size]}").pageParameters == ["id", "size"])
        #expect(try Self.rules().pageParameters == [])
    }

    @Test func aTooLongFileIsRefused() {
        let yaml = "refs: [a]\n" + String(repeating: "# more\n", count: 10_000)
        #expect(throws: ReadingRulesError.self) { try Self.rules(yaml) }
    }
}
