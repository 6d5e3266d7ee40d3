import Text

/// The secrets that are known by their shape, without a name.
extension RedactionScan {
    static let longestPassword = 256

    /// The secret whose shape begins at `index`.
    mutating func shape(at index: Int) -> Value? {
        switch units[index].byte {
        case UInt8(ascii: "E"), 0xEA: facebookToken(from: index)
        case UInt8(ascii: "e"): webToken(from: index)
        case UInt8(ascii: "B"), UInt8(ascii: "b"): bearerToken(from: index)
        case UInt8(ascii: "/"): password(afterSlash: index)
        case UInt8(ascii: ":"): password(afterColon: index)
        case UInt8(ascii: "t"): ownKey(from: index)
        case UInt8(ascii: "|"): appSecret(afterBar: index)
        default: nil
        }
    }

    /// `EAA` and at least 20 letters and digits. In `5%EAA…` the `%EA` looks like an encoded byte.
    private func facebookToken(from start: Int) -> Value? {
        var index = start + 1
        let letters = units[start].byte == 0xEA ? 1 : 2
        for _ in 0..<letters {
            guard index < units.count, units[index].byte == UInt8(ascii: "A") else { return nil }
            index += 1
        }
        let body = index
        while index < units.count, units[index].byte.isASCIILetter || units[index].byte.isASCIIDigit { index += 1 }
        return index - body >= 20 ? value(start..<index) : nil
    }

    /// A key of Tributary's: `trib_w_` or `trib_r_`, and at least 20 letters and digits.
    private func ownKey(from start: Int) -> Value? {
        guard let body = end(of: "trib_w_", at: start) ?? end(of: "trib_r_", at: start) else { return nil }
        let end = keyEnd(from: body)
        return end - body >= 20 ? value(start..<end) : nil
    }

    /// The secret of a Facebook app, in the app's token: `APPID|SECRET`.
    private func appSecret(afterBar bar: Int) -> Value? {
        var index = bar
        while index > 0, bar - index < 5, units[index - 1].byte.isASCIIDigit { index -= 1 }
        guard bar - index == 5 else { return nil }
        let end = keyEnd(from: bar + 1)
        return end - bar > 20 ? value((bar + 1)..<end) : nil
    }

    private func keyEnd(from start: Int) -> Int {
        var index = start
        while index < units.count, Self.isNamePart(units[index].byte) { index += 1 }
        return index
    }

    /// A JSON Web Token: `eyJ….eyJ….…`.
    private mutating func webToken(from start: Int) -> Value? {
        guard start >= tokenlessEnd, isWebTokenPart(start) else { return nil }
        var index = base64End(from: start)
        guard index + 1 < units.count, units[index].byte == UInt8(ascii: "."), isWebTokenPart(index + 1) else {
            tokenlessEnd = index
            return nil
        }
        index = base64End(from: index + 1)
        guard index < units.count, units[index].byte == UInt8(ascii: ".") else {
            tokenlessEnd = index
            return nil
        }
        return value(start..<base64End(from: index + 1))
    }

    private func isWebTokenPart(_ start: Int) -> Bool {
        start + 2 < units.count && units[start].byte == UInt8(ascii: "e") && units[start + 1].byte == UInt8(ascii: "y")
            && units[start + 2].byte == UInt8(ascii: "J")
    }

    private func base64End(from start: Int) -> Int {
        var index = start
        while index < units.count {
            let byte = units[index].byte
            guard
                byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "=")
            else { break }
            index += 1
        }
        return index
    }

    /// What follows `Bearer `. In another case it must look like a token, since `bearer` is a word too.
    private func bearerToken(from start: Int) -> Value? {
        guard let nameEnd = end(of: "bearer", at: start), nameEnd < units.count, Self.isBlank(units[nameEnd]) else {
            return nil
        }
        var valueStart = nameEnd
        while valueStart < units.count, Self.isBlank(units[valueStart]) { valueStart += 1 }
        var end = valueStart
        var hasDigit = false
        while end < units.count, isTokenCharacter(units[end].byte) {
            hasDigit = hasDigit || units[end].byte.isASCIIDigit
            end += 1
        }
        guard end > valueStart else { return nil }
        let isHeader = zip(units[start..<nameEnd], "Bearer".utf8).allSatisfy { $0.byte == $1 }
        guard isHeader || (hasDigit && end - valueStart >= 8) else { return nil }
        return value(valueStart..<end)
    }

    private func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"),
            UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "|"), UInt8(ascii: ":"):
            true
        default: byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80
        }
    }

    /// The password of `//user:password@host`.
    private func password(afterSlash slash: Int) -> Value? {
        guard slash + 1 < units.count, units[slash + 1].byte == UInt8(ascii: "/") else { return nil }
        let level = max(units[slash].level, units[slash + 1].level)
        var colon: Int?
        var sign: Int?
        var index = slash + 2
        while index < units.count, !(units[index].level <= level && endsAuthority(units[index].byte)) {
            if units[index].byte == UInt8(ascii: ":"), colon == nil { colon = index }
            if units[index].byte == UInt8(ascii: "@") { sign = index }
            index += 1
        }
        guard let colon, let sign, colon + 1 < sign else { return nil }
        return value((colon + 1)..<sign)
    }

    /// The password of `user:password@host/…` and `user:password@host:5432`. Without what follows the host, the text
    /// may be an id: `google:bob@example.com`.
    private func password(afterColon colon: Int) -> Value? {
        guard colon >= 1, units[colon - 1].byte.isASCIILetter || units[colon - 1].byte.isASCIIDigit else { return nil }
        var index = colon + 1
        let limit = min(units.count, colon + Self.longestPassword)
        while index < limit, units[index].byte != UInt8(ascii: "@"), !endsAuthority(units[index].byte),
            units[index].byte != UInt8(ascii: "&"), units[index].byte != UInt8(ascii: "=")
        {
            index += 1
        }
        guard index < limit, index > colon + 1, units[index].byte == UInt8(ascii: "@") else { return nil }
        var end = index + 1
        while end < limit, Self.isNamePart(units[end].byte) { end += 1 }
        guard end > index + 1, end + 1 < units.count else { return nil }
        let isPath = units[end].byte == UInt8(ascii: "/")
        let isPort = units[end].byte == UInt8(ascii: ":") && units[end + 1].byte.isASCIIDigit
        return isPath || isPort ? value((colon + 1)..<index) : nil
    }

    private func endsAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            true
        default: byte.isBlank
        }
    }
}
