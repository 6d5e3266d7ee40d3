import Events
import Time
import Timelines

/// Tells the values of a touch by one key, as numbers, and what they are called.
struct BreakdownValues {
    let key: BreakdownKey
    private let dictionary: TimelineDictionary
    private let matcher: EventMatcher?
    private var days: DayFinder

    /// - Parameter matcher: the refs that are kept; nil for all.
    init(_ key: BreakdownKey, matching matcher: EventMatcher?, _ run: ReportRun) {
        self.key = key
        self.matcher = matcher
        dictionary = run.dictionary
        days = DayFinder(zone: run.zone)
    }

    /// Calls `body` with each value of a touch: its number, or nil without the property; the value's position, and the
    /// number of values among which the touch's credit is divided. Only `ref` has several.
    @inline(__always)
    mutating func forEach(of event: TimelineEvent, at time: Timestamp, _ body: (Int?, Int, Int) -> Void) {
        switch key {
        case .grouping(let grouping) where grouping == .ref:
            let matcher = matcher
            let count = dictionary.forEachRef(of: event.refs) { ref, index, count in
                if let matcher, !matcher.keeps(ref: ref) { return }
                body(ref.index, index, count)
            }
            if count == 0 { body(nil, 0, 1) }
        case .grouping(let grouping): body(grouping.value(of: event, dictionary), 0, 1)
        case .post: body(Self.number(event.storyPost), 0, 1)
        case .poster: body(detail(of: event).flatMap { Self.number($0.poster) }, 0, 1)
        case .actionType: body(detail(of: event).flatMap { Self.number($0.actionType) }, 0, 1)
        case .objectID: body(detail(of: event).flatMap { Self.number($0.object) }, 0, 1)
        case .day: body(days.day(of: time).number, 0, 1)
        case .hour: body(days.hour(of: time), 0, 1)
        case .weekday: body(days.day(of: time).weekday, 0, 1)
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
        case .day: CivilDate(number: number).description
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
        case .day, .hour, .weekday: return first < second
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
