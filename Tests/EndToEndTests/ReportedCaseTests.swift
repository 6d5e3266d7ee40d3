import Foundation
import Testing

@Suite("Reported cases")
struct ReportedCaseTests {
    private static let webKit = "kits/web/tests/page.test.js"

    /// Who tries the cases that need more than a daemon and the command line, by kind or by id.
    private static let elsewhere: [String: String] = [
        "inspect": "Tests/InboundLinksTests/VectorTests.swift",
        "inspect_post": "Tests/InboundLinksTests/VectorTests.swift",
        "join": "Tests/ReportingTests/LinkVectorTests.swift",
        "touches": "Tests/ReportingTests/LinkVectorTests.swift",
        "webhook": "Tests/WebhooksTests/DeliveryAttemptTests.swift",
        "restore": "Tests/StorageTests/OutgoingGateTests.swift",
        "kit_js": "scripts/check-kits", "kit_kotlin": "scripts/check-kits", "kit_swift": "scripts/check-kits",
        "c3-url-02": "Tests/EndToEndTests/DatabaseAddressTests.swift",
        "c3-url-g1": "Tests/EndToEndTests/DatabaseAddressTests.swift",
        "c3-env-01": "Tests/EndToEndTests/SettingsTests.swift", "c3-host-01": "Tests/EndToEndTests/StartTests.swift",
        "c3-encoding-01": "Tests/EndToEndTests/StartTests.swift",
        "c3-pooler-01": "Tests/EndToEndTests/PoolerTests.swift",
        "c4-payment-01": webKit,
    ]

    @Test func areFound() {
        #expect(Set(ReportedCase.all.map(\.kind)).count >= 20)
        for (name, file) in Self.elsewhere {
            let path = Documentation.folder.appending(path: "../\(file)").path
            #expect(FileManager.default.fileExists(atPath: path), "\(name)")
        }
    }

    /// `c4-payment-01`: the way back from a payment brings nobody, of which the web kit's own test is the proof
    /// (`scripts/check-kits` runs it), and the page of the kits says so.
    @Test func thePaymentIsATestOfTheKit() throws {
        let root = Documentation.folder.deletingLastPathComponent()
        let file = try String(contentsOf: root.appending(path: Self.webKit), encoding: .utf8)
        let test = try #require(
            file.components(separatedBy: "\ntest(").first { $0.hasPrefix(#""who only comes back is not brought""#) }
        )
        #expect(test.contains(#""https://www.paypal.com/""#) && test.contains("nobody: ["))
        #expect(test.contains(#"assert.equal(told(shop, from), "app_open", from)"#))
        let page = try String(contentsOf: root.appending(path: "docs/app-kits.md"), encoding: .utf8)
        #expect(page.contains("the way back from a payment") && page.contains("nobody:"))
    }

    @Test func areAllRight() async throws {
        try await ReportedCaseTrial.with { trial in
            for item in ReportedCase.all where Self.elsewhere[item.kind] == nil && Self.elsewhere[item.id] == nil {
                do {
                    for failure in try await trial.failures(of: item) { Issue.record("\(item.id): \(failure)") }
                } catch {
                    Issue.record("\(item.id): \(error)")
                }
            }
        }
    }
}
