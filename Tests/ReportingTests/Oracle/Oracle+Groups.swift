import Events
import Foundation
import InboundLinks
import Time

extension Oracle {
    /// `--by`: the property of the first touch that decides the group.
    enum Grouping: String, CaseIterable {
        case ungrouped = "none"
        case channel
        case ref
        case refererApp = "referer_app"
        case platform
        case appVersion = "app_version"
        case country
        case language
        case sentBy = "sent_by"
        case day, week, month
        case targetURL = "target_url"
        case page
        case link
        case authenticated
        case deferred
        case paid
        case linkForm = "link_form"
        case refFrom = "ref_from"
        case injected
        case joinedBy = "joined_by"
        /// Declared properties: of touches, people and conversions.
        case placement, plan, tier
        /// Of people; only `generations` knows it.
        case doubt

        /// The values of `refFrom`, in their order.
        static let refOrigins = ["link", "post", "url", "short_link"]

        /// Those that every event may have.
        static let ofEveryEvent: [Grouping] = [.platform, .appVersion, .country, .language, .sentBy]

        /// Those that touches may have.
        static let ofTouches = allCases.filter { $0 != .tier && $0 != .injected && $0 != .joinedBy && $0 != .doubt }

        /// The keys of `--where`, and of `--by` of credits.
        static let keys = ofTouches.filter { $0 != .ungrouped && $0.period == nil }

        var period: PeriodLength? { PeriodLength(rawValue: rawValue) }

        /// Whether events of a kind can have it.
        func isPossible(for kind: String) -> Bool {
            let isTouch = ["inbound_link", "touch", "link_click"].contains(kind)
            return switch self {
            case .ungrouped, .day, .week, .month, .plan: true
            case .injected, .joinedBy: kind == "install"
            case .doubt: false
            case .ref: isTouch || kind == "feed_post"
            case .tier: kind.hasPrefix("conversion")
            default: isTouch || Self.ofEveryEvent.contains(self)
            }
        }

        /// Whether it may have any number of values.
        var isOpen: Bool {
            switch self {
            case .ref, .refererApp, .appVersion, .country, .language, .targetURL, .page, .link, .placement, .plan,
                .tier:
                true
            default: false
            }
        }

        /// Whether only touches have the property.
        var isOfTouches: Bool { isPossible(for: "touch") && !isPossible(for: "authentication") }
    }

    /// A range of time: `from` is included, `to` is not.
    struct Span {
        var from: Timestamp
        var to: Timestamp

        func contains(_ time: Timestamp) -> Bool {
            from <= time && time < to
        }
    }

    var touches: [Fact] {
        facts.filter { $0.touch != nil }
    }

    /// The groups that a fact counts in: one for each ref that is kept, otherwise exactly one. An install that came
    /// with its link has the link's properties. Chosen: a fact without the property is in `(none)`.
    func groups(of fact: Fact, by grouping: Grouping) -> [Name] {
        switch grouping {
        case .ungrouped: []
        case .day: [Name(Self.date(ofDay: day(of: fact.time)))]
        case .week: [Name(Self.date(ofDay: Self.firstDayOfWeek(ofDay: day(of: fact.time))))]
        case .month: [Name(Self.date(ofDay: day(of: fact.time)).prefix(8) + "01")]
        case .ref: Self.refRows(of: fact).filter(keeps)
        default: [Self.value(of: fact, by: grouping)]
        }
    }

    /// The value of a fact, for properties other than times and refs.
    static func value(of fact: Fact, by grouping: Grouping) -> Name {
        switch grouping {
        case .ungrouped, .day, .week, .month, .ref, .doubt: .none
        case .channel: fact.link.map { Name($0.channel.rawValue) } ?? .none
        case .refererApp: fact.link?.refererApp ?? .none
        case .platform: fact.platform.map { Name($0.rawValue) } ?? .none
        case .appVersion: fact.appVersion.map(Name.init) ?? .none
        case .country: fact.country.map(Name.init) ?? .none
        case .language: fact.language.map(Name.init) ?? .none
        case .sentBy: Name(fact.sentBy.rawValue)
        case .injected: Name(fact.isInjected ? "true" : "false")
        case .joinedBy: fact.joinedBy.map { Name($0) } ?? .none
        case .targetURL: fact.link?.targetURL ?? .none
        case .page: fact.link?.pageTarget.map(page) ?? .none
        case .link: fact.link?.shortLink ?? .none
        case .authenticated: flag(fact.link?.isAuthenticated)
        case .deferred: flag(fact.link?.isDeferred)
        case .paid: flag(fact.link?.isPaid)
        case .linkForm: fact.link.map { Name($0.form.rawValue) } ?? .none
        case .refFrom: fact.link?.refFrom ?? .none
        case .placement: fact.link == nil ? .none : fact.properties[.placement] ?? .none
        case .plan: fact.properties[.plan] ?? .none
        case .tier: fact.conversion == nil ? .none : fact.properties[.tier] ?? .none
        }
    }

    /// Only links have flags.
    private static func flag(_ value: Bool?) -> Name {
        value.map { Name($0 ? "true" : "false") } ?? .none
    }

    /// The rows by ref, kept or not.
    static func refRows(of fact: Fact) -> [Name] {
        let postRefs = fact.feedPost?.refs.map(Name.init) ?? []
        return postRefs.isEmpty ? fact.link.map(Self.rows) ?? [.none] : postRefs
    }

    /// The same by several properties: every combination of the groups of each.
    func groups(of fact: Fact, by groupings: [Grouping]) -> [[Name]] {
        groupings.reduce([[]]) { found, grouping in
            found.flatMap { names in groups(of: fact, by: grouping).map { names + [$0] } }
        }
    }

    /// The rows of a ref report that a touch counts in.
    static func rows(of touch: TouchFact) -> [Name] {
        touch.refs.isEmpty ? [.none] : touch.refs
    }

    /// docs/reports.md, *Pages*: "without scheme, port, `www.` or `m.`, parameters, fragment, and slashes at its end".
    static func page(of target: Name) -> Name {
        var rest = target.text[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        let host = rest.prefix { $0 != "/" }
        var name = host.prefix { $0 != ":" }.lowercased()
        for prefix in ["www.", "m."] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        var page = name + rest[host.endIndex...]
        while page.hasSuffix("/") { page.removeLast() }
        return page.isEmpty ? .none : Name(page)
    }

    /// docs/reports.md, *Keys with many values*: the groups with rows of their own, "those with the most people", of
    /// equal ones by name, `(none)` last. The values of a property that have no row of their own are in `(others)`,
    /// too.
    static func largest(_ people: [[Name]: Int], by groupings: [Grouping], _ limit: Int) -> [[Name]] {
        guard groupings.contains(where: \.isOpen) else { return Array(people.keys) }
        return people.keys.filter { $0 != [.others] }
            .sorted { one, other in
                if people[one] != people[other] { return people[one] ?? 0 > people[other] ?? 0 }
                if one[0] == .none || other[0] == .none, one[0] != other[0] { return other[0] == .none }
                return Name(one.map(\.text).joined(separator: " / "))
                    < Name(other.map(\.text).joined(separator: " / "))
            }
            .prefix(limit).map { $0 }
    }

    /// The order of the groups that were found: always all seven channels; others by the count, descending, then by
    /// name; `(none)` last.
    static func ordered(
        _ found: Set<Name>,
        by grouping: Grouping,
        count: (Name) -> Fraction
    ) -> [Name] {
        let none: [Name] = found.contains(.none) ? [.none] : []
        switch grouping {
        case .ungrouped:
            return []
        case .channel:
            return Channel.allCases.map { Name($0.rawValue) } + none
        default:
            let named = found.subtracting(none).sorted { first, second in
                count(first) == count(second) ? first < second : count(first) > count(second)
            }
            return named + none
        }
    }

    /// The order of pairs. "`--by channel,ref`: by channel, in the fixed order of channels; within a channel by the
    /// first count, descending, then by name. Any other pair of properties: by the first count, descending, then by the
    /// first name and the second. A channel sorts by its place in the fixed order. Pairs without the first property,
    /// `(none) / …`, come last. Pairs without the second, `… / (none)`, come last within a channel or last among the
    /// others."
    static func ordered(_ pairs: [[Name]], by groupings: [Grouping], count: ([Name]) -> Int) -> [[Name]] {
        func place(_ name: Name) -> Int {
            Channel.allCases.firstIndex { Name($0.rawValue) == name } ?? Channel.allCases.count
        }
        /// The values to compare, one after the other: smaller comes first.
        func key(_ pair: [Name]) -> (ranks: [Int], names: [Name]) {
            let byChannel = groupings[0] == .channel
            return (
                ranks: [
                    pair[0] == .none ? 1 : 0, byChannel ? place(pair[0]) : 0, pair[1] == .none ? 1 : 0, -count(pair),
                ],
                names: [
                    byChannel ? .none : pair[0],
                    groupings[1] == .channel ? Name(String(place(pair[1]))) : pair[1],
                ]
            )
        }
        return pairs.sorted { first, second in
            let keys = (key(first), key(second))
            return keys.0.ranks == keys.1.ranks
                ? keys.0.names.lexicographicallyPrecedes(keys.1.names)
                : keys.0.ranks.lexicographicallyPrecedes(keys.1.ranks)
        }
    }

    /// The number of the day that contains a time in the report's time zone; 1970-01-01 is 0.
    func day(of time: Timestamp) -> Int {
        let seconds = Self.floored(time.microseconds, 1_000_000)
        let instant = Date(timeIntervalSince1970: TimeInterval(seconds))
        return Int(Self.floored(seconds + Int64(timeZone.secondsFromGMT(for: instant)), 86_400))
    }

    /// A week begins on Monday (ISO 8601); 1970-01-01 was a Thursday.
    static func firstDayOfWeek(ofDay day: Int) -> Int {
        day - Int(((Int64(day) + 3) % 7 + 7) % 7)
    }

    /// `YYYY-MM-DD`.
    static func date(ofDay day: Int) -> String {
        Date(timeIntervalSince1970: TimeInterval(day) * 86_400)
            .formatted(.iso8601.year().month().day())
    }

    private static func floored(_ number: Int64, _ divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }
}
