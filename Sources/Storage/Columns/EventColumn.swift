import Events
import Time

/// A column of the table `event` that the event itself decides: what it is called, what an event has in it, who reads
/// it, and how it is redacted.
///
/// ``all`` names each once. COPY, the export of events, a person's file, redaction and rereading follow that list.
package struct EventColumn: Sendable {
    /// The type of a column's values.
    package enum Kind: Equatable, Sendable {
        case text
        /// A value of an enumeration in the database, of this name.
        case label(String)
        /// Texts, as `text[]`.
        case list
        case flag
        case time
        case integer
        case smallInteger
        case decimal
        case uuid
        /// A JSON object, as `jsonb`.
        case json
    }

    /// What a part of an event has in a column. Typed, so that a value is not copied on its way into a row.
    enum Source<Part>: Sendable {
        case text(@Sendable (Part) -> String?)
        case label(@Sendable (Part) -> String?)
        case list(@Sendable (Part) -> [String]?)
        case flag(@Sendable (Part) -> Bool?)
        case time(@Sendable (Part) -> Timestamp?)
        case integer(@Sendable (Part) -> Int64?)
        case smallInteger(@Sendable (Part) -> Int16?)
        case decimal(@Sendable (Part) -> DecimalValue?)
        case uuid(@Sendable (Part) -> (high: UInt64, low: UInt64)?)
        case json(@Sendable (Part) -> String?)
    }

    /// A column of the export of events, and with that of the data dictionary.
    package struct Exported: Sendable {
        package var name: String
        /// What an integer or a decimal counts.
        package var unit: String?
        /// Sentences in Markdown.
        package var meaning: String
        /// An SQL expression.
        var expression: String
    }

    package var name: String
    package var kind: Kind
    /// What the column has of every event.
    let event: Source<Event>?
    // What it has of each part of an event. Parts may share a column, as touches and posts share `refs`.
    let touch: Source<Touch>?
    let post: Source<FeedPost>?
    let login: Source<Login>?
    let install: Source<Install>?
    let conversion: Source<Conversion>?
    /// The label that is not stored: null says it.
    private(set) var unstored: String?
    /// Nil: the export of events does not have it.
    package var exported: Exported?
    /// An SQL expression of what it says; nil: it is not in a person's file.
    var told: String?
    /// How `tributary redact` looks for secrets in it; nil: it holds no text of a sender.
    var redaction: SearchedTable.Column.Content?
    /// Whether reports read it.
    var isReported = false
    /// How it is read from a stored row, if `tributary reread` writes it again; nil: a link does not decide it.
    var rereading: Rereading?
}

extension EventColumn {
    /// - Parameters:
    ///   - meaning: for readers of the export of events. Nil: the export does not have the column.
    ///   - unit: what a number of the export counts.
    ///   - event: what the column has of every event; the others, what it has of this part of an event. Nil: nothing.
    init(
        _ name: String,
        _ kind: Kind,
        _ meaning: String? = nil,
        unit: String? = nil,
        event: Source<Event>? = nil,
        touch: Source<Touch>? = nil,
        post: Source<FeedPost>? = nil,
        login: Source<Login>? = nil,
        install: Source<Install>? = nil,
        conversion: Source<Conversion>? = nil
    ) {
        self.name = name
        self.kind = kind
        (self.event, self.touch, self.post) = (event, touch, post)
        (self.login, self.install, self.conversion) = (login, install, conversion)
        exported = meaning.map { Exported(name: name, unit: unit, meaning: $0, expression: name) }
        told = name
        // Whatever a sender writes may hold a secret.
        redaction =
            switch kind {
            case .text: .text
            case .list: .list
            case .json: .object
            case .label, .flag, .time, .integer, .smallInteger, .decimal, .uuid: nil
            }
    }

    /// The export of events has it by another name.
    func exported(as name: String) -> EventColumn { with { $0.exported?.name = name } }

    /// The export of events says this expression in place of the column.
    func exported(says expression: String) -> EventColumn { with { $0.exported?.expression = expression } }

    /// Readers are told this expression in place of the column.
    func told(as expression: String?) -> EventColumn {
        exported(says: expression ?? name).with { $0.told = expression }
    }

    func stored(unless label: String) -> EventColumn { with { $0.unstored = label } }

    func redacted(as redaction: SearchedTable.Column.Content?) -> EventColumn { with { $0.redaction = redaction } }

    /// Reports read it, so timelines and figures are made again after it was redacted.
    var reported: EventColumn { with { $0.isReported = true } }

    func reread(_ rereading: Rereading) -> EventColumn { with { $0.rereading = rereading } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var column = self
        change(&column)
        return column
    }
}
