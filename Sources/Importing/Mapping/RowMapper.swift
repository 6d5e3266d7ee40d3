import Events
import Storage
import InboundLinks

/// Makes events of the rows of one file.
struct RowMapper {
    private let appID: String
    private let emptySpellings: Set<String>
    private let rejectsUnmatched: Bool
    private let columnNames: [String]
    private let skip: ResolvedCondition?
    private var rules: [ResolvedRule]

    /// - Parameters:
    ///   - columns: the names of the file's columns, or their numbers.
    ///   - file: its name, for messages.
    /// - Throws: `ImportError.unusableInput` if the mapping uses a column that the file does not have.
    init(
        _ mapping: ImportMapping,
        columns: [String],
        file: String,
        appID: String
    ) throws(ImportError) {
        self.appID = appID
        emptySpellings = mapping.emptySpellings
        rejectsUnmatched = mapping.rejectsUnmatched
        columnNames = columns
        let finder = ColumnFinder(names: columns, file: file)
        skip = try mapping.skip.map { (condition) throws(ImportError) in try ResolvedCondition(condition, finder) }
        var rules: [ResolvedRule] = []
        for rule in mapping.rules { rules.append(try ResolvedRule(rule, finder)) }
        self.rules = rules
    }

    /// The columns that a field came from, for messages; nil if it came from none.
    func columns(of field: String, rule: Int) -> String? {
        let fields = rules[rule].fields + (rules[rule].properties)
        guard let match = fields.first(where: { $0.rule.key == field }) else {
            // The field `properties` itself.
            return field == EventField.properties.key ? names(rules[rule].properties.flatMap(\.columns)) : nil
        }
        return names(match.columns)
    }

    /// The events of a row; none if the mapping skips it.
    mutating func map(_ row: CSVRow, fingerprint: SourceFingerprint) -> [MappedEvent] {
        guard row.count == columnNames.count else {
            let message = "the row has \(row.count) columns instead of \(columnNames.count)"
            let fault = RowFault(code: .invalidRow, field: nil, column: nil, message: message)
            return [.unmapped(row, fingerprint, fault)]
        }
        if let skip, skip.holds(for: row, cell: cell) { return [] }
        var events: [MappedEvent] = []
        var isMatched = false
        for index in rules.indices {
            if let condition = rules[index].condition, !condition.holds(for: row, cell: cell) { continue }
            isMatched = true
            if let event = event(of: row, rule: index, fingerprint: fingerprint) { events.append(event) }
        }
        if !isMatched, rejectsUnmatched {
            let message = "no rule of the mapping matches this row"
            let fault = RowFault(code: .invalidRow, field: nil, column: nil, message: message)
            return [.unmapped(row, fingerprint, fault)]
        }
        return events
    }

    /// Nil if the rule skips the row.
    private mutating func event(of row: CSVRow, rule index: Int, fingerprint: SourceFingerprint) -> MappedEvent? {
        var json: [UInt8] = [UInt8(ascii: "{")]
        var fault: RowFault?
        var identity: [[UInt8]] = []
        var hasID = false
        for field in rules[index].fields.indices {
            switch encode(&rules[index].fields[field], row) {
            case .absent: continue
            case .passedOver: return nil
            case .value(let value):
                Self.append(value, for: rules[index].fields[field].key, to: &json)
                switch rules[index].fields[field].rule.key {
                case EventField.type.key, EventField.name.key: identity.append(value)
                case EventField.eventID.key: hasID = true
                default: break
                }
            case .fault(let value, let reason):
                Self.append(value, for: rules[index].fields[field].key, to: &json)
                fault = fault ?? reason
            }
        }
        if !rules[index].properties.isEmpty {
            var properties: [UInt8] = [UInt8(ascii: "{")]
            for field in rules[index].properties.indices {
                switch encode(&rules[index].properties[field], row) {
                case .absent: continue
                case .passedOver: return nil
                case .value(let value):
                    Self.append(value, for: rules[index].properties[field].key, to: &properties)
                case .fault(let value, let reason):
                    Self.append(value, for: rules[index].properties[field].key, to: &properties)
                    fault = fault ?? reason
                }
            }
            properties.append(UInt8(ascii: "}"))
            if properties.count > 2 {
                Self.append(properties, for: JSONValueText.quoted(EventField.properties.key), to: &json)
            }
        }
        let id: EventID
        if rules[index].idColumns.isEmpty {
            id = fingerprint.id(index)
        } else {
            let cells = rules[index].idColumns.map { Array(cell(row, $0) ?? []) }
            if cells.allSatisfy(\.isEmpty), !hasID {
                fault =
                    fault
                    ?? RowFault(
                        code: .missingField,
                        field: EventField.eventID.key,
                        column: names(rules[index].idColumns),
                        message: "the columns of the id are empty"
                    )
            }
            id = EventID(naming: [Array("tributary import".utf8), Array(appID.utf8)] + identity + cells)
        }
        if !hasID {
            Self.append(
                JSONValueText.quoted(id.description),
                for: JSONValueText.quoted(EventField.eventID.key),
                to: &json
            )
        }
        json.append(UInt8(ascii: "}"))
        return MappedEvent(json: json, id: id, deadLetterID: fingerprint.id(index), rule: index, fault: fault)
    }

    private enum Encoded {
        case absent
        /// The row becomes no event by this rule.
        case passedOver
        /// JSON.
        case value([UInt8])
        /// The unchanged text, as JSON.
        case fault([UInt8], RowFault)
    }

    private func encode(_ field: inout ResolvedField, _ row: CSVRow) -> Encoded {
        if case .constant(let json) = field.rule.source { return .value(json) }
        var text: ArraySlice<UInt8>?
        for column in field.columns {
            text = cell(row, column)
            if text != nil { break }
        }
        guard var text else { return field.rule.fallback.map { .value($0) } ?? .absent }
        if !field.rule.translation.isEmpty {
            if let translated = field.rule.translation[String(decoding: text, as: UTF8.self)] {
                text = Array(translated.utf8)[...]
            } else {
                switch field.rule.unlisted {
                case .keep: break
                case .omit: return .absent
                case .skip: return .passedOver
                case .reject:
                    return fault(field, text, "\(field.rule.key) has a value that 'values' does not list")
                }
            }
        }
        guard let json = field.encoder.json(of: text) else {
            return fault(field, text, "\(field.rule.key) must be \(field.rule.kind.expectation)")
        }
        return .value(json)
    }

    private func fault(_ field: ResolvedField, _ text: ArraySlice<UInt8>, _ message: String) -> Encoded {
        let reason = RowFault(
            code: .invalidValue,
            field: field.rule.key,
            column: names(field.columns),
            message: message
        )
        return .fault(JSONValueText.quoted(String(decoding: text, as: UTF8.self)), reason)
    }

    /// Nil for an empty column, and for a text that means "no value".
    private func cell(_ row: CSVRow, _ column: Int) -> ArraySlice<UInt8>? {
        let cell = row[column]
        if cell.isEmpty { return nil }
        if !emptySpellings.isEmpty, emptySpellings.contains(String(decoding: cell, as: UTF8.self)) { return nil }
        return cell
    }

    private func names(_ columns: [Int]) -> String? {
        columns.isEmpty ? nil : columns.map { columnNames[$0] }.joined(separator: ", ")
    }

    private static func append(_ value: [UInt8], for key: [UInt8], to json: inout [UInt8]) {
        if json.count > 1 { json.append(UInt8(ascii: ",")) }
        json.append(contentsOf: key)
        json.append(UInt8(ascii: ":"))
        json.append(contentsOf: value)
    }
}
