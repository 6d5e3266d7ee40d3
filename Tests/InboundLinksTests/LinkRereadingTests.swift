import InboundLinks
import RandomTesting
import Testing

@Suite("Links read again")
struct LinkRereadingTests {
    private static let rules = ReadingRules(
        refParameters: ["utm_campaign", "fb_source"],
        rules: [
            ReadingRule(conditions: [.parameter("fb_source"): RulePattern(text: "f", isPrefix: true)], channel: .other),
            ReadingRule(
                conditions: [.scheme: RulePattern(text: "https")],
                channel: .requests,
                refs: ["web"]
            ),
        ]
    )

    /// Links that were mutated, with values that their events state, now and then.
    private static let links = {
        let mutator = LinkMutator(seeds: Vector.inboundLinks.map { Array($0.input.utf8) })
        var random = SeededRandom(seed: TestSeeds.first)
        return (0..<2_000 * TestSeeds.samples).compactMap { _ -> (InboundLink, LinkOverrides, String)? in
            let url = mutator.mutation(planting: "Zq7PLANTEDx9Secret", using: &random)
            let overrides = LinkOverrides(
                targetURL: random.pickOrNone(["https://t.example/?ref=own", " ", "https://t.example/"], percent: 20),
                refs: random.pickOrNone([["mine"], []], percent: 20) ?? [],
                channel: random.pickOrNone([Channel.search], percent: 15),
                refererApp: random.pickOrNone(["Chat", "(direct)"], percent: 15),
                refererURL: random.pickOrNone(["chat://"], percent: 15),
                authenticated: random.pickOrNone([true, false], percent: 15),
                deferred: random.pickOrNone([true, false], percent: 15),
                paid: random.pickOrNone([true, false], percent: 15)
            )
            guard case .inboundLink(let link) = LinkReader.read(url, overriding: overrides) else { return nil }
            return (link, overrides, url)
        }
    }()

    private func name(_ url: String) -> String { "seed \(TestSeeds.first), \(url.debugDescription)" }

    private static func forEachLink(_ body: (InboundLink, LinkOverrides, String) -> Void) {
        for (link, overrides, url) in links { body(link, overrides, url) }
    }

    @Test func theSameRulesReadTheSame() {
        Self.forEachLink { link, _, url in
            guard let again = LinkRereading.read(link, by: .none) else { return }
            #expect(again == link, "\(name(url))")
        }
    }

    @Test func theSecondTimeNothingMoves() {
        Self.forEachLink { link, _, url in
            guard let once = LinkRereading.read(link, by: Self.rules) else { return }
            #expect(LinkRereading.read(once, by: Self.rules) == once, "\(name(url))")
            // And back.
            #expect(LinkRereading.read(once, by: .none) == LinkRereading.read(link, by: .none))
        }
    }

    /// What rules name comes before the refs of a short link, but not before those of a click on it.
    @Test(
        arguments: [
            (.shortLinkRefs, ["web"], []), ([.refs, .shortLinkRefs], ["gift"], [.refs, .shortLinkRefs]),
        ] as [(StatedFields, [String], StatedFields)]
    )
    func knowsTheRefsOfAShortLink(stated: StatedFields, refs: [String], left: StatedFields) throws {
        var link = InboundLink()
        link.redactedURL = "https://go.example/gift"
        link.refs = ["gift"]
        link.stated = stated
        let read = try #require(LinkRereading.read(link, by: Self.rules))
        #expect(read.refs == refs)
        #expect(read.stated == left)
    }

    @Test func itIsAsIfTheRulesHadBeenThereFromTheStart() {
        Self.forEachLink { link, overrides, url in
            guard let again = LinkRereading.read(link, by: Self.rules),
                case .inboundLink(var direct) = LinkReader.read(url, overriding: overrides, rules: Self.rules)
            else { return }
            direct.refsWithoutRules = nil
            #expect(again == direct, "\(name(url))")
        }
    }
}
