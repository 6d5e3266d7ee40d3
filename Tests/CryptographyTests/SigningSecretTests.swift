import Cryptography
import Testing

@Suite("Signatures of Standard Webhooks")
struct SigningSecretTests {
    /// The vector that Standard Webhooks publishes.
    @Test func signsThePublishedVector() throws {
        let secret = try #require(SigningSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = secret.signature(
            of: #"{"test": 2432232314}"#.utf8,
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            at: 1_614_265_330
        )
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    /// RFC 4231, cases 2 and 6.
    @Test func authenticatesAsTheStandardSays() {
        func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        #expect(
            hex(HMAC.sha256(of: "what do ya want for nothing?".utf8, key: Array("Jefe".utf8)))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        let long = "Test Using Larger Than Block-Size Key - Hash Key First"
        #expect(
            hex(HMAC.sha256(of: long.utf8, key: Array(repeating: 0xAA, count: 131)))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        )
    }

    @Test func signsWithBothSecretsAfterAChange() throws {
        let secrets = try [SigningSecret.generate(), SigningSecret.generate()].map { try #require(SigningSecret($0)) }
        let headers = SigningSecret.headers(secrets, body: [1], id: "m", at: 5)
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(headers[1].value == "5")
        #expect(headers[2].value == secrets.map { $0.signature(of: [1], id: "m", at: 5) }.joined(separator: " "))
        #expect(secrets[0] != secrets[1])
    }

    @Test(arguments: ["", "whsec_", "whsec_short", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_!!!!"])
    func refusesOtherTexts(text: String) { #expect(SigningSecret(text) == nil) }
}
