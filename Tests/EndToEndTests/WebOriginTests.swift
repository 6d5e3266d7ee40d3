import Testing

@testable import tributary

@Suite("Origins of pages")
struct WebOriginTests {
    /// As browsers send them, so that they can be compared letter by letter.
    @Test(arguments: [
        ("https://shop.example", "https://shop.example"), ("HTTPS://Shop.Example:443/", "https://shop.example"),
        ("https://shop.example:8443", "https://shop.example:8443"), ("http://localhost:80", "http://localhost"),
        ("https://bücher.example", "https://xn--bcher-kva.example"), ("https://xn--bcher-kva.example", nil),
        ("http://localhost:3000", nil), ("https://localhost", nil), ("http://tauri.localhost", nil),
        ("http://192.168.1.20:3000", nil), ("http://10.0.0.5", nil), ("http://127.0.0.1:8080", nil),
        ("http://[::1]:3000", nil), ("http://[fd00::20]", nil), ("http://mac.local:5173", nil),
        ("capacitor://localhost", nil), ("ionic://localhost", nil), ("tauri://localhost", nil),
        ("chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai", nil),
        ("Capacitor://localhost/", "capacitor://localhost"),
        ("safari-web-extension://2B5E3A0C-6F43-4C2C-9B0B-0D2F0C9E6A11", nil), ("app://shop:80", nil),
    ])
    func areWrittenAsBrowsersDo(text: String, origin: String?) throws {
        #expect(try WebOrigin.normalised(text) == origin ?? text)
    }

    @Test(arguments: [
        ("https://*.shop.example", WebOrigin.Fault.pattern), ("*", .noOrigin), ("https://shop.example:*", .pattern),
        ("https://shop.example:65536", .port), ("https://shop.example:0", .port), ("https://shop.example:", .port),
        ("http://localhost:70000", .port), ("http://shop.example", .plainHTTP), ("http://93.184.215.14", .plainHTTP),
        ("http://localhost.shop.example", .plainHTTP), ("null", .noOrigin), ("", .noOrigin),
        ("shop.example", .noOrigin),
        ("https://", .noOrigin), ("file://", .noOrigin), ("https://shop.example/a", .noOrigin), ("://a", .noOrigin),
        ("https://a b", .noOrigin), ("https://ann@shop.example", .noOrigin), ("ht tp://a", .noOrigin),
        ("https://shop.example?x", .noOrigin), ("capacitor://local/host", .noOrigin),
    ])
    func areRefused(text: String, fault: WebOrigin.Fault) {
        #expect(throws: fault) { try WebOrigin.normalised(text) }
    }
}
