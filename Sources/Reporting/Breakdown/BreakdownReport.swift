import Events
import InboundLinks
import Postgres
import Storage
import Time
import Timelines

/// Touches by any one or two keys, and what their last touches brought.
struct BreakdownReport: AmendedReport, PeopleReport {
    /// What is counted in each row.
    enum Figure: String, CaseIterable {
        case touches
        case people
        case authenticatedTouches = "authenticated_touches"
        case installs
        case conversions
        case payingPeople = "paying_people"
        case value
        case share
        case convertingPeople = "converting_people"
        case installRate = "install_rate"
        case conversionRate = "conversion_rate"
        case conversionsPerPerson = "conversions_per_person"
        case valuePerPerson = "value_per_person"
        case valuePerTouch = "value_per_touch"
        case days
        case cost
        case costPerInstall = "cost_per_install"
        case costPerConversion = "cost_per_conversion"
        case costReturn = "return"

        /// Whether only rows that can have costs have it.
        var isOfCosts: Bool {
            switch self {
            case .cost, .costPerInstall, .costPerConversion, .costReturn: true
            default: false
            }
        }

        /// Whether only `--rates` shows it.
        var isOfRates: Bool {
            switch self {
            case .convertingPeople, .installRate, .conversionRate, .conversionsPerPerson, .valuePerPerson: true
            default: false
            }
        }

        /// Whether credits and not touches decide it.
        var isOfCredits: Bool {
            switch self {
            case .installs, .conversions, .value, .valuePerTouch, .payingPeople: true
            default: isOfRates
            }
        }

        /// Whether it counts people whom credits decide, or divides by these.
        var isOfPeople: Bool {
            switch self {
            case .payingPeople, .convertingPeople, .installRate, .conversionRate: true
            default: false
            }
        }

        /// The figure of which rows that are sorted by this one have a share: of touches, if it does not add up.
        var shared: Figure {
            switch self {
            case .installRate, .conversionRate, .conversionsPerPerson, .valuePerPerson, .valuePerTouch, .share, .days,
                .costPerInstall, .costPerConversion, .costReturn:
                .touches
            default: self
            }
        }
    }

    static let name = "breakdown"
    static let summary =
        "Touches by any one or two keys, such as the single post or who posted it, and what the last touches brought."
    static let examples = ["--by poster --sort paying_people", "--by page --rates --least 20"]
    static let parameters: [ReportParameter] =
        [
            ReportParameter(
                "by",
                "KEYS",
                "What rows are counted by, one or two, separated by a comma: \(BreakdownKey.names.joined(separator: ", ")).",
                default: BreakdownKey.channel.rawValue,
                offered: BreakdownKey.names
            ),
            ReportParameter(
                "sort",
                "COLUMN",
                "The column that orders the rows: numbers from the largest, keys from the first; COLUMN:reverse in the opposite order.",
                default: Figure.touches.rawValue,
                offered: Figure.allCases.map(\.rawValue) + BreakdownKey.names
            ),
            ReportParameter(
                "limit",
                "ROWS",
                "The most rows, 1–\(limitRange.upperBound), or, as 1%, a part of those with a name; the rest is one row, (others).",
                default: String(defaultLimit)
            ),
            ReportParameter(
                "least",
                "NUMBER",
                "The fewest people of a row; rows of fewer are in (others), so that a rate of two people is not the first."
            ),
            ReportParameter(
                "rates",
                "",
                "Add how many of the people installed and converted, and conversions and value for each person."
            ),
            ReportParameter("per-touch", "", "Add the value of a touch, value_per_touch."),
        ] + LastTouchParameters.described
    static let columns = [ReportColumn.text("channel", "The channel of the touches.")] + figureColumns
    static let allColumns =
        BreakdownKey.allCases.flatMap(\.columns) + figureColumns + rateColumns + [touchValueColumn, daysColumn]
        + ReportColumn.costs

    private static let limitRange = 1...10_000
    private static let defaultLimit = 50
    private static let figureColumns: [ReportColumn] = [
        .touches, .touchPeople, .authenticatedTouches, .creditedInstalls, .creditedConversions,
        .integer(
            "paying_people",
            unit: "people",
            "Distinct people with one of these conversions that has a value above 0."
        ), .creditedValue,
        .rate(
            "share",
            "The row's part of the column that `--sort` names: its figure ÷ that of `total`. Of `touches` if that is a key or a rate."
        ),
    ]
    private static let rateColumns = [
        ReportColumn.integer("converting_people", unit: "people", "Those of `people` with one of these conversions."),
        .rate("install_rate", "Those of `people` with one of these installs ÷ `people`."),
        .rate("conversion_rate", "`converting_people` ÷ `people`."),
        .ratio("conversions_per_person", unit: "conversions per person", "`conversions` ÷ `people`."),
        .ratio("value_per_person", unit: "\(ReportColumn.currency) per person", "`value` ÷ `people`."),
    ].map { $0.only("with `--rates`") }
    private static let touchValueColumn = ReportColumn.ratio(
        "value_per_touch",
        unit: "\(ReportColumn.currency) per touch",
        "`value` ÷ `touches`."
    ).only("with `--per-touch`")

    /// The unit of ``daysColumn``.
    static let daysUnit = "days or hours"
    private static let daysColumn = ReportColumn.decimal(
        "days",
        unit: daysUnit,
        "How many of these days of the week the range has in the report's time zone, or how many of these hours; in `total`, how many of all. A part of one counts as a part."
    ).only("with `--by hour` and `--by weekday`")

    static let peopleFigures = LastTouchParameters.peopleFigures

    static func rowNames(by grouping: String?) -> [String] {
        (grouping ?? BreakdownKey.channel.rawValue).split(separator: ",").map { String($0.filter { $0 != " " }) }
    }

    /// One or two, different.
    let keys: [BreakdownKey]
    /// Nil to order the rows by a key.
    let sortFigure: Figure?
    /// The position in `keys` of the key that orders the rows.
    let sortKey: Int?
    let isReversed: Bool
    let limit: Int
    /// How many percent of the rows with a name are shown, up to the limit; nil for all.
    let percent: Int?
    /// The fewest people of a row of its own.
    let least: Int
    /// Whether the rows have rates of people.
    let tellsRates: Bool
    /// Whether the rows have the value of a touch.
    let tellsTouchValue: Bool
    let lastTouch: LastTouchParameters

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        let ofTouches = parameters.properties.filter { $0.isAllowed(for: .touch) }
        let keys = try parameters.breakdownKeys(
            among: BreakdownKey.allCases + ofTouches.map(BreakdownKey.grouping)
        )
        self.keys = keys
        let order = SortOrder(try parameters.text("sort") ?? Figure.touches.rawValue)
        tellsRates = try parameters.option("rates")
        tellsTouchValue = try parameters.option("per-touch")
        let figures = Figure.allCases.filter { [tellsRates, tellsTouchValue] figure in
            if figure == .days { return Self.tellDays(keys) }
            if figure == .valuePerTouch { return tellsTouchValue }
            return figure.isOfCosts ? !Self.costKinds(of: keys).isEmpty : tellsRates || !figure.isOfRates
        }
        sortFigure = figures.first { $0.rawValue == order.column }
        sortKey = keys.firstIndex { $0.rawValue == order.column }
        isReversed = order.isReversed
        guard sortFigure != nil || sortKey != nil else {
            let allowed = keys.map(\.rawValue) + figures.map(\.rawValue)
            throw .unknown("value", order.column, field: "sort", allowed: allowed)
        }
        if sortFigure?.isOfCosts == true, parameters.isGiven("people") {
            throw .invalid("sort", "nobody knows what single people cost: sort by a count")
        }
        percent = try parameters.percent("limit")
        limit =
            percent == nil
            ? try parameters.count("limit", default: Self.defaultLimit, allowed: Self.limitRange)
            : Self.limitRange.upperBound
        least = parameters.isGiven("least") ? try parameters.count("least", default: 1, allowed: 1...1_000_000_000) : 0
        lastTouch = try LastTouchParameters(reading: &parameters)
    }

    /// What `share` is of.
    var sharedFigure: Figure { sortFigure?.shared ?? .touches }

    var columns: [ReportColumn] {
        columnsOfKeys.flatMap { $0.map(\.column) } + Self.figureColumns + (tellsRates ? Self.rateColumns : [])
            + (tellsTouchValue ? [Self.touchValueColumn] : []) + (tellsDays ? [Self.daysColumn] : [])
    }

    /// Whether the rows are of people, who also have what no touch is credited with.
    var isOfPeople: Bool { keys.count == 1 && keys[0].grouping?.isOfPerson == true }

    /// Whether there may be as many rows as posts.
    var hasManyGroups: Bool { keys.contains(.post) || keys.contains(.poster) }

    /// Whether the rows are of hours of the day, or of days of the week.
    var tellsDays: Bool { Self.tellDays(keys) }

    private static func tellDays(_ keys: [BreakdownKey]) -> Bool { keys.contains(.hour) || keys.contains(.weekday) }

    /// For each key, its columns and their positions among `BreakdownKey.columns`. A column that says more of a post is
    /// left out if the other key has its name.
    private var columnsOfKeys: [[(column: ReportColumn, position: Int)]] {
        keys.map { key in
            key.columns.enumerated()
                .filter { position, column in position == 0 || !keys.contains { $0.rawValue == column.name } }
                .map { ($0.element, $0.offset) }
        }
    }

    /// Of two periods, a row is about the shorter.
    var rowPeriods: RowPeriods? {
        for length in CalendarPeriod.allCases {
            guard let position = keys.firstIndex(of: .period(length)) else { continue }
            return RowPeriods(column: columnsOfKeys[..<position].reduce(0) { $0 + $1.count }, length: length)
        }
        return nil
    }

    static var completeColumn: ReportColumn? { ReportColumn.complete.only("with `--by day|week|month`") }

    var namedValues: [NamedValue] { lastTouch.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = lastTouch.query(in: range)
        for key in keys {
            if let grouping = key.grouping { query.need(grouping) }
            if key.isOfPost { query.needs.insert(.storyPosts) }
            // Of the posts that are shown, `amended` says more.
            if key.isOfPost, key != .post { query.needs.insert(.postDetails) }
            if key == .poster { query.needs.insert(.posters) }
            if key == .actionType || key == .objectID { query.needs.insert(.openGraph) }
        }
        return query
    }

    func makeFold(_ run: ReportRun) -> BreakdownFold {
        BreakdownFold(self, run)
    }

    /// The cells of a row's keys.
    ///
    /// - Parameter cells: for each key, the cells of all its columns.
    func shown(_ cells: [[ReportCell]]) -> [ReportCell] {
        zip(columnsOfKeys, cells).flatMap { columns, cells in columns.map { cells[$0.position] } }
    }

    /// How many columns the keys have.
    var keyColumnCount: Int { columnsOfKeys.reduce(0) { $0 + $1.count } }

    /// The cells of the keys in a row that stands for no single group.
    func shown(_ name: String) -> [ReportCell] {
        [.text(name)] + Array(repeating: .empty, count: keyColumnCount - 1)
    }

    /// Only the database knows what posts are called.
    func named(
        _ rows: [PeopleRow],
        of range: AppRange,
        on connection: isolated PostgresConnection
    ) throws -> [PeopleRow] {
        guard keys.contains(.post) else { return rows }
        let cells = try amended(rows.map(\.names), beside: nil, about: range, with: [], on: connection)
        return zip(rows, cells).map { row, cells in
            var row = row
            row.names = names(in: cells)
            return row
        }
    }

    /// Of the cells of a row's keys, those that name the row: the first of each key.
    private func names(in cells: [ReportCell]) -> [ReportCell] {
        let widths = columnsOfKeys.map(\.count)
        return widths.indices.map { cells[widths[..<$0].reduce(0, +)] }
    }

    /// The cells of a row's keys for a list of people. Of a post they are all needed, until it is named.
    func listed(_ cells: [ReportCell]) -> [ReportCell] { keys.contains(.post) ? cells : names(in: cells) }

    /// Says what is known of posts, which the fold names by their events.
    func amended(
        _ rows: [[ReportCell]],
        beside other: [[ReportCell]]?,
        about range: AppRange,
        with answers: [[PostgresRow]],
        on connection: isolated PostgresConnection
    ) throws -> [[ReportCell]] {
        guard let key = keys.firstIndex(of: .post) else { return rows }
        let first = columnsOfKeys[..<key].reduce(0) { $0 + $1.count }
        let positions = columnsOfKeys[key].map(\.position)
        guard let timeColumn = positions.firstIndex(of: 1) else { return rows }
        var rows = rows
        let events = rows.compactMap { EventAddress(event: $0[first], time: $0[first + timeColumn]) }
        let posts = try ReportedPost.read(events, of: range.app, on: connection)
        for index in rows.indices {
            guard let id = rows[index][first].plainText.flatMap(EventID.init) else { continue }
            let cells = posts[id]?.cells ?? Array(repeating: .empty, count: positions.count)
            for (offset, position) in positions.enumerated() where position != 1 {
                rows[index][first + offset] = cells[position]
            }
        }
        return rows
    }
}

extension BreakdownKey {
    static let names = allCases.map(\.rawValue)
}

extension ReportCatalogue {
    /// The column of which `share` says a row's part, if the rows of `breakdown` are sorted by this one.
    package static func sharedColumn(sortedBy column: String) -> String {
        (BreakdownReport.Figure(rawValue: column)?.shared ?? .touches).rawValue
    }
}
