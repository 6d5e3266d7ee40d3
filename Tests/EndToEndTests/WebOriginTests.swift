import Testing

@testable import tributary

@Suite("Origins of pages")
struct WebOriginTests {
    /// As browsers send them, so that they can be compared letter by letter.
    @Test(arguments: [
        "https://shop.example": "https://shop.example", "HTTPS://Shop.Example:443/": "https://shop.example",
        "https://shop.example:8443": "https://shop.example:8443", "http://localhost:80": "http://localhost",
        "https://bücher.example": "https://xn--bcher-kva.example", "Capacitor://localhost/": "capacitor://localhost",
    ])
    func areWrittenAsBrowsersDo(text: String, origin: String) throws {
        #expect(try WebOrigin.normalised(text) == origin)
    }

    @Test(arguments: [
        "https://xn--bcher-kva.example", "http://localhost:3000", "https://localhost", "http://tauri.localhost",
        "http://192.168.1.20:3000", "http://10.0.0.5", "http://127.0.0.1:8080", "http://[::1]:3000",
        "http://[fd00::20]",
        "http://mac.local:5173", "capacitor://localhost", "ionic://localhost", "tauri://localhost", "app://shop:80",
        "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai",
        "safari-web-extension://2B5E3A0C-6F43-4C2C-9B0B-0D2F0C9E6A11",
    ])
    func stayAsTheyAre(text: String) throws {
        #expect(try WebOrigin.normalised(text) == text)
    }

    private static let wrong: [(WebOrigin.Fault, [String])] = [
        (.pattern, ["https://*.shop.example", "https://shop.example:*"]),
        (
            .port,
            ["https://shop.example:65536", "https://shop.example:0", "https://shop.example:", "http://localhost:70000"]
        ),
        (.plainHTTP, ["http://shop.example", "http://93.184.215.14", "http://localhost.shop.example"]),
        (
            .noOrigin,
            [
                "*", "null", "", "shop.example", "https://", "file://", "https://shop.example/a", "://a", "https://a b",
                "https://ann@shop.example", "ht tp://a", "https://shop.example?x", "capacitor://local/host",
            ]
        ),
    ]

    @Test(arguments: wrong) func areRefused(fault: WebOrigin.Fault, texts: [String]) {
        for text in texts { #expect(throws: fault) { try WebOrigin.normalised(text) } }
    }
}
