/// Every column of every output, derived from the columns in the code (`ReportColumn`), so that the two cannot differ.
/// `docs/data-dictionary.md` is its text; a test compares the file with it.
package enum DataDictionary {
    /// The columns of one output.
    struct Entry {
        /// The output as a user requests it: `report channels`.
        var output: String
        var summary: String
        var columns: [ReportColumn]
        /// The columns that `--compare-previous` adds, which the page for people describes in one sentence.
        var previousColumns: [ReportColumn] = []
    }

    static var reports: [Entry] {
        ReportCatalogue.descriptions.map {
            Entry(
                output: "report \($0.name)",
                summary: $0.summary,
                columns: $0.columns,
                previousColumns: $0.previousColumns
            )
        } + [
            Entry(
                output: "report NAME --people",
                summary:
                    "The people behind a figure, of the reports that have `--people`: instead of the columns above.",
                columns: PeopleQuestion.columns
            )
        ]
    }

    static var exports: [Entry] {
        ExportCatalogue.descriptions.map {
            Entry(output: "export \($0.name)", summary: $0.summary, columns: $0.columns)
        }
    }

    /// Every column with the output that has it, as a user asks for that: `report channels`.
    package static var meanings: [(output: String, column: ReportColumn)] {
        (reports + exports).flatMap { entry in
            (entry.columns + entry.previousColumns).map { (entry.output, $0) }
        }
    }

    /// For a database or a script: one row for each column.
    package static var csv: String {
        let columns: [ReportColumn] = [
            .text("output", "The command."), .text("column", "Its column."), .text("type", "Its type."),
            .text("unit", "Its unit."), .text("meaning", "What it means."), .text("condition", "When it is there."),
        ]
        let rows: [[ReportCell]] = meanings.map { output, column in
            [
                .text(output), .text(column.name), .text(column.kind.rawValue),
                column.unit.map { .text($0) } ?? .empty, .text(column.meaning),
                column.condition.map { .text($0) } ?? .empty,
            ]
        }
        return CSVWriter.text(of: ReportTable(columns: columns, rows: rows))
    }

    /// For people.
    package static var markdown: String {
        """
        # Data dictionary

        <!-- Made by `make dictionary` from the descriptions of columns in the code. Change those, not this file. -->

        Every column of every output of `tributary`, in its order. How the figures are counted is in [reports.md](reports.md).

        ## Types

        \(types)

        ## Reports

        The same columns as a table, as CSV and as JSON, where `rows` holds an object a row. With `--compare-previous`, every
        figure NAME of a report that is no funnel also has the columns `previous_NAME`, and, if it is a number, `change_NAME`
        and `change_share_NAME` ([the preceding range](reports.md#beside-the-preceding-range)).

        \(reports.map(section).joined(separator: "\n\n"))

        ## Exports

        The same columns as CSV and as NDJSON, an object a line. [exports.md](exports.md) says how they are used.

        \(exports.map(section).joined(separator: "\n\n"))

        """
    }

    private static var types: String {
        table(
            ["type", "written as"],
            ReportColumn.Kind.allCases.map { ["`\($0.rawValue)`", $0.spelling] }
        )
    }

    private static func section(_ entry: Entry) -> String {
        let rows = entry.columns.map { column in
            let condition = column.condition.map { " Only \($0)." } ?? ""
            return ["`\(column.name)`", column.kind.rawValue, column.unit ?? "", column.meaning + condition]
        }
        return """
            ### \(entry.output)

            \(entry.summary)

            \(table(["column", "type", "unit", "meaning"], rows))
            """
    }

    /// A table in Markdown.
    static func table(_ header: [String], _ rows: [[String]]) -> String {
        func line(_ cells: [String]) -> String {
            "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
        }
        let rule = "|" + String(repeating: "---|", count: header.count)
        return ([line(header), rule] + rows.map(line)).joined(separator: "\n")
    }
}

extension ReportColumn.Kind {
    /// How a value is written in CSV and JSON. Null is an empty cell in CSV and `null` in JSON, for all types.
    var spelling: String {
        switch self {
        case .text: "Text in UTF-8. In CSV, a text that a spreadsheet would run as a formula has a leading apostrophe."
        case .integer: "A whole number, only digits."
        case .decimal: "A decimal number with up to 6 decimals and no zeros at its end: `12`, `12.5`."
        case .rate: "A part of a whole, always with 6 decimals: `0.250000` is 25 %."
        case .ratio: "Any other quotient, always with 6 decimals."
        case .probability: "A p-value with all its digits, as floating-point numbers are written: `0.0284597`, `1e-12`."
        case .time:
            "An instant, RFC 3339 in UTC: `2026-01-31T09:30:00Z`, or with microseconds `2026-01-31T09:30:00.123456Z`."
        case .flag: "`true` or `false`."
        case .uuid: "A UUID in lower case with hyphens."
        case .list: "Texts without commas. In CSV one cell, joined by commas; in NDJSON an array."
        case .json: "A JSON object. In CSV its text, in NDJSON the object itself."
        }
    }
}
