import InboundLinks
import JSONReading
import RandomTesting
import Testing
import Time

@testable import Redirects

@Suite("The rules of links")
struct LinkRuleTests {
    private func codes(_ settings: String) throws -> [String] {
        var given = TrialSettings()
        let json = try JSONDocument(reading: settings.utf8).root
        do throws(LinkFault) {
            try given.read(json)
            _ = try given.checked()
            return []
        } catch {
            return ["\(error.field) \(error.code.rawValue)"]
        }
    }

    /// As null does, an empty text means that the field is as in a new link.
    @Test(arguments: [#""""#, "null"]) func noValueIsThatOfANewLink(value: String) throws {
        let value = try #require(JSONDocument(reading: #"{"v":\#(value)}"#.utf8).root.members.first { _ in true }?.1)
        for field in LinkField.all {
            var link = Link(host: "", slug: "")
            link.fallback = .web
            link.channel = .search
            link.refs = ["a"]
            link.note = "n"
            let before = link
            do throws(LinkFault) {
                #expect(try link.set(field.name, to: value))
            } catch {
                // Host and slug have a value always, and a flag is no text.
                #expect([.invalidValue, .invalidSlug, .invalidType].contains(error.code), "\(field.name)")
                #expect(link == before)
                continue
            }
            let (record, blank) = (link.record, Link.blank.record)
            let position = try #require(record.firstIndex { $0.0 == field.name })
            #expect(record[position].1 == blank[position].1, "\(field.name)")
        }
    }

    @Test(arguments: [
        (#"{"slug":""}"#, "slug invalid_slug"), (#"{"slug":"a/b"}"#, "slug invalid_slug"),
        (#"{"slug":"a b"}"#, "slug invalid_slug"), (#"{"slug":"a\u00a0b"}"#, "slug invalid_slug"),
        (#"{"slug":"a\u200bb"}"#, "slug invalid_slug"), (#"{"slug":"50%"}"#, "slug invalid_slug"),
        (#"{"slug":"a?"}"#, "slug invalid_slug"), (#"{"slug":"a#"}"#, "slug invalid_slug"),
        (#"{"slug":"a+b"}"#, "slug invalid_slug"), (#"{"slug":".."}"#, "slug invalid_slug"),
        (#"{"slug":"a\u0007"}"#, "slug invalid_slug"), (#"{"slug":"V1"}"#, "slug reserved_slug"),
        (#"{"slug":"robots.txt"}"#, "slug reserved_slug"),
        (#"{"slug":"access_token=T"}"#, "slug invalid_slug"),
        (#"{"ref":["a","EAABsbCS1iHgBAKq0123456789"]}"#, "ref invalid_value"),
        (#"{"title":"access_token=T"}"#, "title invalid_value"),
        (#"{"campaign":"access_token=T"}"#, "campaign invalid_value"),
        (#"{"note":"Bearer abcdefghijkl"}"#, "note invalid_value"),
        (#"{"target_url":"javascript:alert(1)"}"#, "target_url invalid_url"),
        (#"{"target_url":"www.example.com"}"#, "target_url invalid_url"),
        (#"{"target_url":"//www.example.com"}"#, "target_url invalid_url"),
        (#"{"target_url":"ftp://www.example.com"}"#, "target_url invalid_url"),
        (#"{"target_url":"https:///x"}"#, "target_url invalid_url"),
        (#"{"target_url":"https://good.example\\@evil.example/"}"#, "target_url invalid_url"),
        (#"{"target_url":"https://me:pass@www.example.com/"}"#, "target_url invalid_url"),
        (#"{"target_url":"https://www.example.com/a\r\nSet-Cookie: x"}"#, "target_url invalid_url"),
        (#"{"target_url":"https://www.example.com:70000/"}"#, "target_url invalid_url"),
        (#"{"target_url":"https://LINKS.example.com./x"}"#, "target_url link_loop"),
        (#"{"mobile_url":"https://links.example.com:443"}"#, "mobile_url link_loop"),
        (#"{"expired_url":"http://links.example.com/abc"}"#, "expired_url link_loop"),
        (#"{"app_url":"https://links.example.com/abc"}"#, "app_url link_loop"),
        (#"{"app_url":"JavaScript:alert(1)"}"#, "app_url invalid_url"),
        (#"{"app_url":"data:text/html,x"}"#, "app_url invalid_url"),
        (#"{"app_url":"java\tscript:alert(1)"}"#, "app_url invalid_url"),
        (#"{"app_url":"item/42"}"#, "app_url invalid_url"), (#"{"app_url":"about:blank"}"#, "app_url invalid_url"),
        (#"{"image_url":"data:image/png,x"}"#, "image_url invalid_url"),
        (#"{"iphone_store_id":"id123"}"#, "iphone_store_id invalid_value"),
        (#"{"ipad_store_id":"1?x"}"#, "ipad_store_id invalid_value"),
        (#"{"android_package":"example"}"#, "android_package invalid_value"),
        (#"{"android_package":"com.example&x=y"}"#, "android_package invalid_value"),
        (#"{"android_cert":"AA:BB"}"#, "android_cert invalid_value"),
        (#"{"provider_token":"12&ct=x"}"#, "apple_provider_token invalid_value"),
        (#"{"fallback":"shop"}"#, "fallback invalid_value"), (#"{"channel":"mail"}"#, "channel invalid_value"),
        (#"{"campaign":"0123456789012345678901234567890"}"#, "campaign too_large"),
        (#"{"ref":["no_ref_specified"]}"#, "ref invalid_value"), (#"{"ref":["a","Total"]}"#, "ref invalid_value"),
        (#"{"expires_at":"tomorrow"}"#, "expires_at invalid_value"),
        (#"{"title":5}"#, "title invalid_type"), (#"{"disabled":"yes"}"#, "disabled invalid_type"),
        (#"{"title":"a\u0000"}"#, "title invalid_text"), (#"{"targeturl":"x"}"#, "targeturl unknown_field"),
        (#"{"slug":"a","slug":"b"}"#, "slug duplicate_field"),
        (
            #"{"target_url":null,"iphone_store_id":null,"ipad_store_id":"0","android_package":null}"#,
            "target_url missing_target"
        ),
    ])
    func refuse(settings: String, fault: String) throws {
        #expect(try codes(settings) == [fault])
    }

    @Test(arguments: [
        #"{"slug":"über"}"#, #"{"slug":"👩‍💻"}"#, #"{"slug":"Spring-Sale_2026.x"}"#, #"{"app_url":"myapp:item"}"#,
        #"{"app_url":"https://www.example.com/item"}"#, #"{"iphone_store_id":"0","ipad_store_id":"0"}"#,
        #"{"target_url":"http://[::1]:8080/x?y#z"}"#, #"{"target_url":"https://www.example.com/ü?q=ä"}"#,
        #"{"target_url":"https://www.example.com/\u0301a"}"#,
        #"{"target_url":"https://www.example.com?\u0301#\u0301"}"#,
        #"{"target_url":null,"mobile_url":null}"#, #"{"refs":["spring_sale","mail"],"channel":"other"}"#,
        #"{"expires_at":null,"title":""}"#,
    ])
    func accept(settings: String) throws {
        #expect(try codes(settings) == [])
    }

    /// A link with such a ref would make touches of another row.
    @Test(arguments: [#"["\u00a0a , \u200ba"]"#, #"["a"," a\u3000","\ufeff"]"#])
    func trimRefs(refs: String) throws {
        var link = Link(host: "", slug: "")
        #expect(try link.set("ref", to: JSONDocument(reading: refs.utf8).root))
        #expect(link.refs == ["a"])
    }

    @Test func refuseLongTexts() throws {
        for (field, limit) in [("slug", 128), ("title", 256), ("description", 1024), ("note", 1024)] {
            let text = String(repeating: "a", count: limit)
            #expect(try codes(#"{"\#(field)":"\#(text)"}"#) == [])
            #expect(try codes(#"{"\#(field)":"\#(text)a"}"#).count == 1, "\(field)")
        }
    }

    @Test func writeOneSpellingOfASlug() throws {
        #expect(try Slug.checked("u\u{308}ber").utf8.elementsEqual("über".utf8))
    }

    @Test func makeSlugsThatNobodyMisreads() throws {
        var random = SeededRandom(seed: 5)
        let slugs = Set((0..<1_000).map { _ in Slug.make(using: &random) })
        #expect(slugs.count == 1_000)
        for slug in slugs {
            #expect(slug.count == 7)
            #expect(try Slug.checked(slug) == slug)
            #expect(!slug.contains { "01ilo".contains($0) })
        }
    }

    @Test func takeTheCampaignFromTheSlug() {
        var link = Link(host: "a.example", slug: String(repeating: "ü", count: 40))
        #expect(link.effectiveCampaign == String(repeating: "ü", count: 30))
        link.campaign = "spring"
        #expect(link.effectiveCampaign == "spring")
    }
}
