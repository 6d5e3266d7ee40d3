import Importing
import Testing
import RandomTesting

@Suite("CSV")
struct CSVReaderTests {
    /// The result of reading a text: rows as lists of columns, faults as `!` and the column.
    static func read(_ text: [UInt8], dialect: CSVDialect = CSVDialect(), pieces: [Int] = []) -> [[String]] {
        var reader = CSVReader(dialect: dialect)
        var result: [[String]] = []
        var rest = text[...]
        var sizes = pieces.makeIterator()
        while true {
            switch reader.next() {
            case .row: result.append(reader.row.texts)
            case .fault(let fault): result.append(["!\(fault.column)"])
            case .end: return result
            case .needsMore:
                if rest.isEmpty {
                    reader.finish()
                } else {
                    let piece = rest.prefix(sizes.next() ?? rest.count)
                    rest = rest.dropFirst(piece.count)
                    reader.append(Array(piece))
                }
            }
        }
    }

    @Test(
        arguments: [
            ("", []),
            ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
            ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
            ("\u{FEFF}a,b\n", [["a", "b"]]),
            ("a,\n,b\n,\n", [["a", ""], ["", "b"], ["", ""]]),
            ("a,", [["a", ""]]),
            ("\n\na\n\r\n\nb\n\n", [["a"], ["b"]]),
            ("\"a\",\"b\"", [["a", "b"]]),
            ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]),
            ("\"two\nlines\",\"three\r\nof\nthem\"\nx,y\n", [["two\nlines", "three\r\nof\nthem"], ["x", "y"]]),
            ("\"\",\"\"\"\"\n", [["", "\""]]),
            ("a\rb,c\n", [["a\rb", "c"]]),
            (" a , b \n", [[" a ", " b "]]),
            ("a,b\r", [["a", "b"]]),
            ("\"a\"\r", [["a"]]),
            ("é,😀\n", [["é", "😀"]]),
        ] as [(String, [[String]])]
    )
    func isReadByRFC4180(text: String, rows: [[String]]) {
        #expect(Self.read(Array(text.utf8)) == rows)
        // One byte at a time.
        #expect(Self.read(Array(text.utf8), pieces: Array(repeating: 1, count: text.utf8.count)) == rows)
    }

    @Test(
        arguments: [
            ("a,b\"c\nd,e\n", [["!2"], ["d", "e"]]),
            ("\"a\"b,c\nd,e\n", [["!1"], ["d", "e"]]),
            ("x,\"a\nd,e\n", [["!2"], ["d", "e"]]),
            ("x,\"a\" \nd,e\n", [["!2"], ["d", "e"]]),
            ("\"", [["!1"]]),
            ("a\n\"b", [["a"], ["!1"]]),
        ] as [(String, [[String]])]
    )
    func isStrictAndGoesOnWithTheNextLine(text: String, rows: [[String]]) {
        #expect(Self.read(Array(text.utf8)) == rows)
        #expect(Self.read(Array(text.utf8), pieces: Array(repeating: 1, count: text.utf8.count)) == rows)
    }

    @Test func hasOtherDelimitersAndQuotes() {
        var dialect = CSVDialect()
        dialect.delimiter = UInt8(ascii: ";")
        #expect(Self.read(Array("a,b;c\n".utf8), dialect: dialect) == [["a,b", "c"]])
        dialect.quote = UInt8(ascii: "'")
        #expect(Self.read(Array("'a;b';\"c\n".utf8), dialect: dialect) == [["a;b", "\"c"]])
        dialect.quote = nil
        #expect(Self.read(Array("'a\";\"c\n".utf8), dialect: dialect) == [["'a\"", "\"c"]])
    }

    @Test func endsARowThatIsTooLong() {
        let open = "x,\"" + String(repeating: "word\n", count: CSVReader.longestRow / 5 + 10)
        let rows = Self.read(Array(open.utf8), pieces: [7, 1 << 19, 1 << 19, 3])
        #expect(rows.first == ["!2"])
        #expect(rows.dropFirst().allSatisfy { $0 == ["word"] })
        let plain = String(repeating: "a", count: CSVReader.longestRow + 1) + "\nb\n"
        #expect(Self.read(Array(plain.utf8)) == [["!1"], ["b"]])
        let columns = String(repeating: ",", count: CSVReader.longestRow + 1) + "\nb\n"
        #expect(Self.read(Array(columns.utf8)) == [["!\(CSVReader.longestRow + 2)"], ["b"]])
        let quotes = "\"" + String(repeating: "\"\"", count: CSVReader.longestRow) + "\"\nb\n"
        #expect(Self.read(Array(quotes.utf8)) == [["!1"], ["b"]])
    }

    @Test func isReadBackHoweverItIsCutIntoPieces() {
        var random = SeededRandom(seed: 4180)
        for _ in 0..<400 {
            let width = Int.random(in: 1...5, using: &random)
            let table = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                (0..<width).map { _ in Self.cell(&random) }
            }
            var text: [UInt8] = random.chance(20) ? [0xEF, 0xBB, 0xBF] : []
            for (index, row) in table.enumerated() {
                let cells = row.map { Self.spelling($0, &random) }
                text += Array(cells.joined(separator: ",").utf8)
                if index < table.count - 1 || random.chance(80) { text += Array(random.pick(["\n", "\r\n"]).utf8) }
            }
            let pieces = (0..<text.count).map { _ in Int.random(in: 1...9, using: &random) }
            // A row of one empty column is a blank line.
            let rows = table.filter { $0 != [""] }
            #expect(Self.read(text, pieces: pieces) == rows)
        }
    }

    @Test func rubbishIsReadAlikeHoweverItIsCut() {
        var random = SeededRandom(seed: 99)
        let alphabet: [UInt8] = Array(",,,\"\"\"\n\n\r;ab1".utf8) + [0, 0xC3, 0xFF]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in random.pick(alphabet) }
            let pieces = (0..<text.count).map { _ in Int.random(in: 1...5, using: &random) }
            #expect(Self.read(text) == Self.read(text, pieces: pieces))
        }
    }

    @Test func accountsForEveryByteAndLine() {
        var random = SeededRandom(seed: 7)
        let alphabet: [UInt8] = Array(",\"\n\r\nab".utf8)
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...60, using: &random)).map { _ in random.pick(alphabet) }
            var reader = CSVReader()
            reader.append(text)
            reader.finish()
            var lines: [Int] = []
            while true {
                switch reader.next() {
                case .row, .fault:
                    lines.append(reader.row.line)
                    continue
                default: break
                }
                break
            }
            #expect(reader.offset == text.count)
            #expect(
                reader.line == text.split(separator: 0x0A, omittingEmptySubsequences: false).count
                    - (text.last == 0x0A ? 1 : 0)
            )
            #expect(lines == lines.sorted() && Set(lines).count == lines.count)
        }
    }

    private static func cell(_ random: inout SeededRandom) -> String {
        let letters = ["a", "Z", "7", "é", "😀", "\"", ",", "\n", "\r\n", " ", "\r", "'", ";", "\t"]
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(letters) }.joined()
    }

    private static func spelling(_ cell: String, _ random: inout SeededRandom) -> String {
        let mustQuote = cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        guard mustQuote || random.chance(30) else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }
}
