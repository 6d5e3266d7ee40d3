import Events
import Time
import Timelines

/// Tells the values of a touch by one key, as numbers, and what they are called.
struct BreakdownValues {
    let key: BreakdownKey
    private let isRef: Bool
    /// What the key is, if it is one of few values; nil for all other keys. To ask the key for it for each touch would
    /// retain what keys hold.
    private let fixed: EventGrouping.Value?
    private let dictionary: TimelineDictionary
    private let matcher: EventMatcher?
    private var days: DayFinder
    private let dates: PeriodDates
    /// The values of the event that was read last. Each has its number (nil without the property), its position, and
    /// the number of values among which a touch's credit is divided. Only `ref` has several.
    private(set) var values: [(number: Int?, index: Int, count: Int)] = []

    /// - Parameter matcher: the refs that are kept; nil for all.
    init(_ key: BreakdownKey, matching matcher: EventMatcher?, _ run: ReportRun) {
        self.key = key
        isRef = key == .ref
        fixed = if case .value(let value)? = key.grouping?.source { value } else { nil }
        self.matcher = matcher
        dictionary = run.dictionary
        days = DayFinder(zone: run.zone)
        dates = PeriodDates(run)
    }

    /// Reads the values of a touch, or of a direct install or conversion.
    mutating func read(_ event: TimelineEvent, at time: Timestamp) {
        if isRef {
            values.removeAll(keepingCapacity: true)
            let count = dictionary.forEachRef(of: event.refs) { ref, index, count in
                if let matcher, !matcher.keeps(ref: ref) { return }
                values.append((ref.index, index, count))
            }
            if count > 0 { return }
            return values.append((nil, 0, 1))
        }
        let value = (number: value(of: event, at: time), index: 0, count: 1)
        if values.isEmpty { values.append(value) } else { values[0] = value }
    }

    private mutating func value(of event: TimelineEvent, at time: Timestamp) -> Int? {
        if let fixed { return fixed.number(of: event) }
        return switch key {
        case .grouping(let grouping): grouping.value(of: event, dictionary)
        case .post: Self.number(event.storyPost)
        case .poster: detail(of: event).flatMap { Self.number($0.poster) }
        case .actionType: detail(of: event).flatMap { Self.number($0.actionType) }
        case .objectID: detail(of: event).flatMap { Self.number($0.object) }
        case .period(let period): dates.number(of: days.day(of: time), period)
        case .hour: days.hour(of: time)
        case .weekday: days.day(of: time).weekday
        }
    }

    private static func number(_ code: Code) -> Int? { code.isNone ? nil : code.index }

    private func detail(of event: TimelineEvent) -> PostDetails.Detail? {
        event.storyPost.isNone ? nil : dictionary.storyPosts.detail(of: event.storyPost)
    }

    /// The name of a value by which rows are sorted and shown. A post is named by its event, until it is completed.
    func name(of number: Int?) -> String {
        guard let number else { return ReportNames.none }
        let code = Code(rawValue: Int32(truncatingIfNeeded: number))
        return switch key {
        case .grouping(let grouping): grouping.name(ofValue: number, dictionary)
        case .post: event(ofPost: number).description
        case .poster: String(decoding: key(ofPoster: number).dropFirst(), as: UTF8.self)
        case .actionType: posts?.actionTypes.text(of: code) ?? ReportNames.none
        case .objectID: posts?.objects.text(of: code) ?? ReportNames.none
        case .period: CivilDate(number: number).description
        case .hour: padded(number, 2)
        case .weekday: BreakdownKey.weekdays[number]
        }
    }

    /// The cells of `BreakdownKey.columns`. Those of a post are completed later.
    func cells(of number: Int?) -> [ReportCell] {
        let name = ReportCell.text(name(of: number))
        switch key {
        case .post:
            let time = number.map { dictionary.storyPosts.time(of: Code(rawValue: Int32($0))).rfc3339 }
            return [name, time.map { .text($0) } ?? .empty, .empty, .empty, .empty]
        case .poster:
            return [name, number.map { .text(kind(ofPoster: $0)) } ?? .empty]
        default: return [name]
        }
    }

    /// Whether a value stands for all those that have no row of their own.
    func isOthers(_ number: Int?) -> Bool { key.grouping?.isOthers(number, dictionary) ?? false }

    private var posts: PostDetails? { dictionary.storyPosts.details }

    private func event(ofPost number: Int) -> EventID {
        dictionary.storyPosts.event(of: Code(rawValue: Int32(number)))
    }

    /// A person's key in a timeline.
    private func key(ofPoster number: Int) -> ArraySlice<UInt8> {
        posts?.posters.bytes(of: Code(rawValue: Int32(number))) ?? []
    }

    private func kind(ofPoster number: Int) -> String {
        switch key(ofPoster: number).first {
        case UInt8(ascii: "u"): "user"
        case UInt8(ascii: "d"): "device"
        default: "click"
        }
    }

    /// Whether a value comes before another one by its name: days, hours, weekdays, channels and posts in their own
    /// order, others by name; nil last.
    func precedes(_ first: Int?, _ second: Int?) -> Bool {
        guard let first, let second else { return first != nil && second == nil }
        switch key {
        case .grouping(let grouping) where !grouping.isText: return first < second
        case .period, .hour, .weekday: return first < second
        case .post:
            let times = (
                dictionary.storyPosts.time(of: Code(rawValue: Int32(first))),
                dictionary.storyPosts.time(of: Code(rawValue: Int32(second)))
            )
            if times.0 != times.1 { return times.0 < times.1 }
            return event(ofPost: first) < event(ofPost: second)
        case .poster:
            let texts = [first, second].map { key(ofPoster: $0) }
            return texts[0].dropFirst().elementsEqual(texts[1].dropFirst())
                ? texts[0].lexicographicallyPrecedes(texts[1])
                : texts[0].dropFirst().lexicographicallyPrecedes(texts[1].dropFirst())
        default: return Reporting.precedes(name(of: first), name(of: second))
        }
    }
}
