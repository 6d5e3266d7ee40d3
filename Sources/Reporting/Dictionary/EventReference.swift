import Events

/// Every type of event and every field that it takes, derived from the decoder's own tables, so that the two cannot
/// differ. `docs/event-reference.md` is its text; a test compares the file with it.
package enum EventReference {
    /// A field of an event, as one row.
    private struct Row {
        /// Nil: every type takes the field, with the same meaning.
        var type: EventType?
        var field: EventField
        var description: FieldDescription
        var requirement: String
    }

    /// For a database or a script: one row for each field of a type.
    package static var csv: String {
        let columns: [ReportColumn] = [
            .text("type", "The type of the event; empty for a field of every event."), .text("field", "Its field."),
            .text("needed", "Whether it must be there."), .text("kind", "Its kind of value."),
            .text("limit", "Its limit."), .text("meaning", "What it means."), .text("example", "A value, as JSON."),
        ]
        let rows: [[ReportCell]] = (commonRows + EventType.allCases.flatMap(ownRows)).map { row in
            let kind = row.description.kind
            return [
                row.type.map { .text($0.rawValue) } ?? .empty, .text(row.field.key), .text(row.requirement),
                .text(kind.name), kind.limit.map { .text($0) } ?? .empty, .text(row.description.meaning),
                .text(row.description.example),
            ]
        }
        return CSVWriter.text(of: ReportTable(columns: columns, rows: rows))
    }

    /// For people.
    package static var markdown: String {
        """
        # Event reference

        <!-- Made by `make dictionary` from the descriptions of fields in the code. Change those, not this file. -->

        Every type of event, its fields and their limits. An event is a JSON object.
        [sending-events.md](sending-events.md) shows how to send one, and [events.md](events.md) says how ids become people,
        how times are corrected, and what the answers mean.

        \(DataDictionary.table(["`type`", "what happened"], types))

        An event that is not valid is rejected with one of [these codes](#codes-of-a-rejected-event). All others of its
        batch are stored.

        - **Explicit values win** over what `url` and `callback_url` say.
        - **An unknown field is an error** (`unknown_field`), and so is a field of another type, unless it is null. A typo
          therefore never loses data without notice. The message suggests the field that was meant. Your own data belongs in
          `properties`.
        - `null` means absent. So does an empty text, except for an id, a UUID, a word, a time, a decimal number and a
          currency: for these it is an error.
        - **What is said of a device never costs the event.** If `platform`, `app_version`, `country`, `language`,
          `limit_ad_tracking`, `install_referrer`, `referrer_clicked_at` or `install_began_at` cannot be read, the event is
          stored without it, and the answer [warns](events.md#what-is-said-of-a-device).
        - **A field twice is an error** (`duplicate_field`), even if both values are equal or one is null. Inside
          `properties`, the last value of a repeated key counts.
        - [Secrets](links.md#secrets) are replaced in every text.

        ## Fields of every event

        \(table(commonRows))

        \(EventType.allCases.map(section).joined(separator: "\n\n"))

        ## Values

        Sizes are bytes of UTF-8.

        \(DataDictionary.table(["value", "written as"], values))

        An event, as sent, has up to \(size(EventLimits.event)), its `install_referrer` not counted. [events.md](events.md#limits) has the
        limits of a request.

        ## Codes of a rejected event

        An event is answered with the first fault that is found.

        \(DataDictionary.table(["code", "when"], codes))

        """
    }

    private static var types: [[String]] {
        EventType.allCases.map { ["[`\($0.rawValue)`](#\($0.rawValue))", $0.meaning] }
    }

    private static var codes: [[String]] {
        Rejection.Code.allCases.map { ["`\($0.rawValue)`", $0.meaning] }
    }

    /// The fields that every type takes, with the same meaning.
    private static var commonRows: [Row] {
        EventField.allCases.filter(isCommon).compactMap { field in
            EventType.allCases.first.map { type in
                Row(field: field, description: field.description(in: type), requirement: commonRequirement(of: field))
            }
        }
    }

    private static func ownRows(of type: EventType) -> [Row] {
        EventField.allCases.filter { type.takes($0) && !isCommon($0) }.map { field in
            Row(
                type: type,
                field: field,
                description: field.description(in: type),
                requirement: type.requirement(of: field).phrase
            )
        }
    }

    private static func isCommon(_ field: EventField) -> Bool {
        guard EventType.allCases.allSatisfy({ $0.takes(field) }) else { return false }
        let descriptions = EventType.allCases.map { field.description(in: $0) }
        return descriptions.allSatisfy { $0 == descriptions.first }
    }

    /// The types that do not need the field are named, if others do.
    private static func commonRequirement(of field: EventField) -> String {
        let needed = Set(EventType.allCases.map { $0.requirement(of: field) }).subtracting([.optional])
        let free = EventType.allCases.filter { $0.requirement(of: field) == .optional }
        let phrases = needed.map(\.phrase).sorted().joined(separator: "; ")
        guard !needed.isEmpty, !free.isEmpty else { return phrases }
        return "\(phrases); not for \(free.map { "`\($0.rawValue)`" }.joined(separator: " and "))"
    }

    private static func section(_ type: EventType) -> String {
        let rows = ownRows(of: type)
        let parts = ["## \(type.rawValue)", type.meaning, "```json\n\(type.example)\n```"]
        let end = rows.isEmpty ? "It has only the [fields of every event](#fields-of-every-event)." : table(rows)
        return (parts + [end]).joined(separator: "\n\n")
    }

    private static func table(_ rows: [Row]) -> String {
        DataDictionary.table(
            ["field", "needed", "value", "meaning", "example"],
            rows.map { row in
                [
                    "`\(row.field.key)`", row.requirement, row.description.kind.phrase, row.description.meaning,
                    "`\(row.description.example)`",
                ]
            }
        )
    }

    private static var values: [[String]] {
        [
            ["text", "A JSON text. U+0000 and half a surrogate pair are errors (`invalid_text`)."],
            [
                "id",
                """
                A text of up to \(size(EventLimits.id)) that does not [belong to nobody]\
                (events.md#ids-that-belong-to-nobody).
                """,
            ],
            ["word", "A text: one of the words in the table, in lower case; a `platform` in any case."],
            ["UUID", "A text: a UUID with hyphens, of any version."],
            [
                "time",
                """
                A text: RFC 3339 with an offset, such as `2026-01-31T12:00:00.123456+01:00`. Microseconds are kept. At most \
                1 hour after the receipt; `occurred_at` also not older than the retention.
                """,
            ],
            ["flag", "`true` or `false`; in a form also `1` or `0`."],
            ["whole number", "A whole number of 64 bits, also as a text."],
            [
                "decimal",
                """
                A decimal number between −10^12 and 10^12, also as a text. It is rounded to 6 decimals, halves away from zero.
                """,
            ],
            ["currency", "A text: a code of ISO 4217, in any case; not `XXX` or `XTS`."],
            ["country", "A text: a code of ISO 3166-1 with two letters, in any case; `XK` is Kosovo, `UK` is `GB`."],
            [
                "language",
                """
                A text: a tag of BCP 47 of up to \(LanguageTag.limit) bytes, or \
                [what phones say instead](events.md#what-is-said-of-a-device).
                """,
            ],
            [
                "object",
                "A JSON object of up to \(size(EventLimits.properties)), \(EventLimits.propertiesDepth) levels deep.",
            ],
            [
                "refs",
                """
                An array of up to \(EventLimits.refCount) texts of up to \(size(EventLimits.ref)) each, or one text with \
                commas between them.
                """,
            ],
        ]
    }

    fileprivate static func size(_ bytes: Int) -> String {
        bytes % 1_024 == 0 ? "\(bytes / 1_024) KiB" : "\(bytes) bytes"
    }
}

extension FieldKind {
    /// Its name in the section *Values*.
    fileprivate var name: String {
        switch self {
        case .text: "text"
        case .id: "id"
        case .uuid: "UUID"
        case .time: "time"
        case .word: "word"
        case .flag: "flag"
        case .wholeNumber: "whole number"
        case .decimal: "decimal"
        case .currency: "currency"
        case .country: "country"
        case .language: "language"
        case .object: "object"
        case .refs: "refs"
        }
    }

    /// The limit or the words; nil if the section *Values* says all.
    fileprivate var limit: String? {
        switch self {
        case .text(let limit): "up to \(EventReference.size(limit))"
        case .word(let words): words.joined(separator: ", ")
        default: nil
        }
    }

    fileprivate var phrase: String {
        switch self {
        case .text: "\(name), \(limit ?? "")"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        default: name
        }
    }
}

extension FieldRequirement {
    fileprivate var phrase: String {
        switch self {
        case .required: "yes"
        case .oneOf(let fields): "at least one of \(fields.map { "`\($0.key)`" }.joined(separator: ", "))"
        case .with(let field): "with `\(field.key)`"
        case .optional: ""
        }
    }
}
