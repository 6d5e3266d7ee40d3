import InboundLinks
import Testing

/// docs/links.md, *Refs*.
@Suite("Refs")
struct RefTests {
    @Test func theFirstSourceThatYieldsAnyWins() throws {
        let json = encoded(#"{"target_url":"http://t.example/?ref=own","ref":"data"}"#)
        let url = "x://a?al_applink_data=\(json)"
        #expect(try link(url + "&fb_ref=a,b", LinkOverrides(refs: ["event"])).refs == ["event"])
        #expect(try link(url + "&fb_ref=a,b", LinkOverrides(refs: [])).refs == ["a", "b"])
        #expect(try link(url + "&fb_ref=no_ref_specified").refs == ["data"])
        #expect(
            try link("x://a?al_applink_data=" + encoded(#"{"target_url":"http://t.example/?ref=own"}"#)).refs == ["own"]
        )
        #expect(try link("x://a").refs == [])
    }

    @Test(arguments: ["ts", "search", "hiq", "bookmarks", "notif", "mf", "nf", "app_directory", "games_ego", " NF "])
    func reservedLegacyValuesAreNoRefs(_ value: String) throws {
        #expect(try link("https://a.example/?ref=\(encoded(value))").refs == [])
    }

    @Test func theRefOfAPlainLinkIsItsOwn() throws {
        #expect(try link("https://a.example/?ref=newsletter").refs == ["newsletter"])
        #expect(try link("https://a.example/?ref=newsletter").channel == .unattributed)
    }

    @Test func theSentinelIsTakenOutOfAList() throws {
        #expect(try link("x://a?fb_ref=a,no_ref_specified,,%20b,a").refs == ["a", "b"])
    }

    /// Anybody can write a link, and a report cannot tell such a ref from its row.
    @Test(arguments: ["total", "Direct", "(none)", "(OTHERS)", " TOTAL "])
    func namesOfRowsAreNoRefs(_ name: String) throws {
        #expect(try link("x://a?fb_ref=a,\(encoded(name)),b").refs == ["a", "b"])
        #expect(try link("https://a.example/?ref=\(encoded(name))").refs == [])
        #expect(try link("x://a", LinkOverrides(refs: [name, "own"])).refs == ["own"])
        #expect(JunkID.matches(name))
        #expect(!RowName.matches("sub" + name) && !JunkID.matches("sub" + name))
    }

    @Test func theOuterRefCountsWhereTheTargetsIsTheSentinel() throws {
        let target = encoded("http://t.example/?fb_ref=no_ref_specified")
        #expect(try link("fb1://authorize#target_url=\(target)&fb_ref=outer").refs == ["outer"])
    }

    @Test func androidKeepsTheRefInTheRefererData() throws {
        let json = #"{"target_url":"http://t.example/foo","referer_data":{"fb_ref":"foobar","extra_args":"x"}}"#
        #expect(try link(appLink(json)).refs == ["foobar"])
        #expect(try link(appLink(json)).refererApp == nil)
    }

    @Test func argsBesideAnAppLinkMayHoldTheRef() throws {
        let args = encoded(#"{"method_args":{"ref":"args"}}"#)
        #expect(try link(appLink("{}") + "&fb_applink_args=\(args)").refs == ["args"])
    }

    @Test func refsKeepToTheLimits() throws {
        let many = (0..<40).map { "r\($0)" }.joined(separator: ",")
        #expect(try link("x://a?fb_ref=\(many)").refs.count == 16)
        #expect(try link("x://a?fb_ref=\(String(repeating: "r", count: 257))").refs == [])
    }
}
