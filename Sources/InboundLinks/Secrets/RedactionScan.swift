import Text

/// One walk over a ``CollapsedText`` that finds the values of secrets.
struct RedactionScan {
    struct Replacement {
        /// The value in the raw text.
        var range: Range<Int>
        /// The quote in the raw text to put around `REDACTED` if a bare JSON value becomes a string; else empty.
        var quote: Range<Int>
    }

    typealias Unit = CollapsedText.Unit

    let units: [Unit]
    private let loginResult: Bool
    /// The name that is being read.
    private var name = SecretName()
    /// As `name`, but an escape such as `\n` is a control character in it, and not a letter after a backslash.
    private var nameOverEscapes = SecretName()
    /// Where the keys of values end whose name stands beside them: `{"name": "access_token", "value": …}`.
    private var pairKeys: [Int]
    private var nextPairKey = 0
    /// The levels of the open quotes, ascending.
    var openQuotes: [UInt8] = []
    /// The levels of each `#` since the last quote, as bits. In a fragment, another `#` is part of the value.
    var fragmentLevels: UInt64 = 0
    /// The end of the current login result.
    private var loginResultEnd = 0
    /// Where the search for the parameters of a login ended, by level. Each part of a text is searched once a level.
    private var searchedEnds = [Int](repeating: 0, count: 16)
    /// Names before this position are not keys: no separator follows their run of name characters.
    var barrenEnd = 0
    /// No JSON Web Token begins before this position.
    var tokenlessEnd = 0
    /// No value before this position is a token after `bearer` in small letters: it holds no digit.
    var bearerlessEnd = 0
    /// The password of the URL that was passed last, between its `:` and its `@`.
    var password = (colon: -1, end: 0)

    init(_ raw: [UInt8], loginResult: Bool) {
        units = CollapsedText(raw).units
        pairKeys = NamedPairs.keys(in: units)
        self.loginResult = loginResult
    }

    mutating func replacements() -> [Replacement] {
        var found: [Replacement] = []
        var index = 0
        while index < units.count {
            guard let value = secret(at: index) else {
                pass(index)
                index += 1
                continue
            }
            while index < value.start {
                pass(index)
                index += 1
            }
            guard !value.isNothing else { continue }
            let end = self.end(ofValuesInside: value)
            found.append(replacement(value.start..<end, quote: value.quote))
            index = max(end, index + 1)
        }
        return found
    }

    /// The end of a value, or of a secret that begins inside it and ends later, as in texts that were cut and joined.
    ///
    /// Quotes and `#` inside the value do not count outside of it, so that a second redaction finds the same values.
    private mutating func end(ofValuesInside value: Value) -> Int {
        let (quotes, fragments) = (openQuotes, fragmentLevels)
        var end = value.end
        var index = value.start
        // Each search may read the rest of the text, so their number is limited. A password is known without a search.
        var looks = 0
        while index < end {
            if index == password.colon {
                end = max(end, password.end)
            } else if looks < 64, let inner = secret(at: index) {
                end = max(end, inner.end)
                looks += 1
            }
            pass(index)
            index += 1
        }
        (openQuotes, fragmentLevels) = (quotes, fragments)
        (name, nameOverEscapes) = (SecretName(), SecretName())
        return end
    }

    /// The value of the secret whose name ends at `index`, or whose shape begins there.
    private mutating func secret(at index: Int) -> Value? {
        if let shape = shape(at: index) { return shape }
        let byte = units[index].byte
        if SecretName.isIgnored(byte) { return nil }
        var next = name
        next.take(byte)
        var nextOverEscapes = nameOverEscapes
        if !units.beginsEscape(at: index - 1) { nextOverEscapes.take(byte) }
        while nextPairKey < pairKeys.count, pairKeys[nextPairKey] < index { nextPairKey += 1 }
        if nextPairKey < pairKeys.count, pairKeys[nextPairKey] == index {
            return value(afterName: index + 1, match: .whole)
        }
        let inLoginResult = loginResult || index < loginResultEnd
        guard
            let match = next.match(inLoginResult: inLoginResult) ?? nextOverEscapes.match(inLoginResult: inLoginResult)
        else { return nil }
        return value(afterName: index + 1, match: match)
    }

    static func isEscapedControl(_ byte: UInt8) -> Bool {
        switch byte {
        case "n", "r", "t", "b", "f": true
        default: false
        }
    }

    /// Updates the name, the open quotes, the fragments, the password and the login result for the next unit.
    private mutating func pass(_ index: Int) {
        let unit = units[index]
        name.take(unit.byte)
        if units.beginsEscape(at: index) {
            nameOverEscapes.take(1)
        } else if !units.beginsEscape(at: index - 1) {
            nameOverEscapes.take(unit.byte)
        }
        switch unit.byte {
        case "\"":
            while let open = openQuotes.last, open > unit.level { openQuotes.removeLast() }
            if openQuotes.last == unit.level {
                openQuotes.removeLast()
            } else {
                openQuotes.append(unit.level)
            }
            fragmentLevels = 0
        case "#":
            fragmentLevels |= 1 << UInt64(min(unit.level, 63))
            findLoginParameters(from: index)
        case "?":
            findLoginParameters(from: index)
        case "/":
            let hasUser = findPassword(afterSlash: index)
            findLoginResult(from: index, hasUser: hasUser)
        default:
            break
        }
    }

    static func isNamePart(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == "_" || byte == "-" || byte == "."
    }

    // MARK: Login results

    /// Updates `loginResultEnd` for the URL whose `//` is at `slash`, with or without a scheme. A `//` in a path begins
    /// none.
    private mutating func findLoginResult(from slash: Int, hasUser: Bool) {
        guard slash >= loginResultEnd, let slashesEnd = units.end(of: "//", at: slash) else { return }
        let hasScheme = units.has(":", at: slash - 1)
        if !hasScheme, slash > 0, Self.isNamePart(units[slash - 1].byte) || units[slash - 1].byte == "/" { return }
        let start = hasScheme ? slash - 1 : slash
        loginResultEnd = loginResultEnd(from: start, slashesEnd: slashesEnd, hasUser: hasUser) ?? loginResultEnd
    }

    /// The end of a URL, if its host is `authorize` or its scheme or host `fbconnect`.
    private func loginResultEnd(from index: Int, slashesEnd: Int, hasUser: Bool) -> Int? {
        var isLogin = isLoginHost(slashesEnd) || hasUser && followsUserName(from: slashesEnd)
        if !isLogin, index >= 9, units.end(of: "fbconnect", at: index - 9) != nil {
            isLogin = index == 9 || !Self.isNamePart(units[index - 10].byte)
        }
        guard isLogin else { return nil }
        let isParameter = isParameterValue(schemeEnd: index)
        // The URL has the lowest level of its delimiters: `fb1%3A//authorize?` is only partly encoded.
        var level = units[index..<slashesEnd].reduce(units[index].level) { min($0, $1.level) }
        var end = slashesEnd
        while end < units.count {
            let unit = units[end]
            switch unit.byte {
            case "\"":
                if unit.level <= max(level, openQuotes.last ?? 0) { return end }
            case "&":
                // The URL is the value of a parameter, and the next parameter begins here.
                if unit.level < level, isParameter { return end }
            case "?", "#", "=":
                level = min(level, unit.level)
            default: break
            }
            end += 1
        }
        return end
    }

    /// Whether the host at `start` is that of a login. A dot may end it, as it ends every complete name.
    private func isLoginHost(_ start: Int) -> Bool {
        for host: StaticString in ["authorize", "fbconnect"] {
            guard var end = units.end(of: host, at: start) else { continue }
            if units.has(".", at: end) { end += 1 }
            if end == units.count || !Self.isNamePart(units[end].byte) { return true }
        }
        return false
    }

    /// Whether the host of a login follows an `@` in the authority that begins at `start`: `user@authorize`.
    private func followsUserName(from start: Int) -> Bool {
        let level = max(units[start - 2].level, units[start - 1].level)
        var index = start
        while index < units.count, !(units[index].level <= level && Self.endsAuthority(units[index].byte)) {
            if units[index].byte == "@", isLoginHost(index + 1) { return true }
            index += 1
        }
        return false
    }

    /// Whether the URL whose scheme ends before `schemeEnd` is the value of a parameter: it follows a `=` of a lower
    /// level.
    func isParameterValue(schemeEnd: Int) -> Bool {
        var start = schemeEnd
        while start > 0, Self.isNamePart(units[start - 1].byte) || units[start - 1].byte == "+" {
            start -= 1
        }
        guard start > 0 else { return false }
        return units[start - 1].byte == "=" && units[start - 1].level < units[schemeEnd].level
    }

    /// Whether the parameters after a `?` or a `#` are those of a login, which came back to a page or an app. Then
    /// `loginResultEnd` is where they end. ``LoginResult`` states the rule.
    private mutating func findLoginParameters(from start: Int) {
        let startLevel = units[start].level
        guard startLevel < 16, start >= searchedEnds[Int(startLevel)], start >= loginResultEnd else { return }
        // JSON may escape any delimiter, so the lowest level is the URL's.
        var level = startLevel
        // Whether the URL was the value of a parameter, and the next parameter has begun.
        var isOver = false
        var name = SecretName()
        var readsName = true
        var codeLength = 0
        var (hasAnswer, hasMark) = (false, false)
        var valueStart = start
        var fragment = start
        var isCode = false
        var index = start + 1
        var nameStart = index
        loop: while index < units.count {
            let unit = units[index]
            switch unit.byte {
            case "&", "?", "#":
                if unit.byte == "&", unit.level < level {
                    if openQuotes.isEmpty { break loop }
                    isOver = true
                }
                if isCode { codeLength = max(codeLength, index - valueStart) }
                if unit.byte == "#" { fragment = index }
                (name, readsName, isCode, nameStart) = (SecretName(), true, false, index + 1)
            case "=" where readsName:
                if !isOver { level = min(level, unit.level) }
                readsName = false
                valueStart = index + 1
                isCode = name.isName("code")
                hasAnswer = hasAnswer || name.isName("state") || units.end(of: "error", at: nameStart) != nil
                if !isOver, unit.level <= level {
                    hasMark =
                        hasMark || units.end(of: "fb_", at: nameStart) != nil
                        || units.end(of: "fbclid", at: nameStart) != nil
                        || units.end(of: "al_applink_data", at: nameStart) != nil
                }
            case "\"":
                if unit.level <= max(level, openQuotes.last ?? 0) { break loop }
            case " ", "<", ">", "\n":
                if unit.level <= level { break loop }
            default:
                if readsName { name.take(unit.byte) }
            }
            index += 1
        }
        searchedEnds[Int(startLevel)] = index
        if isCode { codeLength = max(codeLength, index - valueStart) }
        guard codeLength > 0, hasAnswer, !hasMark else { return }
        let endsInMark = fragment + 4 == index && units.end(of: "#_=_", at: fragment) != nil
        if endsInMark || codeLength >= LoginResult.minimumCode { loginResultEnd = index }
    }
}
