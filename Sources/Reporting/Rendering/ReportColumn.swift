/// A column of a report or an export, with its meaning. The data dictionary (`DataDictionary`) is derived from these.
package struct ReportColumn: Equatable, Sendable {
    /// The type of a column's cells. It decides how they are written in CSV, JSON and tables.
    package enum Kind: String, CaseIterable, Sendable {
        case text
        /// A whole number.
        case integer
        /// Credits, money or seconds: up to 6 decimals.
        case decimal
        /// A part of a whole, 6 decimals. The table for people shows it as a percentage.
        case rate
        /// Any other quotient, 6 decimals.
        case ratio
        /// A p-value, all its digits. The table for people shows 4 decimals.
        case probability
        // Only exports have these.
        /// An instant.
        case time
        case flag
        case uuid
        /// Refs.
        case list
        /// A JSON object.
        case json
    }

    /// The unit of values.
    static let currency = "the app's currency"

    package var name: String
    package var kind: Kind
    /// What a number counts, or its unit of measurement; nil if the column has no numbers.
    package var unit: String?
    /// One or more sentences, in Markdown, without line breaks.
    package var meaning: String
    /// When the column is present, if not in every result: "with `--times`".
    package var condition: String?

    /// Whether the column is a number that names the row, as `period` of retention does.
    private var isPosition = false

    /// Whether a column that is not a number is a figure, as `first_at` of goals is.
    private var isFigure = false

    /// Whether the column has the first days of calendar periods.
    private(set) var isCalendar = false

    /// Whether the texts of the column are dates or instants, besides the names of rows such as `total`. Texts of other
    /// columns may look like one and are none: a ref, a version, an id.
    var isDated: Bool { kind == .time || isCalendar || hasDates }
    private var hasDates = false

    /// Whether the values of the column, which is a key, divide the table into parts, each with rows of its own such as
    /// `total`.
    private(set) var isPart = false

    /// The counts that a rate divides.
    enum Share: Equatable, Sendable {
        /// A count of the row by the sum of others.
        case ofColumns(String, of: [String])
        /// A count of the row by the same count of another step of the same group.
        case ofStep(String, isFirst: Bool)
    }

    /// How the rate comes from counts, so that its spread is known; nil if it does not.
    private(set) var share: Share?

    /// The column that counts the events whose amounts the column sums up; nil if it is no such sum.
    private(set) var summed: String?

    /// Whether the column counts what neighbouring periods count, too.
    private(set) var isMoving = false

    /// Whether the column names the row, or says more of the name. All others are figures.
    var isKey: Bool {
        switch kind {
        case .text, .time, .flag, .uuid, .list, .json: !isFigure
        case .integer, .decimal, .rate, .ratio, .probability: isPosition
        }
    }

    package static func text(_ name: String, _ meaning: String) -> Self {
        Self(name: name, kind: .text, meaning: meaning)
    }

    static func integer(_ name: String, unit: String, _ meaning: String) -> Self {
        Self(name: name, kind: .integer, unit: unit, meaning: meaning)
    }

    static func decimal(_ name: String, unit: String, _ meaning: String) -> Self {
        Self(name: name, kind: .decimal, unit: unit, meaning: meaning)
    }

    package static func rate(_ name: String, _ meaning: String) -> Self {
        Self(name: name, kind: .rate, unit: "fraction", meaning: meaning)
    }

    static func ratio(_ name: String, unit: String, _ meaning: String) -> Self {
        Self(name: name, kind: .ratio, unit: unit, meaning: meaning)
    }

    static func probability(_ name: String, _ meaning: String) -> Self {
        Self(name: name, kind: .probability, unit: "probability", meaning: meaning)
    }

    static func time(_ name: String, _ meaning: String) -> Self { Self(name: name, kind: .time, meaning: meaning) }
    static func flag(_ name: String, _ meaning: String) -> Self { Self(name: name, kind: .flag, meaning: meaning) }
    static func uuid(_ name: String, _ meaning: String) -> Self { Self(name: name, kind: .uuid, meaning: meaning) }
    static func list(_ name: String, _ meaning: String) -> Self { Self(name: name, kind: .list, meaning: meaning) }
    static func json(_ name: String, _ meaning: String) -> Self { Self(name: name, kind: .json, meaning: meaning) }

    /// The same column as one of the first days of calendar periods.
    func asCalendar() -> Self { with { $0.isCalendar = true } }

    /// The same column as one that names the rows by dates, though it is not the report's own division into periods.
    func asDates() -> Self { with { $0.hasDates = true } }

    /// The same column as one that does not name the row.
    func asFigure() -> Self { with { $0.isFigure = true } }

    /// The same column as one that names the row.
    func asKey() -> Self { with { $0.isPosition = true } }

    /// The same column as one whose counts are known.
    func asShare(_ share: Share) -> Self { with { $0.share = share } }

    /// The same column as a sum of amounts, one of each event that another column counts.
    func asSum(of column: String) -> Self { with { $0.summed = column } }

    /// The same column as one that counts what neighbouring periods count, too.
    func asMoving() -> Self { with { $0.isMoving = true } }

    /// The same column as one that divides the table into parts.
    func asPart() -> Self { with { $0.isPart = true } }

    /// The same column, present only under a condition: `.text("period", "…").only("with `--by day|week|month`")`.
    func only(_ condition: String) -> Self { with { $0.condition = condition } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var column = self
        change(&column)
        return column
    }
}

extension ReportColumn {
    // Columns that several reports share, in the words of docs/reports.md.

    static let touches = integer("touches", unit: "touches", "Touches whose time lies in the range.")
    static let touchPeople = integer("people", unit: "people", "Distinct people of these touches.")
    static let authenticatedTouches = integer(
        "authenticated_touches",
        unit: "touches",
        "Those of the touches that carried a token."
    )
    static let creditedInstalls = decimal(
        "installs",
        unit: "installs",
        "Last-touch credits of installs in the range; the touch may lie before it."
    )
    static let creditedConversions = decimal(
        "conversions",
        unit: "conversions",
        "Last-touch credits of conversions in the range; the touch may lie before it."
    )
    static let creditedValue = decimal(
        "value",
        unit: currency,
        "The value of these conversions. A conversion in another currency adds none without a rate."
    ).asSum(of: "conversions")

    /// The last column of every report by period.
    static let complete = flag(
        "complete",
        "Whether the row's period lies whole in the range, and is over. Empty in rows of no period. A table shows an asterisk for `false`."
    )

    /// What the asterisk says that stands for `false` in ``complete``.
    package static let incompleteNote = "* not complete: the range cuts the period, or it is not over"

    /// The outcomes of posts: the columns of `PostCounts.cells`.
    static func posts(counted name: String) -> [ReportColumn] {
        [
            .integer(
                name,
                unit: "posts",
                "Feed posts in the range with the outcome `posted`. If the same `post_id` is sent twice, it is one post."
            ),
            .integer("cancelled", unit: "posts", "Posts that the person cancelled."),
            .integer("failed", unit: "posts", "Posts that ended in an error."),
            .integer("unconfirmed", unit: "posts", "Posts whose outcome was not reported."),
            .rate("post_rate", "`\(name)` ÷ (`\(name)` + `cancelled`): of all decisions, the share that was to post.")
                .asShare(.ofColumns(name, of: [name, "cancelled"])),
            .integer("posters", unit: "people", "Distinct people with a posted story."),
        ]
    }
}
