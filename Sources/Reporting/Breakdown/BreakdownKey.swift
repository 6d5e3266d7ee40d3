import Events
import InboundLinks
import Storage
import Time
import Timelines

/// A property of a touch by which `breakdown` counts: the keys of `--where`, and those that only single touches and
/// their posts have.
enum BreakdownKey: Hashable, Sendable {
    /// A key of `--where`.
    case grouping(EventGrouping)
    /// The single post that the touch came from.
    case post
    /// The person who posted it.
    case poster
    /// The action of its Open Graph story.
    case actionType
    /// The object of its Open Graph story.
    case objectID
    /// The first date of the day, week or month.
    case period(CalendarPeriod)
    /// The hour of the day.
    case hour
    case weekday

    static let channel = grouping(.channel)
    static let ref = grouping(.ref)

    /// Those of every app, in the order of help texts.
    static let allCases: [BreakdownKey] =
        EventGrouping.filterKeys(of: .touch).map(BreakdownKey.grouping) + [
            .post, .poster, .actionType, .objectID,
        ] + CalendarPeriod.allCases.map(BreakdownKey.period) + [.hour, .weekday]

    var rawValue: String {
        switch self {
        case .grouping(let grouping): grouping.rawValue
        case .post: "post"
        case .poster: "poster"
        case .actionType: "action_type"
        case .objectID: "object_id"
        case .period(let period): period.rawValue
        case .hour: "hour"
        case .weekday: "weekday"
        }
    }

    /// The same key of other reports; nil if they do not have it.
    var grouping: EventGrouping? {
        if case .grouping(let grouping) = self { grouping } else { nil }
    }

    /// Whether the value depends on the post that a touch came from.
    var isOfPost: Bool {
        switch self {
        case .post, .poster, .actionType, .objectID: true
        default: false
        }
    }

    /// The column of the key, then those that say more of its value.
    var columns: [ReportColumn] {
        let condition = "with `--by \(rawValue)`"
        var column = ReportColumn.text(rawValue, meaning)
        if case .period = self { column = column.asDates() }
        return ([column] + moreColumns).map { $0.only(condition) }
    }

    private var moreColumns: [ReportColumn] {
        switch self {
        case .post:
            [
                .time("posted_at", "When the post was made."),
                .text("ref", "Its refs, separated by commas."),
                .text("composer", "Where it was composed."),
                .text("link", "The link that it was posted with."),
            ]
        case .poster: [.text("poster_kind", "Whether `poster` is the id of a `user`, a `device` or a `click`.")]
        default: []
        }
    }

    var meaning: String {
        switch self {
        case .grouping(let grouping): grouping.meaning
        case .post: "The post that the touches came from: its `post_id`, else its link."
        case .poster: "The person whose post the touches came from."
        case .actionType: "The action of the Open Graph story that the touches came from."
        case .objectID: "The object of the Open Graph story that the touches came from."
        case .period(.day): "The date of the touches in the report's time zone."
        case .period(let period):
            "The first day of the touches' \(period.rawValue)\(period == .week ? ", a Monday" : ""), in the report's time zone."
        case .hour: "The hour of the touches, `00` to `23`, in the report's time zone."
        case .weekday: "The day of the week of the touches, in the report's time zone."
        }
    }

    /// The names of days, from Monday.
    static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}

extension ParameterReader {
    /// The keys of `by`: one, or two different ones.
    mutating func breakdownKeys(among known: [BreakdownKey]) throws(ReportError) -> [BreakdownKey] {
        let names = list("by", default: [BreakdownKey.channel.rawValue])
        guard (1...2).contains(names.count) else { throw .invalid("by", "takes one key or two, not \(names.count)") }
        var keys: [BreakdownKey] = []
        for name in names {
            guard let key = known.first(where: { $0.rawValue == name }) else {
                throw .unknown("value", name, field: "by", allowed: known.map(\.rawValue))
            }
            guard !keys.contains(key) else { throw .invalid("by", "'\(name)' is given twice") }
            keys.append(key)
        }
        return keys
    }
}
