import RandomTesting

/// Makes texts that are nearly links.
struct LinkMutator {
    let seeds: [[UInt8]]

    private static let fragments = [
        "%", "%2", "%25", "%22", "%5C", "%00", "%FF", "%7B", "%7D", "{", "}", "[", "]", "\"", "\\", "\\\"", "\\u0022",
        "\\u", "&",
        "=", "#", "?", "+", "/", ":", "://", " ", "\u{0}", "é", "'", ",", "access_token", "state=",
        "fb123://authorize#",
        "al_applink_data=", "al_applink_data={", "fb_applink_args=", "target_url=", "&fb_source=", "bridge_args=",
        "#_=_",
    ].map { Array($0.utf8) }

    /// A mutated vector, in most cases with a secret at a random place.
    func mutation(planting token: String, using generator: inout SeededRandom) -> String {
        var bytes = seeds[Int.random(in: seeds.indices, using: &generator)]
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            mutate(&bytes, using: &generator)
        }
        var secret: [UInt8] = []
        if Int.random(in: 0..<8, using: &generator) > 0 {
            secret = Self.secret(token, using: &generator)
            let place = Int.random(in: 0...bytes.count, using: &generator)
            bytes.insert(contentsOf: secret, at: place)
        }
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            bytes = wrapped(bytes, using: &generator)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func mutate(_ bytes: inout [UInt8], using generator: inout SeededRandom) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.removeSubrange(index...)
        case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...20, using: &generator)))
        case 4: bytes.insert(contentsOf: Self.fragments.randomElement(using: &generator) ?? [], at: index)
        case 5:
            let other = seeds[Int.random(in: seeds.indices, using: &generator)]
            bytes = Array(bytes[..<index]) + other[Int.random(in: other.indices, using: &generator)...]
        case 6:
            let end = min(bytes.count, index + Int.random(in: 1...40, using: &generator))
            bytes.replaceSubrange(index..<end, with: Self.percentEncoded(bytes[index..<end]))
        default:
            let end = min(bytes.count, index + Int.random(in: 1...40, using: &generator))
            bytes.insert(contentsOf: bytes[index..<end], at: end)
        }
    }

    /// A whole secret in one of its spellings. It begins with characters that end any name before it.
    private static func secret(_ token: String, using generator: inout SeededRandom) -> [UInt8] {
        let names = [
            "access_token", "fb_access_token", "ACCESS_TOKEN", "signed_request", "acs_token", "shared_secret",
            "access%5Ftoken",
        ]
        let name = names.randomElement(using: &generator) ?? ""
        var text =
            [
                "&\(name)=\(token)&", "?\(name)=\(token)#", "&\(name)=a%26b\(token)&", "&\(name)[0]=\(token)&",
                #"{"\#(name)":"\#(token)","x":1}"#, #""\#(name)":"\#(token)""#, #"{"\#(name)": {"a":["\#(token)"]}}"#,
                #"\"\#(name)\":\"\#(token)\""#, #"\u0022\#(name)\u0022:\u0022\#(token)\u0022"#, "'\(name)': '\(token)'",
                #""\#(name)":\#(token),"#, #"{"\#(name)":"a\"b\#(token)"}"#,
            ].randomElement(using: &generator) ?? ""
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            text = String(decoding: percentEncoded(Array(text.utf8)[...]), as: UTF8.self)
        }
        return Array(text.utf8)
    }

    private func wrapped(_ bytes: [UInt8], using generator: inout SeededRandom) -> [UInt8] {
        let encoded = Self.percentEncoded(bytes[...])
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: return Array("fb123://authorize#expires_in=0&target_url=".utf8) + encoded
        case 1: return Array("x://y?al_applink_data=%7B%22target_url%22%3A%22".utf8) + encoded + Array("%22%7D".utf8)
        case 2:
            return Array("fb1://bridge/x?bridge_args=%7B%22action_id%22%3A%22".utf8) + encoded + Array("%22%7D".utf8)
        case 3: return Array("{\"url\":\"".utf8) + Self.jsonEscaped(bytes) + Array("\",\"z\":1}".utf8)
        default: return Array("https://a.example/?fb_ref=".utf8) + encoded + Array("&fb_source=feed".utf8)
        }
    }

    private static func percentEncoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    private static func jsonEscaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "/"): [UInt8(ascii: "\\"), byte]
            default: [byte]
            }
        }
    }
}
