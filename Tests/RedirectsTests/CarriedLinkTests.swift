import Events
import Testing

@testable import Redirects

@Suite("Links that visitors carry")
struct CarriedLinkTests {
    private static let id = "0199f0a4-5b7c-7d3e-8f01-23456789abcd"

    @Test(arguments: [
        "https://go.example.com/sale?click_id=ID", "HTTPS://GO.EXAMPLE.COM:8443/sale/?a=b&click_id=ID&c=d#x",
        "Look at this:\nhttps://go.example.com/sale?click_id=ID.", "<https://go.example.com/sale?click_id=ID>",
        "go.example.com/sale?click_id=ID", "see(https://go.example.com/sale?click_id=ID)",
        "https://go.example.com/sale?click_id=x https://go.example.com/sale?click_id=ID",
        "HTTPS://GO.EXAMPLE.COM/SALE?Click_Id=ID", "https://go.example.com/sale?a=b&amp;click_id=ID",
        "https%3A%2F%2Fgo.example.com%2Fsale%3Fclick_id%3DID",
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fgo.example.com%2Fsale%3Fclick_id%3DID&h=AT0",
    ])
    func areFoundInATextWithThem(text: String) throws {
        let found = CarriedLink.all(in: text.replacing("ID", with: Self.id))
        let link = try #require(found.first)
        #expect(link.host == "go.example.com" && link.slug.lowercased() == "sale")
        #expect(link.clickID.description == Self.id)
        #expect(link.leads(toHost: "go.example.com", slug: "SALE"))
        #expect(!link.leads(toHost: "go.example.org", slug: "sale"))
    }

    @Test(arguments: [
        "", "ID", "click_id=ID", "https://go.example.com/sale", "https://go.example.com/sale?click_id=12",
        "https://go.example.com/?click_id=ID", "https://go.example.com/a/b?click_id=ID",
        "https://go.example.com/sale#click_id=ID", "https://go.example.com/sale?xclick_id=ID", "javascript:click_id=ID",
    ])
    func areNotFoundElsewhere(text: String) {
        #expect(CarriedLink.all(in: text.replacing("ID", with: Self.id)).isEmpty)
    }

    @Test func areFewInAnyText() {
        let text = String(repeating: "https://go.example.com/sale?click_id=\(Self.id) ", count: 1_000)
        #expect(CarriedLink.all(in: text).count == 5)
    }
}
