import Events
import Time

/// A table with texts of senders, or a month of `event`, and how its columns are redacted.
struct SearchedTable {
    struct Column {
        /// How a value is redacted.
        enum Content {
            case text
            /// The raw link or callback of an event; the event's type decides.
            case url
            /// A `text[]`.
            case list
            /// A `jsonb` object.
            case object
            /// The text of a JSON object.
            case json
            /// What a webhook has told of an event. It is forgotten, so that the event is looked at and told again.
            case told
            /// A dead letter.
            case rejectedEvent
            /// An event as it was read (`EventJSON`).
            case encodedEvent
            /// The id of a post. It becomes null: redacted, the ids of several posts would be one.
            case postID
        }

        var name: String
        var content = Content.text
        /// Whether reports read it, so that timelines and figures must be made again.
        var isReported = false
    }

    /// What becomes of a row with a secret.
    enum Remedy {
        case update
        /// The row is deleted, because the value is its key.
        case delete
        /// The row of a cost gets another name, which no other has: its money stays.
        case rename
        /// The same for a link. Those that the events show are made again afterwards (`LinkRemoval`).
        case unlink
    }

    /// The table's name in the database. It becomes part of statements.
    var name: String
    /// The table's name in findings, if it is another: `event`, of each month.
    var parent: String?
    /// An SQL expression for the month of a row, as `2026-03`.
    var month = "''"
    var columns: [Column]
    var remedy = Remedy.update

    var label: String { parent ?? name }
    var isEvent: Bool { parent != nil }

    /// The tables whose rows are rewritten. Links are not among them (``RedactionRun``).
    static func all(_ months: [EventMonth]) -> [SearchedTable] {
        months.map(event) + others + figures
    }

    private static func event(_ month: EventMonth) -> SearchedTable {
        SearchedTable(
            name: month.name,
            parent: "event",
            month: "'\(month.from.rfc3339.prefix(7))'",
            columns: EventColumn.all.compactMap { column in
                column.redaction.map { Column(name: column.name, content: $0, isReported: column.isReported) }
            }
        )
    }

    private static let others = [
        SearchedTable(
            name: "rejected_event",
            month: "to_char(received_at at time zone 'UTC', 'YYYY-MM')",
            columns: [
                Column(name: "event_id"), Column(name: "field"), Column(name: "message"),
                Column(name: "event", content: .rejectedEvent), Column(name: "encoded_event", content: .encodedEvent),
            ]
        ),
        SearchedTable(name: "question", columns: [Column(name: "parameter_values", content: .list)]),
        SearchedTable(
            name: "question_schedule",
            columns: [Column(name: "watch_row"), Column(name: "memory", content: .json)]
        ),
        SearchedTable(
            name: "question_run",
            month: "to_char(period_start, 'YYYY-MM')",
            columns: [Column(name: "remark")]
        ),
        SearchedTable(name: "note", month: "to_char(day, 'YYYY-MM')", columns: [Column(name: "text")]),
        SearchedTable(
            name: "cost",
            month: "to_char(starts_on, 'YYYY-MM')",
            columns: [Column(name: "name")],
            remedy: .rename
        ),
        SearchedTable(
            name: "change_log",
            month: "to_char(changed_at at time zone 'UTC', 'YYYY-MM')",
            columns: [
                Column(name: "subject"), Column(name: "before", content: .json), Column(name: "after", content: .json),
            ]
        ),
        SearchedTable(
            name: "webhook",
            columns: [Column(name: "parameter_values", content: .list), Column(name: "pause_reason")]
        ),
        SearchedTable(
            name: "webhook_event",
            month: "to_char(occurred_at at time zone 'UTC', 'YYYY-MM')",
            columns: [Column(name: "told", content: .told)]
        ),
        SearchedTable(
            name: "webhook_delivery",
            month: "to_char(created_at at time zone 'UTC', 'YYYY-MM')",
            columns: [Column(name: "body", content: .json), Column(name: "last_error")]
        ),
        SearchedTable(name: "feed_post_key", columns: [Column(name: "post_id")], remedy: .delete),
    ]

    /// Figures are computed again anyway; until then they show the refs that they have.
    private static let figures = [
        ("ref_figures", "ref"), ("post_figures", "ref"), ("attribution_figures", "group_name"),
        ("property_figures", "group_name"), ("funnel_figures", "group_name"), ("retention_figures", "group_name"),
        ("viral_figures", "group_name"),
    ].map { table, column in
        SearchedTable(
            name: table,
            month: "to_char(starts_on, 'YYYY-MM')",
            columns: [Column(name: column)]
        )
    }

    /// Derived from events, so they are searched after all events are clean.
    static let links = [
        SearchedTable(
            name: "device_link",
            month: "to_char(occurred_at at time zone 'UTC', 'YYYY-MM')",
            columns: [Column(name: "device_id"), Column(name: "user_id")],
            remedy: .unlink
        ),
        SearchedTable(
            name: "click_link",
            month: "to_char(occurred_at at time zone 'UTC', 'YYYY-MM')",
            columns: [Column(name: "click_id"), Column(name: "user_id"), Column(name: "device_id")],
            remedy: .unlink
        ),
    ]
}

extension SearchedTable.Column {
    /// The column as a text.
    var selected: String {
        switch content {
        case .list: "array_to_json(\(name))::text"
        case .object: "\(name)::text"
        case .text, .url, .json, .told, .rejectedEvent, .encodedEvent, .postID: name
        }
    }

    /// The type of its new value in `json_to_recordset`.
    private var sentType: String {
        switch content {
        case .list: "text[]"
        case .object: "jsonb"
        case .postID: "boolean"
        case .text, .url, .json, .told, .rejectedEvent, .encodedEvent: "text"
        }
    }

    var declaration: String { "\(name) \(sentType)" }

    /// Sets the column if the row has a new value for it.
    var assignment: String {
        switch content {
        case .postID: "\(name) = case when change.\(name) then null else stored.\(name) end"
        case .told: "\(name) = coalesce(change.\(name), stored.\(name)), is_stale = true"
        case .text, .url, .list, .object, .json, .rejectedEvent, .encodedEvent:
            "\(name) = coalesce(change.\(name), stored.\(name))"
        }
    }
}
