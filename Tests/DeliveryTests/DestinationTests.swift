import Addresses
import Testing

@testable import Delivery

@Suite("Destinations")
struct DestinationTests {
    @Test(arguments: [
        ("https://hooks.example.com/a/b?c=d", "https://hooks.example.com"),
        ("HTTPS://example.com", "https://example.com"),
        ("https://[2606:4700::1]:8443/", "https://[2606:4700::1]:8443"),
    ])
    func showsOnlyTheOrigin(url: String, origin: String) throws {
        #expect(try Destination(url, allowsPrivate: false).origin == origin)
    }

    @Test(arguments: [
        "", "example.com", "http://example.com/", "ftp://example.com/", "https://", "https:///path", "https://a b/",
        "https://user@example.com/", "https://user:word@example.com/", "https://exämple.com/", "unix:///socket",
        "https+unix://%2Ftmp%2Fs/", "https://example.com/\n",
        "https://1.1.1.1:65536/", "https://[2606:4700::1]:0/", "https://example.com:99999999999999999999/",
        "https://exam%0D%0Aple.com/", "https://exam%00ple.com/",
        "https://example.com/" + String(repeating: "a", count: 2_048),
    ])
    func refuses(url: String) {
        #expect(throws: DestinationError.self) { try Destination(url, allowsPrivate: false) }
    }

    @Test func takesPlainHTTPWherePrivateIsAllowed() throws {
        #expect(try Destination("http://10.0.0.1:8080/x", allowsPrivate: true).origin == "http://10.0.0.1:8080")
    }

    @Test(arguments: [
        ("8.8.8.8", true), ("2606:4700::1", true), ("100.63.255.255", true), ("100.128.0.1", true),
        ("172.15.0.1", true), ("172.32.0.1", true), ("::ffff:8.8.8.8", true),
        ("127.0.0.1", false), ("127.255.0.1", false), ("0.0.0.0", false), ("10.1.2.3", false), ("172.16.0.1", false),
        ("172.31.255.255", false), ("192.168.1.1", false), ("169.254.169.254", false), ("100.64.0.1", false),
        ("100.127.255.255", false), ("198.18.0.1", false), ("224.0.0.1", false), ("255.255.255.255", false),
        ("::", false), ("::1", false), ("fe80::1", false), ("fc00::1", false), ("fd12:3456::1", false),
        ("fec0::1", false), ("ff02::1", false), ("::ffff:10.0.0.1", false), ("::7f00:1", false),
        ("64:ff9b::7f00:1", false), ("2002:7f00:1::", false), ("2001:0:1::1", false), ("2001:db8::1", false),
    ])
    func knowsPublicAddresses(text: String, isPublic: Bool) throws {
        #expect(try #require(IPAddress(text)).isPublic == isPublic)
    }
}
