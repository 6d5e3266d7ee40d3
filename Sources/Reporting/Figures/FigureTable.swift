import Storage

/// A table of figures (`sql/migrations`). What is written and how follows from its columns.
enum FigureTable: String, CaseIterable, Sendable {
    case channel
    case ref
    case post
    case attribution
    case property
    case funnel
    case retention
    case viral
    case activity

    /// A column that keeps one of the report.
    struct Column {
        let name: String
        /// Its name in the report.
        let reported: String
        /// The value, by the text of the same name. Null is an empty text.
        fileprivate let value: String

        private init(_ name: String, of reported: String?, _ value: String) {
            self.name = name
            self.reported = reported ?? name
            self.value = value
        }

        fileprivate static func text(_ name: String, of reported: String? = nil) -> Column {
            Column(name, of: reported, name)
        }

        fileprivate static func optionalText(_ name: String) -> Column {
            Column(name, of: nil, "nullif(\(name), '') as \(name)")
        }

        /// A number that names the row.
        fileprivate static func position(_ name: String) -> Column { Column(name, of: nil, "\(name)::integer") }

        fileprivate static func count(_ name: String, of reported: String? = nil) -> Column {
            Column(name, of: reported, "\(name)::bigint")
        }

        fileprivate static func optionalCount(_ name: String) -> Column {
            Column(name, of: nil, "nullif(\(name), '')::bigint as \(name)")
        }

        fileprivate static func number(_ name: String) -> Column {
            Column(name, of: nil, "nullif(\(name), '')::numeric as \(name)")
        }
    }

    /// The names of the columns that tell apart the reports in the table.
    var discriminators: [String] {
        switch self {
        case .channel, .ref, .post, .activity: []
        case .attribution: ["event", "grouping"]
        case .property: ["property"]
        case .funnel: ["funnel", "grouping"]
        case .retention, .viral: ["grouping"]
        }
    }

    /// The columns of the report that the table keeps, in the table's order. The table does not keep what depends on
    /// the time of the request (`open`), or what the period already says (`cohort`).
    var columns: [Column] {
        switch self {
        case .channel:
            [
                .text("channel"), .count("touches"), .count("people"), .count("authenticated_touches"),
                .number("installs"), .number("conversions"), .number("value"),
            ]
        case .ref:
            [
                .text("ref"), .count("posts"), .count("cancelled"), .count("failed"), .count("unconfirmed"),
                .number("post_rate"), .count("posters"), .count("touches"), .count("people"),
                .count("authenticated_touches"), .number("installs"), .number("conversions"), .number("value"),
                .number("touches_per_post"), .number("installs_per_poster"),
            ]
        case .post:
            [
                .text("ref"), .optionalText("composer"), .count("posted"), .count("cancelled"), .count("failed"),
                .count("unconfirmed"), .number("post_rate"), .count("posters"),
            ]
        case .attribution:
            [
                .text("group_name", of: "group"), .text("model"), .number("credits"), .number("share"),
                .number("value"),
            ]
        case .property:
            [
                .text("group_name", of: "group"), .count("touches"), .count("people"), .count("authenticated_touches"),
                .number("installs"), .number("conversions"), .count("paying_people"), .number("value"),
                .number("share"),
            ]
        case .funnel:
            [
                .text("group_name", of: "group"), .position("step"), .text("step_name", of: "name"), .count("people"),
                .number("rate_from_first"), .number("rate_from_previous"), .number("ci_low"), .number("ci_high"),
                .number("median_seconds"), .count("unknown_times"),
            ]
        case .retention:
            [
                .text("group_name", of: "group"), .position("period"), .count("people"), .count("retained"),
                .number("rate"),
            ]
        case .viral:
            [
                .text("group_name", of: "group"), .count("posts"), .count("posters"), .count("touches"),
                .count("people"), .count("untraced_touches"), .number("installs"), .number("k"),
                .number("installs_per_post"), .count("posts_with_installs"), .number("cycle_median_seconds"),
            ]
        // `returning` is a word of SQL.
        case .activity:
            [
                .count("active"), .count("new_people", of: "new"), .count("returning_people", of: "returning"),
                .count("resurrected_people", of: "resurrected"), .count("dormant_people", of: "dormant"),
                .optionalCount("active_7d"), .optionalCount("active_30d"), .number("stickiness"),
            ]
        }
    }

    /// The statement that marks all periods as stale.
    static let markingAll = ReportSQL.markAllStale.replacing(
        ":rows",
        with: allCases.map { "select granularity, starts_on from \($0.rawValue)_figures where app_number = $1" }
            .joined(separator: " union ")
    )

    /// The statement that replaces the rows of periods that a family has in the table.
    func replacement(for family: FigureFamily) -> String {
        let keys = ["granularity", "starts_on"] + discriminators + ["position"]
        let cells = ["is_total"] + columns.map(\.name)
        let values =
            ["granularity::figures_granularity", "starts_on::date"] + discriminators
            + ["position::integer", "is_total::boolean"] + columns.map(\.value)
        let parts = [
            "table": ["\(rawValue)_figures"],
            "columns": keys + cells,
            "owned": [condition(of: family)],
            "arrays": values.indices.map { "$\($0 + 5)::text[]" },
            "values": values,
            "keys": keys,
            "present_keys": keys.map { "present.\($0)" },
            "old_keys": keys.map { "old.\($0)" },
            "cells": cells,
            "old_cells": cells.map { "old.\($0)" },
            "new_cells": cells.map { "excluded.\($0)" },
        ]
        return parts.reduce(ReportSQL.replaceFigures) { text, part in
            text.replacing(":\(part.key)", with: part.value.joined(separator: ", "))
        }
    }

    /// Which rows are of a family. `$4` names the properties of people.
    private func condition(of family: FigureFamily) -> String {
        switch (self, family) {
        case (.property, .personProperties): "old.property = any ($4::text[])"
        case (.property, _): "old.property <> all ($4::text[])"
        default: "$4::text[] is not null"
        }
    }
}
