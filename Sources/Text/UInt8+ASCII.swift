extension UInt8 {
    /// `A`–`Z` as `a`–`z`, every other byte as it is.
    @inlinable
    package var lowercasedASCII: UInt8 {
        self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
    }

    @inlinable
    package var isASCIILetter: Bool {
        (self | 0x20) &- UInt8(ascii: "a") < 26
    }

    @inlinable
    package var isASCIIDigit: Bool {
        self &- UInt8(ascii: "0") < 10
    }

    /// The value of an ASCII decimal digit.
    @inlinable
    package var decimalValue: UInt8? {
        isASCIIDigit ? self &- UInt8(ascii: "0") : nil
    }

    /// The value of an ASCII hexadecimal digit of either case.
    @inlinable
    package var hexadecimalValue: UInt8? {
        if isASCIIDigit { return self &- UInt8(ascii: "0") }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

/// Compares a byte with an ASCII character: `byte == "&"`.
@inlinable
package func == (byte: UInt8, character: Unicode.Scalar) -> Bool { byte == UInt8(ascii: character) }
@inlinable
package func != (byte: UInt8, character: Unicode.Scalar) -> Bool { byte != UInt8(ascii: character) }

/// Lets a `switch` over a byte name ASCII characters: `case "&":`.
@inlinable
package func ~= (character: Unicode.Scalar, byte: UInt8) -> Bool { byte == UInt8(ascii: character) }
