import JSONReading

/// Recognises texts that are not NDJSON, or not CSV, by their first lines.
///
/// Single lines that are not JSON do not make a text wrong: they are rejected one by one.
struct WrongLines {
    /// The text without a byte order mark and blanks before it.
    private let text: ArraySlice<UInt8>
    /// Its whole lines, without blanks around them and without blank lines.
    private let lines: [ArraySlice<UInt8>]
    private let isWhole: Bool

    /// - Parameters:
    ///   - start: the first bytes of a file.
    ///   - isWhole: whether these are all bytes of the file.
    init(start: [UInt8], isWhole: Bool) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        text = start.dropFirst(start.starts(with: mark) ? mark.count : 0).drop(while: \.isBlank)
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if !isWhole { lines.removeLast() }
        self.lines = lines.map { $0.trimmingBlanks }.filter { !$0.isEmpty }
        self.isWhole = isWhole
    }

    /// Whether there is nothing but blanks.
    var isEmpty: Bool { isWhole && text.isEmpty }

    /// What a file is and what to do, to follow its name in a message, if it is read as NDJSON. Nil if it may be that.
    var adviceForNDJSON: String? {
        if let document = JSONForm(text, lines, isWhole: isWhole) { return document.advice }
        // One good line is enough. Without a whole line, nothing can be said.
        guard !lines.isEmpty, !lines.contains(where: \.isJSONObject) else { return nil }
        if let first = lines.first, first.last == UInt8(ascii: ","), first.dropLast().isJSONObject {
            return "has a comma after each event; in NDJSON nothing stands between the lines"
        }
        if let columns = CSVReader.guess(Array(text), isWhole: isWhole) {
            return "looks like CSV with \(columns.count) columns; CSV needs --mapping, a YAML file that says what the"
                + " columns mean (docs/import.md)"
        }
        return "is not NDJSON: none of its first lines is a JSON object. NDJSON has one event on each line"
    }

    /// The same if it is read as CSV.
    var adviceForCSV: String? {
        guard lines.first?.isJSONObject == true || JSONForm(text, lines, isWhole: isWhole) != nil else { return nil }
        return "is JSON, and --mapping reads CSV; leave --mapping out"
    }
}

/// JSON that is one document, and not one event on each line.
private enum JSONForm {
    case array
    /// Objects over several lines.
    case objects
    /// A body of the API: `{"events": […]}`.
    case batch

    init?(_ text: ArraySlice<UInt8>, _ lines: [ArraySlice<UInt8>], isWhole: Bool) {
        let isLineWhole = lines.first?.isJSON == true
        switch text.first {
        case UInt8(ascii: "["):
            let next = text.dropFirst().first { !$0.isBlank }
            guard let next, "{[]\"".utf8.contains(next) else { return nil }
            if isLineWhole, lines.dropFirst().contains(where: \.isJSONObject) { return nil }
            self = .array
        case UInt8(ascii: "{"):
            let isBatch = text.prefix(256).firstRange(of: Array(#""events""#.utf8)) != nil
            if isLineWhole {
                guard isWhole, lines.count == 1, let line = lines.first,
                    let root = try? JSONDocument(reading: line).root, root["events"]?.kind == .array,
                    root["type"] == nil
                else { return nil }
                self = .batch
                return
            }
            guard Self.isDocument(isWhole ? text : text.throughLastNewline) else { return nil }
            guard isBatch || lines.count > 1 else { return nil }
            self = isBatch ? .batch : .objects
        default: return nil
        }
    }

    /// Whether the text is the beginning of a JSON document, or several of them.
    private static func isDocument(_ text: ArraySlice<UInt8>) -> Bool {
        switch text.firstJSONError?.problem {
        case nil, .textEnds, .unclosedString, .secondValue: true
        default: false
        }
    }

    var advice: String {
        let filter =
            switch self {
            case .array: ".[]"
            case .objects: "."
            case .batch: ".events[]"
            }
        return "is a JSON document, and not NDJSON with one event on each line; convert it:"
            + " jq -c '\(filter)' FILE > events.ndjson"
    }
}

extension ArraySlice<UInt8> {
    fileprivate var firstJSONError: JSONSyntaxError? {
        withUnsafeBufferPointer { JSONSyntaxScanner.firstError(in: $0) }
    }

    fileprivate var isJSON: Bool { firstJSONError == nil }
    fileprivate var isJSONObject: Bool { first == UInt8(ascii: "{") && isJSON }

    fileprivate var trimmingBlanks: ArraySlice {
        let rest = drop(while: \.isBlank)
        return rest.lastIndex { !$0.isBlank }.map { rest[...$0] } ?? rest
    }

    /// Without the line at the end that may be incomplete; all of it if there is only one line.
    fileprivate var throughLastNewline: ArraySlice {
        lastIndex(of: UInt8(ascii: "\n")).map { self[...$0] } ?? self
    }
}
