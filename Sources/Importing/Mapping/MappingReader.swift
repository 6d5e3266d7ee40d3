import Events
import InboundLinks
import Yams
import Text

/// Reads a mapping from YAML. An unknown key is an error.
struct MappingReader {
    private let root: MappingNode
    private var time: (format: TimeFormat, zone: String?) = (.dateTime, nil)

    init(text: String, name: String) throws(ImportError) {
        if let problem = YAMLAliases.problem(in: text) { throw .unusableMapping("\(name), \(problem)") }
        do {
            guard let node = try Yams.compose(yaml: text) else {
                throw ImportError.unusableMapping("\(name) is empty; docs/import.md shows what a mapping contains")
            }
            root = MappingNode(node: node, file: name)
        } catch let error as ImportError {
            throw error
        } catch {
            throw .unusableMapping("\(name) is not YAML: \(yamlProblem(error))")
        }
    }

    func mapping() throws(ImportError) -> ImportMapping {
        var reader = self
        return try reader.read()
    }

    private mutating func read() throws(ImportError) -> ImportMapping {
        let known = ["csv", "empty", "time", "skip", "unmatched", "id", "fields", "events"]
        var mapping = ImportMapping()
        var parts: [String: MappingNode] = [:]
        for (key, value) in try root.members(known: known) { parts[key] = value }

        if let csv = parts["csv"] { try read(csv, into: &mapping) }
        if let empty = parts["empty"] { mapping.emptySpellings = Set(try empty.texts()) }
        if let time = parts["time"] { self.time = try readTime(time) }
        if let skip = parts["skip"] { mapping.skip = try condition(skip) }
        if let unmatched = parts["unmatched"] {
            let choice: Unmatched = try unmatched.word("unmatched")
            mapping.rejectsUnmatched = choice == .reject
        }
        let id = try parts["id"].map { (part) throws(ImportError) in try columns(part) } ?? []
        var common = EventRule(idColumns: id, place: root.place)
        if let fields = parts["fields"] { try read(fields, into: &common) }

        if let events = parts["events"] {
            for event in try events.elements() { mapping.rules.append(try rule(event, over: common)) }
            if mapping.rules.isEmpty { throw events.failure("the list of events is empty") }
        } else {
            mapping.rules = [common]
        }
        for rule in mapping.rules { try check(rule) }
        return mapping
    }

    private enum Unmatched: String, CaseIterable { case skip, reject }

    // MARK: - The file

    private func read(_ csv: MappingNode, into mapping: inout ImportMapping) throws(ImportError) {
        for (key, value) in try csv.members(known: ["delimiter", "quote", "header", "columns", "skip_lines"]) {
            switch key {
            case "delimiter":
                let words = ["comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "\\t": "\t"]
                let text = try value.text()
                let bytes = Array((words[text] ?? text).utf8)
                guard bytes.count == 1, ![0x0A, 0x0D].contains(bytes[0]) else {
                    throw value.failure("delimiter must be comma, semicolon, tab, pipe or another ASCII character")
                }
                mapping.dialect.delimiter = bytes[0]
            case "quote":
                let text = try value.text()
                let bytes = Array(text.utf8)
                guard text == "none" || bytes.count == 1 else {
                    throw value.failure("quote must be one ASCII character, or none")
                }
                mapping.dialect.quote = text == "none" ? nil : bytes[0]
            case "header": mapping.hasHeader = try value.flag()
            case "columns":
                mapping.columnNames = try value.texts()
                guard Set(mapping.columnNames).count == mapping.columnNames.count else {
                    throw value.failure("two columns have the same name")
                }
            default:
                guard let count = Int(try value.text()), 0...1_000_000 ~= count else {
                    throw value.failure("skip_lines must be a number of lines")
                }
                mapping.skippedLines = count
            }
        }
        guard mapping.dialect.quote != mapping.dialect.delimiter else {
            throw csv.failure("quote and delimiter must differ")
        }
        if mapping.hasHeader, !mapping.columnNames.isEmpty {
            throw csv.failure("'columns' is only for a file without a header; add 'header: false'")
        }
    }

    private func columns(_ node: MappingNode) throws(ImportError) -> [ColumnReference] {
        let names = try node.texts()
        guard !names.isEmpty else { throw node.failure("expected a column") }
        return names.map { ColumnReference(name: $0, place: node.place) }
    }

    private func condition(_ node: MappingNode) throws(ImportError) -> RowCondition {
        let alternatives = node.node.sequence == nil ? [node] : try node.elements()
        guard !alternatives.isEmpty else { throw node.failure("expected a condition") }
        var condition = RowCondition(alternatives: [])
        for alternative in alternatives {
            var tests: [RowCondition.Test] = []
            for (name, value) in try alternative.members() {
                let column = ColumnReference(name: name, place: value.place)
                tests.append(RowCondition.Test(column: column, expectation: try expectation(value)))
            }
            guard !tests.isEmpty else { throw alternative.failure("expected a condition, 'column: value'") }
            condition.alternatives.append(tests)
        }
        return condition
    }

    private func expectation(_ node: MappingNode) throws(ImportError) -> RowCondition.Expectation {
        guard node.node.mapping != nil else { return .isOne(of: Set(try node.texts())) }
        let members = try node.members(known: ["not", "empty"])
        guard members.count == 1, let member = members.first else {
            throw node.failure("a condition is a value, a list of them, {not: …} or {empty: true}")
        }
        return member.key == "not"
            ? .isNone(of: Set(try member.value.texts())) : .isEmpty(try member.value.flag())
    }

    // MARK: - Events

    private func rule(_ node: MappingNode, over common: EventRule) throws(ImportError) -> EventRule {
        var rule = common
        rule.place = node.place
        for (key, value) in try node.members(known: ["when", "id", "fields"]) {
            switch key {
            case "when": rule.condition = try condition(value)
            case "id": rule.idColumns = try columns(value)
            default: try read(value, into: &rule)
            }
        }
        return rule
    }

    /// Reads fields. They replace fields of the same name that the rule already has.
    private func read(_ fields: MappingNode, into rule: inout EventRule) throws(ImportError) {
        for (key, value) in try fields.members(known: EventField.mappable) {
            guard let field = EventField(key: key) else { continue }
            if field == .properties, !isColumn(value) {
                for (name, value) in try value.members() {
                    replace(try fieldRule(name, value, kind: .text, isProperty: true), in: &rule.properties)
                }
                rule.fields.removeAll { $0.key == key }
            } else {
                if field == .properties { rule.properties = [] }
                replace(try fieldRule(key, value, kind: kind(of: field), isProperty: false), in: &rule.fields)
            }
        }
    }

    private func replace(_ field: FieldRule, in fields: inout [FieldRule]) {
        if let index = fields.firstIndex(where: { $0.key == field.key }) {
            fields[index] = field
        } else {
            fields.append(field)
        }
    }

    private func isColumn(_ node: MappingNode) -> Bool {
        node.node.mapping?["column"] != nil
    }

    private func kind(of field: EventField) -> FieldRule.Kind {
        switch field.kind {
        case .time: .time(time.format, zone: time.zone)
        case .flag: .flag
        case .decimal: .decimal(comma: false)
        case .object: .json
        case .text, .id, .uuid, .word, .wholeNumber, .currency, .country, .language, .refs: .text
        }
    }

    private func fieldRule(
        _ key: String,
        _ node: MappingNode,
        kind: FieldRule.Kind,
        isProperty: Bool
    ) throws(ImportError) -> FieldRule {
        guard node.node.mapping != nil else {
            let constant = try constant(node, kind: kind, isList: key == EventField.ref.key, isProperty: isProperty)
            return FieldRule(key: key, source: .constant(constant), kind: kind)
        }
        var rule = FieldRule(key: key, source: .columns([]), kind: kind)
        let known = ["column", "values", "other", "default", "format", "zone", "decimal", "as"]
        var parts: [String: MappingNode] = [:]
        for (key, value) in try node.members(known: known) { parts[key] = value }
        guard let column = parts["column"] else {
            throw node.failure("\(key) needs a 'column', or a constant in place of the braces")
        }
        rule.source = .columns(try columns(column))
        if key == EventField.ref.key, !isProperty {
            if let part = parts["as"] {
                _ = try part.word("as") as RefType
            } else {
                rule.kind = .ref
            }
        } else if let part = parts["as"] {
            guard isProperty || key == EventField.properties.key else {
                throw part.failure("'as' is only for properties and ref; the type of \(key) is fixed")
            }
            let type: PropertyType = try part.word("as")
            rule.kind = type.kind
        }
        if parts["format"] != nil || parts["zone"] != nil {
            rule.kind = try timeKind(parts, of: key, kind: rule.kind)
        }
        if let part = parts["decimal"] {
            guard case .decimal = rule.kind else { throw part.failure("'decimal' is only for value") }
            let mark: DecimalMark = try part.word("decimal")
            rule.kind = .decimal(comma: mark == .comma)
        }
        if let part = parts["values"] {
            for (value, translation) in try part.members() { rule.translation[value] = try translation.text() }
        }
        if let part = parts["other"] {
            guard !rule.translation.isEmpty else { throw part.failure("'other' needs 'values'") }
            rule.unlisted = try part.word("other")
        }
        if let part = parts["default"] {
            rule.fallback = try constant(
                part,
                kind: rule.kind == .ref ? kind : rule.kind,
                isList: false,
                isProperty: isProperty
            )
        }
        if case .time(let format, nil) = rule.kind, case .pattern = format, !format.needsNoZone {
            throw node.failure(
                "the format of \(key) has no offset (%z); add the 'zone' of its times, such as UTC"
            )
        }
        return rule
    }

    private enum PropertyType: String, CaseIterable {
        case text, number, flag, json

        var kind: FieldRule.Kind {
            switch self {
            case .text: .text
            case .number: .number
            case .flag: .flag
            case .json: .json
            }
        }
    }

    private enum RefType: String, CaseIterable { case list }

    private enum DecimalMark: String, CaseIterable { case comma, point }

    // MARK: - Times

    private func readTime(_ node: MappingNode) throws(ImportError) -> (format: TimeFormat, zone: String?) {
        var result = time
        for (key, value) in try node.members(known: ["format", "zone"]) {
            if key == "format" { result.format = try timeFormat(value) } else { result.zone = try zone(value) }
        }
        return result
    }

    private func timeKind(
        _ parts: [String: MappingNode],
        of key: String,
        kind: FieldRule.Kind
    ) throws(ImportError) -> FieldRule.Kind {
        guard case .time(let format, let zone) = kind else {
            let part = parts["format"] ?? parts["zone"]
            throw (part ?? root).failure("'format' and 'zone' are only for times; \(key) is not a time")
        }
        return .time(
            try parts["format"].map { (part) throws(ImportError) in try timeFormat(part) } ?? format,
            zone: try parts["zone"].map { (part) throws(ImportError) in try self.zone(part) } ?? zone
        )
    }

    private func timeFormat(_ node: MappingNode) throws(ImportError) -> TimeFormat {
        let text = try node.text()
        if let known = TimeFormat.names.first(where: { $0.name == text }) { return known.format }
        if text.contains("%") {
            guard let pattern = TimePattern(text) else {
                throw node.failure(
                    "a pattern must have a whole date; the directives are \(TimePattern.directives), and %I needs %p"
                )
            }
            return .pattern(pattern)
        }
        let names = TimeFormat.names.map(\.name).joined(separator: ", ")
        throw node.failure("format must be \(names), or a pattern such as '%Y-%m-%d %H:%M:%S'")
    }

    private func zone(_ node: MappingNode) throws(ImportError) -> String {
        let name = try node.text()
        guard LocalZone(name) != nil else {
            let closest = closestName(to: name, among: LocalZone.names)
            throw node.failure(
                "there is no time zone '\(name)'"
                    + (closest.map { " (did you mean '\($0)'?)" }
                        ?? "; use UTC, a name such as Europe/Berlin, or an offset such as +02:00")
            )
        }
        return name
    }

    // MARK: - Constants

    private func constant(
        _ node: MappingNode,
        kind: FieldRule.Kind,
        isList: Bool,
        isProperty: Bool
    ) throws(ImportError) -> [UInt8] {
        if isList, node.node.sequence != nil {
            let texts = try node.texts().map(JSONValueText.quoted)
            return Array("[".utf8) + Array(texts.joined(separator: Array(",".utf8))) + Array("]".utf8)
        }
        let text = try node.text()
        // In properties, `3` is a number and `'3'` is a text, as in YAML. Other fields have fixed types.
        if isProperty, kind == .text, node.isPlain, let json = JSONValueText.scalar(text) { return json }
        var encoder = FieldEncoder(kind: kind)
        guard let json = encoder.json(of: Array(text.utf8)[...]) else {
            throw node.failure("'\(text)' is not \(kind.expectation)")
        }
        return json
    }

    // MARK: - Checks

    private func check(_ rule: EventRule) throws(ImportError) {
        func failure(_ message: String) -> ImportError { .unusableMapping("\(rule.place): \(message)") }
        guard let type = rule.fields.first(where: { $0.key == EventField.type.key }) else {
            throw failure("an event needs a type: " + EventType.allCases.map(\.rawValue).joined(separator: ", "))
        }
        guard rule.fields.contains(where: { $0.key == EventField.occurredAt.key }) else {
            throw failure("an event needs its occurred_at; without it, events would get the time of the import")
        }
        var names: [String] = []
        switch type.source {
        case .constant(let json): names = [String(decoding: json.dropFirst().dropLast(), as: UTF8.self)]
        case .columns: names = type.translation.values.sorted()
        }
        for name in names {
            guard let known = EventType(rawValue: name) else {
                let closest = closestName(to: name, among: EventType.allCases.map(\.rawValue))
                throw failure("there is no event type '\(name)'" + (closest.map { " (did you mean '\($0)'?)" } ?? ""))
            }
            guard names.count == 1 else { continue }
            for field in rule.fields.map(\.key) + (rule.properties.isEmpty ? [] : [EventField.properties.key]) {
                if let field = EventField(key: field), !known.takes(field) {
                    throw failure("\(name) has no field \(field.key)")
                }
            }
        }
    }
}

extension EventField {
    /// The fields that a mapping may set. The import itself sets the others.
    fileprivate static let mappable = allCases.filter { $0 != .sentAt && $0 != .appID }.map(\.key)
}
