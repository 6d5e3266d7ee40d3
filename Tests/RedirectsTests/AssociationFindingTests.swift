import Redirects
import Testing

@Suite("Association files that a host serves")
struct AssociationFindingTests {
    private static let certificate = "AA:BB"

    private static var app: LinkApp {
        var app = LinkApp(id: "shop", name: "Shop")
        app.appleTeamID = "TEAM"
        app.bundleIDs = ["com.example.shop"]
        app.androidPackage = "com.example.shop"
        app.androidCertificates = [certificate]
        return app
    }

    @Test func areRightIfTheyAreOurs() throws {
        let apple = try #require(AssociationFiles.apple(Self.app))
        #expect(AssociationFinding.apple(apple.utf8, for: Self.app, opening: "/sale") == [])
        let android = try #require(AssociationFiles.android(Self.app))
        #expect(AssociationFinding.android(android.utf8, for: Self.app) == [])
    }

    /// The daemon's own paths are no links, and the file says so.
    @Test func leaveOutThePathsOfTheDaemon() throws {
        let apple = try #require(AssociationFiles.apple(Self.app))
        let findings = AssociationFinding.apple(apple.utf8, for: Self.app, opening: "/healthz")
        #expect(findings.map(\.isWrong) == [true])
    }

    @Test(arguments: [
        ("<html>", "is not JSON"), ("{}", "has no applinks.details"),
        (#"{"applinks":{"details":[]}}"#, "does not name TEAM.com.example.shop"),
        (#"{"applinks":{"details":[{"appID":"OTHER.com.example.shop","paths":["*"]}]}}"#, "does not name TEAM"),
        (#"{"applinks":{"details":[{"appID":"TEAM.com.example.shop","paths":["NOT /sale","*"]}]}}"#, "not for /sale"),
        (
            #"{"applinks":{"details":[{"appIDs":["TEAM.com.example.shop"],"components":[{"/":"/p/*"}]}]}}"#,
            "not for /sale"
        ),
        (
            #"{"applinks":{"details":[{"appIDs":["TEAM.com.example.shop"],"components":[{"/":"*","?":{"a":"*"}}]}]}}"#,
            "not for /sale"
        ),
    ])
    func areWrongForIPhones(body: String, reason: String) {
        let findings = AssociationFinding.apple(body.utf8, for: Self.app, opening: "/sale")
        #expect(findings.contains { $0.isWrong && $0.text.contains(reason) }, "\(findings)")
    }

    @Test(arguments: [
        #"{"applinks":{"details":[{"appID":"TEAM.com.example.shop","paths":["/s*"]}]}}"#,
        #"{"applinks":{"details":[{"appIDs":["TEAM.com.example.shop"],"components":[{"/":"/s?le"}]}]}}"#,
        #"{"applinks":{"apps":[],"details":[{"appIDs":["TEAM.com.example.shop"],"components":[{}]}]}}"#,
    ])
    func areRightInOtherWords(body: String) {
        #expect(AssociationFinding.apple(body.utf8, for: Self.app, opening: "/sale") == [])
    }

    @Test(arguments: [
        ("{}", "is not a JSON array"), ("[]", "does not name com.example.shop"), ("[7, null]", "does not name"),
        (statement(package: "com.example.other", "AA:BB"), "does not name com.example.shop"),
        (statement("CC:DD"), "lacks the certificate AA:BB"), (statement("aa:bb"), "in lower case"),
    ])
    func areWrongForAndroid(body: String, reason: String) {
        let findings = AssociationFinding.android(body.utf8, for: Self.app)
        #expect(findings.contains { $0.isWrong && $0.text.contains(reason) }, "\(findings)")
    }

    /// Play signs with a certificate of its own, so a file may well have two.
    @Test func mayNameMore() {
        let findings = AssociationFinding.android(Self.statement("AA:BB", "CC:DD").utf8, for: Self.app)
        #expect(findings.map(\.isWrong) == [false])
    }

    private static func statement(package: String = "com.example.shop", _ certificates: String...) -> String {
        #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","#
            + #""package_name":"\#(package)","sha256_cert_fingerprints":\#(certificates)}}]"#
    }
}
