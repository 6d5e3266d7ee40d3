import InboundLinks
import Reporting

/// A few named values, printed as `name: value` lines or as a JSON object.
struct Record {
    private let fields: [(String, InspectionValue)]

    init(_ fields: [(String, InspectionValue)]) {
        self.fields = fields
    }

    func print(as format: RecordFormat.Form) {
        switch format {
        case .text: StandardOutput.print(lines)
        case .json: StandardOutput.print(InspectionValue.object(fields))
        }
    }

    /// Several records: blocks of lines with a blank line between, or a JSON array.
    static func print(_ records: [Record], as format: RecordFormat.Form) {
        switch format {
        case .text:
            if !records.isEmpty { StandardOutput.print(records.map(\.lines).joined(separator: "\n\n")) }
        case .json:
            StandardOutput.print(
                "[" + records.map { InspectionValue.object($0.fields) }.joined(separator: ",\n ") + "]"
            )
        }
    }

    /// A list: a table with a line for each element, or a JSON array.
    static func print<Element>(
        _ elements: some Sequence<Element>,
        as format: RecordFormat.Form,
        row: (Element) -> [String],
        record: (Element) -> Record
    ) {
        switch format {
        case .text: TextTable(rows: elements.map(row)).print()
        case .json: print(elements.map(record), as: .json)
        }
    }

    private var lines: String {
        fields.map { "\($0.0): \(text($0.1))" }.joined(separator: "\n")
    }

    private func text(_ value: InspectionValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .number(let number): String(number)
        case .bool(let value): value ? "on" : "off"
        case .list(let texts): texts.joined(separator: ", ")
        }
    }
}
