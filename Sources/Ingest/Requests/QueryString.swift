/// The parameters of a request's query, decoded as HTML forms encode them.
package struct QueryString: Equatable {
    private(set) var parameters: [(name: String, value: String)] = []

    /// - Parameter text: what stands after `?`, encoded.
    init(_ text: String) throws(Problem) {
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = pair.dropFirst(name.count + 1)
            guard let name = Self.decode(name), let value = Self.decode(value) else {
                throw Problem(.malformedRequest, "The query is not percent-encoded UTF-8.")
            }
            parameters.append((name, value))
        }
    }

    package static func == (first: QueryString, second: QueryString) -> Bool {
        first.parameters.elementsEqual(second.parameters, by: ==)
    }

    /// Percent-decoding with `+` for a blank; nil for a bad escape, U+0000 or what is not UTF-8.
    package static func decode(_ text: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = iterator.next()?.hexadecimal, let low = iterator.next()?.hexadecimal else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default:
                bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexadecimal: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
