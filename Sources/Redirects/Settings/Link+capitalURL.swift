import Text

extension Link {
    /// The link's URL in capital letters; nil if a QR code would not be smaller by them. It leads to this link if no
    /// other live link of the host has this slug in another case: the visitor's slug is compared without case.
    package var capitalURL: String? {
        let isAlphanumeric = slug.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isASCIIDigit
                || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "$"), UInt8(ascii: "*")].contains(byte)
        }
        let hostIsAlphanumeric = host.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
        return isAlphanumeric && hostIsAlphanumeric ? shortURL.uppercased() : nil
    }
}
