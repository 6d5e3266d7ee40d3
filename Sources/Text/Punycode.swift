/// Punycode (RFC 3492), which writes a label of a host with any letters in ASCII: `bücher` is `xn--bcher-kva`.
package enum Punycode {
    /// - Parameter label: in lower case and in Unicode's form NFC.
    /// - Returns: the label in ASCII; nil if it is longer than a host may be.
    package static func encoded(_ label: Substring.UnicodeScalarView) -> String? {
        if label.allSatisfy(\.isASCII) { return String(Substring(label)) }
        guard label.count <= 253 else { return nil }
        var output = Array(label.filter(\.isASCII).map { UInt8($0.value) })
        let basic = UInt32(output.count)
        var handled = basic
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias): (UInt32, UInt32, UInt32) = (0x80, 0, 72)
        while handled < label.count {
            guard let least = label.lazy.map(\.value).filter({ $0 >= next }).min() else { return nil }
            delta += (least - next) * (handled + 1)
            next = least
            for scalar in label {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, points: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return "xn--" + String(decoding: output, as: UTF8.self)
    }

    private static let (base, least, most): (UInt32, UInt32, UInt32) = (36, 1, 26)

    /// A number whose digits have as many values as the bias says.
    private static func append(_ number: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = number
        var place = base
        while true {
            let threshold = place <= bias ? least : min(place - bias, most)
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            place += base
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(value < 26 ? UInt32(UInt8(ascii: "a")) + value : UInt32(UInt8(ascii: "0")) + value - 26)
    }

    private static func adapted(_ delta: UInt32, points: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / points
        var bias: UInt32 = 0
        while delta > (base - least) * most / 2 {
            delta /= base - least
            bias += base
        }
        return bias + (base - least + 1) * delta / (delta + 38)
    }
}
