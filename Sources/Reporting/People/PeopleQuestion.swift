/// What `--people` asks for: who is behind a figure.
struct PeopleQuestion: Equatable, Sendable {
    /// What a list of people has of each.
    static let columns: [ReportColumn] = [
        .text(
            "group",
            "The row of the report in whose figure the person counts: the texts that name it, as `search` or `2026-11-02 / search`."
        ),
        .text("person_kind", "The kind of `person_id`: `user`, `device` or `click`."),
        .text("person_id", "The person's `user_id`, `device_id` or `click_id`."),
        .text("platform", "The platform that the last of the person's events in the range names; empty if none does."),
        .text("country", "The same of the country."),
        .time(
            "first_at",
            "The first of the events by which the person counts there; a touch at its own time, of a funnel the start."
        ),
        .time("last_at", "The last of them; of a funnel, when the last of its steps that are reached was reached."),
        .integer("events", unit: "events", "How many there are; of a funnel, starts."),
        .decimal(
            "value",
            unit: ReportColumn.currency,
            "The part of the row's `value` that is the person's, for `conversions`, `retained`, `absent` and `lost`; else empty."
        ),
    ]

    let figure: PeopleFigure
    /// The only row whose people are listed; nil for all but those that count the people of other rows again.
    let group: String?
    /// How many people are listed at most; nil for all.
    let limit: Int?

    /// Nil if no people are asked for.
    ///
    /// - Throws: `ReportError.usage`.
    static func read(
        _ reader: inout ParameterReader,
        of report: any Report,
        isCompared: Bool
    ) throws(ReportError) -> PeopleQuestion? {
        guard let report = report as? any PeopleReport else { return nil }
        guard let name = try reader.text("people") else {
            for parameter in [ReportParameter.peopleGroup, .peopleLimit] where reader.isGiven(parameter.name) {
                throw .invalid(parameter.name, "is for a list of people: name the figure, too, with people")
            }
            return nil
        }
        guard !isCompared else {
            throw .invalid("people", "is about one range: leave compare-previous out")
        }
        return PeopleQuestion(
            figure: try report.peopleFigure(named: name),
            group: try reader.text(ReportParameter.peopleGroup.name),
            limit: reader.isGiven(ReportParameter.peopleLimit.name)
                ? try reader.count(ReportParameter.peopleLimit.name, default: 1, allowed: 1...Int(Int32.max)) : nil
        )
    }

    /// Whether the people of a row are listed.
    ///
    /// - Parameter areTotals: whether all rows of the report are totals.
    func lists(_ row: PeopleRow, areTotals: Bool) -> Bool {
        guard let group else { return areTotals || !row.isTotal }
        return row.name.utf8.elementsEqual(group.utf8)
    }
}

extension ReportParameter {
    static let peopleGroup = ReportParameter(
        "group",
        "NAME",
        "With people: only those of this row, such as total, in whom each counts once. Otherwise of every row but total, if there are others."
    )
    static let peopleLimit = ReportParameter("people-limit", "NUMBER", "With people: list at most so many.")
    /// The names of the parameters that a list of people has, and figures do not.
    package static let namesForPeople: Set = ["people", peopleGroup.name, peopleLimit.name]
}

extension Report {
    /// All parameters that the report does not share with every other one.
    static var ownParameters: [ReportParameter] {
        guard !peopleFigures.isEmpty else { return parameters }
        return parameters + [
            ReportParameter(
                "people",
                "WHICH",
                "List who is behind a figure, one person a row, instead of the figures.",
                allowed: peopleFigures
            ),
            .peopleGroup, .peopleLimit,
        ]
    }
}
