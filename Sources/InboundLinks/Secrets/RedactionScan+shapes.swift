import Text

/// The secrets that are known by their shape, without a name.
extension RedactionScan {
    static let longestPassword = 256

    /// The secret whose shape begins at `index`.
    mutating func shape(at index: Int) -> Value? {
        switch units[index].byte {
        case "E": facebookToken(from: index, afterE: "AA")
        case "e": webToken(from: index)
        case "B", "b": bearerToken(from: index)
        case ":": password(afterColon: index)
        case "t": ownKey(from: index)
        case "|": appSecret(afterBar: index)
        // In `5%EAA…`, `5%4EAA…` and `5%4eyJ…` the `%` and what follows it look like an encoded byte.
        case 0xEA: facebookToken(from: index, afterE: "A")
        case let byte where byte & 0xF == 0xE && units[index].level > 0:
            facebookToken(from: index, afterE: "AA") ?? webToken(from: index)
        default: nil
        }
    }

    /// `EAA` and at least 20 letters and digits.
    private func facebookToken(from start: Int, afterE letters: String) -> Value? {
        guard units[(start + 1)...].prefix(letters.utf8.count).elementsEqual(letters.utf8, by: { $0.byte == $1 }) else {
            return nil
        }
        let end = units.end(from: start + 1) { $0.isASCIILetter || $0.isASCIIDigit }
        return end - start > 20 + letters.utf8.count ? value(start..<end) : nil
    }

    /// A key of Tributary's: `trib_w_`, `trib_r_` or `trib_m_`, and at least 20 letters and digits.
    private func ownKey(from start: Int) -> Value? {
        let body =
            units.end(of: "trib_w_", at: start) ?? units.end(of: "trib_r_", at: start)
            ?? units.end(of: "trib_m_", at: start)
        guard let body else { return nil }
        let end = units.end(from: body, while: Self.isNamePart)
        return end - body >= 20 ? value(start..<end) : nil
    }

    /// The secret of a Facebook app, in the app's token: `APPID|SECRET`.
    private func appSecret(afterBar bar: Int) -> Value? {
        guard bar >= 5, units[(bar - 5)..<bar].allSatisfy(\.byte.isASCIIDigit) else { return nil }
        let end = units.end(from: bar + 1, while: Self.isNamePart)
        return end - bar > 20 ? value((bar + 1)..<end) : nil
    }

    /// A JSON Web Token: `eyJ….eyJ….…`.
    private mutating func webToken(from start: Int) -> Value? {
        guard start >= tokenlessEnd, continuesWebTokenPart(start) else { return nil }
        let header = units.end(from: start + 1, while: Self.isBase64)
        guard units.has(".", at: header), units.has("e", at: header + 1), continuesWebTokenPart(header + 1) else {
            tokenlessEnd = header
            return nil
        }
        let body = units.end(from: header + 1, while: Self.isBase64)
        guard units.has(".", at: body) else {
            tokenlessEnd = body
            return nil
        }
        return value(start..<units.end(from: body + 1, while: Self.isBase64))
    }

    /// Whether `yJ` follows the `e` at `start`.
    private func continuesWebTokenPart(_ start: Int) -> Bool {
        units.has("y", at: start + 1) && units.has("J", at: start + 2)
    }

    private static func isBase64(_ byte: UInt8) -> Bool { byte == "=" || byte != "." && isNamePart(byte) }

    /// What follows `Bearer `. In another case it must look like a token, since `bearer` is a word too.
    private mutating func bearerToken(from start: Int) -> Value? {
        guard let nameEnd = units.end(of: "bearer", at: start) else { return nil }
        let valueStart = blankEnd(from: nameEnd)
        let isHeader = zip(units[start..<nameEnd], "Bearer".utf8).allSatisfy { $0.byte == $1 }
        guard valueStart > nameEnd, isHeader || valueStart >= bearerlessEnd else { return nil }
        let end = units.end(from: valueStart) {
            switch $0 {
            case "~", "+", "/", "=", "|", ":", 0x80...: true
            default: Self.isNamePart($0)
            }
        }
        guard end > valueStart else { return nil }
        if isHeader { return value(valueStart..<end) }
        guard units[valueStart..<end].contains(where: \.byte.isASCIIDigit) else {
            bearerlessEnd = end
            return nil
        }
        return end - valueStart >= 8 ? value(valueStart..<end) : nil
    }

    /// The end of the blanks at `start`. Texts from pages and chats have others than ASCII's, or unseen characters.
    private func blankEnd(from start: Int) -> Int {
        var index = start
        while index < units.count {
            let unit = units[index]
            if Self.isBlank(unit.byte) || unit.byte == 1 || (unit.byte == CollapsedText.wideBlank && unit.level > 0) {
                index += 1
            } else if let blank = Self.wideBlanks.first(where: { units[index...].starts(with: $0) { $0.byte == $1 } }) {
                index += blank.count
            } else {
                break
            }
        }
        return index
    }

    private static let wideBlanks = ["\u{A0}", "\u{3000}"].map { Array($0.utf8) }

    /// Finds the password of `//user:password@host`, which begins at the `:`: other secrets may stand before it, in a
    /// text that was cut and joined.
    ///
    /// - Returns: whether an `@` stands there.
    mutating func findPassword(afterSlash slash: Int) -> Bool {
        guard units.has("/", at: slash + 1) else { return false }
        let level = max(units[slash].level, units[slash + 1].level)
        let isParameter = units.has(":", at: slash - 1) && isParameterValue(schemeEnd: slash - 1)
        let takesAnySign = isPostgres(schemeEnd: slash - 1)
        var colon: Int?
        var sign: Int?
        var index = slash + 2
        authority: while index < units.count {
            if units[index].level <= level, Self.endsAuthority(units[index].byte) {
                let isInPassword = units[index].byte == "?" || units[index].byte == "#"
                guard takesAnySign, isInPassword, colon != nil, sign == nil else { break }
            }
            switch units[index].byte {
            case ":": colon = colon ?? index
            case "@": sign = index
            case "\"" where endsString(index): break authority
            case "&" where endsParameter(index, urlLevel: level, isParameter, hasColon: colon != nil): break authority
            default: break
            }
            index += 1
        }
        if let colon, let sign, colon + 1 < sign {
            password = (colon, colon == password.colon ? max(sign, password.end) : sign)
        }
        return sign != nil
    }

    /// The password of `user:password@host/…` and `user:password@host:5432`. Without what follows the host, the text
    /// may be an id: `google:bob@example.com`.
    private func password(afterColon colon: Int) -> Value? {
        if colon == password.colon { return value((colon + 1)..<password.end) }
        guard colon >= 1, Self.isNamePart(units[colon - 1].byte) else { return nil }
        let nearby = units[..<min(units.count, colon + Self.longestPassword)]
        let sign = nearby[(colon + 1)...].firstIndex {
            Self.endsAuthority($0.byte) || $0.byte == "@" || $0.byte == "&" || $0.byte == "="
        }
        guard let sign, sign > colon + 1, units[sign].byte == "@" else { return nil }
        let end = nearby[(sign + 1)...].firstIndex { !Self.isNamePart($0.byte) } ?? nearby.endIndex
        guard end > sign + 1, end + 1 < units.count else { return nil }
        let isPort = units[end].byte == ":" && units[end + 1].byte.isASCIIDigit
        return units[end].byte == "/" || isPort ? value((colon + 1)..<sign) : nil
    }

    /// Whether the scheme that ends before a `:` is that of PostgreSQL. libpq takes a `?` and a `#` as a part of the
    /// password; all else that reads URLs ends the authority there (RFC 3986), so that no such password works.
    private func isPostgres(schemeEnd colon: Int) -> Bool {
        guard units.has(":", at: colon) else { return false }
        return (colon >= 8 && units.end(of: "postgres", at: colon - 8) != nil)
            || (colon >= 10 && units.end(of: "postgresql", at: colon - 10) != nil)
    }

    /// Whether the quote at `index` ends the string that is open: its level says so, and what follows it in JSON.
    private func endsString(_ index: Int) -> Bool {
        guard let open = openQuotes.last, units[index].level <= open else { return false }
        let next = units.end(from: index + 1, while: Self.isBlank)
        return next < units.count && ",}]:&".utf8.contains(units[next].byte)
    }

    /// Whether the `&` at `index` begins the parameter after the one whose value the URL is. That is certain if the URL
    /// is encoded and the `&` is not. If neither is, a name and a `=` follow, and no `:` comes before: a password may
    /// contain an `&`.
    private func endsParameter(_ index: Int, urlLevel level: UInt8, _ isParameter: Bool, hasColon: Bool) -> Bool {
        guard units[index].level <= level else { return false }
        if isParameter, units[index].level < level { return true }
        guard !hasColon else { return false }
        let nameEnd = units.end(from: index + 1, while: Self.isNamePart)
        return nameEnd > index + 1 && units.has("=", at: nameEnd)
    }

    static func endsAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case "/", "?", "#", "\"", "'", "<", ">", "\\", "{", "}": true
        default: byte.isBlank
        }
    }
}
