/// A parameter of a report, as help texts and API descriptions show it. The command line writes `--name`, HTTP `name=`.
package struct ReportParameter: Equatable, Sendable {
    package var name: String
    /// The placeholder of the value in help: `DURATION`.
    package var valueName: String
    package var summary: String
    /// Nil if there is no default.
    package var defaultValue: String?
    /// All valid values if the value is chosen from a list; else empty.
    package var allowed: [String]
    /// The values that a shell offers. A list may have several of them, separated by commas.
    package var offered: [String]
    /// Whether the report cannot be asked for without it.
    package var isRequired: Bool
    /// What the name alone means on the command line: `--matured` is `--matured=on`. Nil if it needs a value.
    package var impliedValue: String?
    package var repetition: Repetition
    /// Whether it is refused unless `by` names a property: the report has no other groups.
    package var needsProperty: Bool

    /// What several values of one parameter mean.
    package enum Repetition: Equatable, Sendable {
        /// It may be given once.
        case none
        /// All its values hold, over HTTP, too.
        case all
        /// On the command line, its values are one list.
        case list
    }

    init(
        _ name: String,
        _ valueName: String,
        _ summary: String,
        default defaultValue: String? = nil,
        allowed: [String] = [],
        offered: [String]? = nil,
        isRequired: Bool = false,
        impliedValue: String? = nil,
        repetition: Repetition = .none,
        needsProperty: Bool = false
    ) {
        self.name = name
        self.valueName = valueName
        self.summary = isRequired ? summary + " Required." : summary
        self.defaultValue = defaultValue
        self.allowed = allowed
        self.offered = offered ?? allowed
        self.isRequired = isRequired
        self.impliedValue = impliedValue
        self.repetition = repetition
        self.needsProperty = needsProperty
    }
}

extension ReportParameter {
    /// Whether it is a switch that usually stands for itself, without a value.
    package var isFlag: Bool { valueName.isEmpty }

    /// Whether its value is the name of a file, which is taken as it is.
    package var isFile: Bool { valueName == "FILE" }

    /// What a parameter is for whose values depend on the report, for the help of all reports; nil for others.
    package static func purpose(of name: String) -> String? {
        switch name {
        case "by": "What rows are counted by."
        case "people": "List who is behind a figure, one person a row, instead of the figures."
        case "where": "Count only what has a property. May be repeated; all must hold."
        default: nil
        }
    }

    /// Whether its value may be several words with commas between them.
    package var isList: Bool { ["LIST", "KEYS", "GROUPING"].contains(valueName) }

    /// The complete list of values; nil if values are lists or contain a name, such as a goal's.
    package var words: [String]? {
        let hasParts = allowed.contains { $0.hasSuffix(":NAME") || $0.hasPrefix("STEP:") }
        guard !isList, !hasParts, !allowed.isEmpty else { return nil }
        // What `ParameterReader.isOn` reads.
        return allowed == ["on", "off"] ? allowed + ["true", "false"] : allowed
    }

    static let goal = ReportParameter("goal", "NAME", "Count only conversions of this name.")
    static let lookback = ReportParameter(
        "lookback",
        "DURATION",
        "How long before an install or conversion a touch may be to get credit for it (\(ReportDuration.limitText)).",
        default: "7d"
    )
    static let matured = ReportParameter(
        "matured",
        "on|off",
        "Count only what has had its whole window: starts, cohorts and posts that nothing can be added to any more.",
        default: "off; on with --compare-previous",
        allowed: ["on", "off"],
        impliedValue: "on"
    )
    /// The same where what is not mature would make the figures wrong.
    static let maturedUnlessOff: ReportParameter = {
        var parameter = matured
        parameter.defaultValue = "on"
        return parameter
    }()
    static let comparePrevious = ReportParameter(
        "compare-previous",
        "",
        "Add columns with the figures of the preceding range of the same length, and how much each has changed; funnels have the difference and its p-value."
    )
    /// What `ReportInstant` reads.
    package static let timeForms =
        "a date (2026-01-31), a month (2026-01), today, yesterday, monday, last-week, this-month, last-month, 30days,"
        + " how long ago (7d), or RFC 3339"

    private static func event(_ name: String, _ summary: String) -> ReportParameter {
        ReportParameter(name, "EVENT", summary, offered: FunnelEvent.names, repetition: .all)
    }

    static let with = event(
        "with",
        "Count only people who have such an event before the end of the range: a step of a funnel, as in --steps, then >=N for at least N of them, then @Nd for the last N days of the range: 'touch[channel=story_links]>=2', 'app_open@30d'. May be repeated; all must hold."
    )
    static let without = event(
        "without",
        "Count only people who have no such event, named as in --with: 'app_open@30d' keeps those gone for 30 days. May be repeated; all must hold."
    )

    /// The same for exports, which write rows.
    static let ofExportedPeople = [with, without].map { parameter in
        var parameter = parameter
        parameter.summary = parameter.summary.replacing("Count only people", with: "Write only the rows of people")
            .replacing("in --steps", with: "in a funnel's --steps")
        return parameter
    }

    /// The parameters that all reports share.
    package static let common: [ReportParameter] = [
        ReportParameter(
            "from",
            "TIME",
            "The start, included: \(timeForms).",
            default: "the 30 days that end with the end: 30days"
        ),
        ReportParameter("to", "TIME", "The end, not included, in the same forms.", default: "now"),
        ReportParameter("tz", "ZONE", "The time zone of dates, an IANA name.", default: "the app's"),
        comparePrevious, with, without,
        ReportParameter("format", "FORMAT", "How to write it.", allowed: ReportFormat.allCases.map(\.rawValue)),
        ReportParameter(
            "dialect",
            "DIALECT",
            "CSV as Excel with German or English settings opens it.",
            default: CSVDialect.standard.rawValue,
            allowed: CSVDialect.allCases.map(\.rawValue)
        ),
        ReportParameter("columns", "LIST", "Write these columns alone, in this order."),
    ]

    /// The parameters that all reports share on the command line only.
    package static let commandLine: [ReportParameter] = [
        ReportParameter("output", "FILE", "Write to this file instead of standard output."),
        ReportParameter("sql", "", "Print the SQL and its parameters, and run nothing."),
    ]
}
