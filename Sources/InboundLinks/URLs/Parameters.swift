import JSONReading
import Text

/// The known parameters of a query or fragment, decoded once. If a key is repeated, its last value wins. A pair that
/// cannot be decoded is dropped; the others stay.
struct Parameters {
    private var values: [(name: ParameterName, value: String)] = []
    private var documents: [(name: ParameterName, document: JSONDocument)] = []
    /// The names with a value that is not empty, as bits. They make look-ups fast, most of which find nothing.
    private var filled: UInt64 = 0
    /// The range of the pair `al_applink_data=…` in the URL.
    private(set) var appLinkDataPair: Range<Int>?
    /// The pairs that say which tap the URL came from, and are no part of the place that it leads to: a `click_id` of
    /// ours, and a tap's time that was appended behind a fragment. In order.
    private(set) var tapPairs: [Range<Int>] = []
    /// The id of the click in a `click_id` of ours (``ClickID``).
    private(set) var clickID: String?
    /// How many searches for the end of a JSON value failed. Each may read the rest of the text, so their number is
    /// limited.
    private var failedSearches = 0
    /// The names of other parameters that are kept too, for the rules of an app.
    private var keptNames: Set<String> = []
    private var kept: [String: String] = [:]

    init() {}

    /// The parameters of a URL.
    ///
    /// - Parameters:
    ///   - readsFragment: whether to read the fragment too. Its parameters win.
    ///   - names: further parameters to keep, whether they have a meaning for us or not.
    init(of url: URLParts, readsFragment: Bool, keeping names: Set<String> = []) {
        keptNames = names
        var end = url.whole.upperBound
        // Facebook's login once appended this to every redirect.
        if url.whole.count >= 4, ("#_=_" as StaticString).matches(url.bytes, end - 4..<end) { end -= 4 }
        var fragmentStart = url.fragmentStart
        if let start = url.queryStart, start <= end {
            let queryEnd = read(url.bytes, from: start, end: end, isQuery: true)
            fragmentStart = queryEnd < end ? queryEnd + 1 : nil
        }
        guard let fragmentStart, fragmentStart <= end else { return }
        if readsFragment {
            read(url.bytes, from: fragmentStart, end: end, isQuery: false)
        } else {
            readClickTime(url.bytes, atTheEndOf: fragmentStart..<end)
        }
    }

    /// Reads the time of the tap at the end of a fragment: the iOS SDK appends `?fb_click_time_utc=T`, or the same with
    /// `&`, to the text of a link, whether it has a fragment or not.
    private mutating func readClickTime(_ bytes: [UInt8], atTheEndOf fragment: Range<Int>) {
        let separators: Set = [UInt8(ascii: "?"), UInt8(ascii: "&")]
        guard let separator = bytes[fragment].lastIndex(where: { separators.contains($0) }) else { return }
        let pair = separator + 1..<fragment.upperBound
        guard let equals = bytes[pair].firstIndex(of: UInt8(ascii: "=")),
            name(bytes, pair.lowerBound..<equals) == .clickTime,
            let time = PercentDecoding.text(bytes, equals + 1..<pair.upperBound, plusIsSpace: true), !time.isEmpty
        else { return }
        set(.clickTime, time)
        tapPairs.append(pair)
    }

    /// Reads `a=b&c=d` from `start` to the end of the text, or to a `#` if it is a query.
    ///
    /// - Returns: where reading stopped: at the `#` or at `end`.
    @discardableResult
    mutating func read(_ bytes: [UInt8], from start: Int, end: Int, isQuery: Bool) -> Int {
        var pairStart = start
        while true {
            var index = pairStart
            var equals: Int?
            while index < end {
                let byte = bytes[index]
                if byte == UInt8(ascii: "&") || (isQuery && byte == UInt8(ascii: "#")) { break }
                if byte == UInt8(ascii: "="), equals == nil { equals = index }
                index += 1
            }
            if !keptNames.isEmpty { keep(bytes, pairStart..<index, equals: equals) }
            if let name = name(bytes, pairStart..<(equals ?? index)) {
                let value = (equals.map { $0 + 1 } ?? index)..<index
                if name.isJSON {
                    let valueEnd = readJSON(name, bytes, value, end: end)
                    if name == .appLinkData { appLinkDataPair = pairStart..<valueEnd }
                    // The object may contain raw `&` and `#`, so continue after it.
                    if valueEnd > index {
                        index = valueEnd
                        while index < end, bytes[index] != UInt8(ascii: "&"),
                            !(isQuery && bytes[index] == UInt8(ascii: "#"))
                        {
                            index += 1
                        }
                    }
                } else if let text = PercentDecoding.text(bytes, value, plusIsSpace: true) {
                    set(name, text)
                    if name == .clickID, let id = ClickID.read(text) {
                        clickID = id
                        tapPairs.append(pairStart..<index)
                    }
                }
            }
            guard index < end, bytes[index] == UInt8(ascii: "&") else { return index }
            pairStart = index + 1
        }
    }

    /// The value; nil if it is empty.
    subscript(name: ParameterName) -> String? {
        guard isFilled(name) else { return nil }
        return values.first { $0.name == name }?.value
    }

    /// Whether there is a value that is not empty.
    func isFilled(_ name: ParameterName) -> Bool {
        filled & 1 << UInt64(name.rawValue) != 0
    }

    /// The value of a parameter that was to be kept; nil if it is empty.
    func keptValue(of name: String) -> String? {
        kept[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private mutating func keep(_ bytes: [UInt8], _ pair: Range<Int>, equals: Int?) {
        let key = pair.lowerBound..<(equals ?? pair.upperBound)
        guard let name = PercentDecoding.text(bytes, key, plusIsSpace: false), keptNames.contains(name),
            let value = PercentDecoding.text(
                bytes,
                (equals.map { $0 + 1 } ?? pair.upperBound)..<pair.upperBound,
                plusIsSpace: true
            )
        else { return }
        kept[name] = value
    }

    /// Whether the key is present, even with an empty value or broken JSON.
    func has(_ name: ParameterName) -> Bool {
        values.contains { $0.name == name }
    }

    /// The root of a value that is JSON: an object or an array.
    func json(_ name: ParameterName) -> JSONNode? {
        documents.first { $0.name == name }?.document.root
    }

    private func name(_ bytes: [UInt8], _ key: Range<Int>) -> ParameterName? {
        guard bytes[key].contains(UInt8(ascii: "%")) else { return ParameterName(bytes, key) }
        guard let decoded = PercentDecoding.bytes(bytes, key, plusIsSpace: false) else { return nil }
        return ParameterName(decoded, 0..<decoded.count)
    }

    private mutating func set(_ name: ParameterName, _ value: String) {
        if name == .actionMap {
            // Several keys share this name. It is filled if any of them is not empty. PHP writes an empty map as `[]`.
            guard !value.isEmpty, value != "[]", value != "{}" else { return }
        }
        let bit: UInt64 = 1 << UInt64(name.rawValue)
        filled = value.isEmpty ? filled & ~bit : filled | bit
        for index in values.indices where values[index].name == name {
            values[index].value = value
            return
        }
        values.append((name, value))
    }

    /// Reads a JSON value.
    ///
    /// - Returns: where the value ends. If it contains raw `&` or `#`, that is beyond `value`.
    private mutating func readJSON(_ name: ParameterName, _ bytes: [UInt8], _ value: Range<Int>, end: Int) -> Int {
        let first = bytes[value].first
        // A raw brace: the URL was already decoded on its way here, so it is not decoded again.
        if first == UInt8(ascii: "{"), failedSearches < 4 {
            if let object = BalancedObject.raw(bytes, from: value.lowerBound, end: end),
                let document = try? JSONDocument(reading: bytes[object])
            {
                set(name, document)
                return object.upperBound
            }
            failedSearches += 1
        }
        let decoded = PercentDecoding.bytes(bytes, value, plusIsSpace: true)
        if let decoded, !decoded.isEmpty, let document = try? JSONDocument(reading: decoded) {
            set(name, document)
            return value.upperBound
        }
        if let first, first != UInt8(ascii: "{"), failedSearches < 4 {
            if let (object, objectEnd) = BalancedObject.decoded(bytes, from: value.lowerBound, end: end),
                let document = try? JSONDocument(reading: object)
            {
                set(name, document)
                return objectEnd
            }
            failedSearches += 1
        }
        // A pair that cannot be decoded is dropped. An earlier pair with the same key still counts.
        if decoded != nil { set(name, nil) }
        return value.upperBound
    }

    private mutating func set(_ name: ParameterName, _ document: JSONDocument?) {
        documents.removeAll { $0.name == name }
        if let document { documents.append((name, document)) }
        set(name, "")
    }
}
