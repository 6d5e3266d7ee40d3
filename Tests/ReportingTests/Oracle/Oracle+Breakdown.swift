import Events
import Foundation
import InboundLinks
import Time

/// docs/reports.md, *breakdown*.
extension Oracle {
    enum BreakdownKey: String, CaseIterable {
        case channel, ref
        case refererApp = "referer_app"
        case platform
        case sentBy = "sent_by"
        case targetURL = "target_url"
        case page, link, authenticated, deferred, paid
        case linkForm = "link_form"
        case refFrom = "ref_from"
        case post, poster
        case actionType = "action_type"
        case objectID = "object_id"
        case day, week, month, hour, weekday
        case placement, plan

        var grouping: Grouping? { Grouping(rawValue: rawValue) }
    }

    struct BreakdownQuery {
        var span: Span
        var goal: String?
        var lookback: Duration = .days(7)
        var keys: [BreakdownKey] = [.channel]
        var sort = "touches"
        var limit = 50
        /// `--limit 10%`
        var percent: Int?
        var least = 0
        /// `--rates`
        var tellsRates = false
        /// `--per-touch`
        var tellsTouchValue = false

        var figures: [String] {
            Oracle.breakdownFigures + (tellsRates ? Oracle.breakdownRates : [])
                + (tellsTouchValue ? ["value_per_touch"] : [])
        }
    }

    /// A row's values. A post is named by its event, as long as it is not completed.
    private struct Group: Hashable {
        var names: [Name]
    }

    /// `K1[, K2], touches, people, authenticated_touches, installs, conversions, paying_people, value, share[,
    /// converting_people, install_rate, conversion_rate, conversions_per_person, value_per_person][,
    /// value_per_touch][, days]`
    func breakdown(_ query: BreakdownQuery) -> [[String]] {
        let touches = touches.filter { query.span.contains($0.time) && isKept($0) }
        func credits(_ credited: Credited) -> [Credit] {
            self.credits(of: credited, goal: query.goal, in: query.span, lookback: query.lookback, model: .last)
                .filter { $0.share > .zero }
        }
        let (installs, conversions) = (credits(.install), credits(.conversion))
        let found = Set(
            touches.flatMap { groups(of: $0, query.keys) }
                + (installs + conversions).flatMap { deciding($0, query).map { groups(of: $0, query.keys) } ?? [] }
        )

        typealias Figures = (cells: [String], shared: Fraction, rates: [String])
        /// - Parameter having: of the row's people, those with one of some credits.
        func figures(
            _ own: [Fact],
            counted: [Fact],
            having: ([Credit]) -> Int,
            _ isCredited: (Credit) -> Fraction
        ) -> Figures {
            let people = Set(own.compactMap(\.person)).count
            let (installed, converted) = (
                Fraction.sum(installs.map { $0.share * isCredited($0) }),
                Fraction.sum(conversions.map { $0.share * isCredited($0) })
            )
            let value = Fraction.sum(conversions.map { $0.value * isCredited($0) })
            let payers = conversions.filter { $0.worth > .zero && isCredited($0) > .zero }.compactMap(\.event.person)
            let rates = [
                String(having(conversions)), Cell.rate(having(installs), of: people),
                Cell.rate(having(conversions), of: people), Cell.rate(converted, of: Fraction(people)),
                // Of the value as it is shown.
                Cell.rate(Fraction(value.millionthsHalfUp, 1_000_000), of: Fraction(people)),
            ]
            let authenticated = counted.count { $0.touch?.isAuthenticated ?? false }
            // "The row's part of the column that --sort names; of touches if that is a key or a rate."
            let shared =
                [
                    "people": Fraction(people), "authenticated_touches": Fraction(authenticated),
                    "installs": installed, "conversions": converted, "paying_people": Fraction(Set(payers).count),
                    "converting_people": Fraction(having(conversions)),
                    "value": Fraction(value.millionthsHalfUp, 1_000_000),
                ][query.sort.replacing(":reverse", with: "")] ?? Fraction(counted.count)
            let cells = [
                String(counted.count), String(people), String(authenticated), Cell.amount(installed),
                Cell.amount(converted), String(Set(payers).count), Cell.amount(value),
            ]
            let perTouch = Cell.rate(Fraction(value.millionthsHalfUp, 1_000_000), of: Fraction(counted.count))
            return (cells, shared, (query.tellsRates ? rates : []) + (query.tellsTouchValue ? [perTouch] : []))
        }
        func people(_ touches: [Fact], _ credits: [Credit]) -> Set<Person> {
            Set(touches.compactMap(\.person)).intersection(credits.compactMap(\.event.person))
        }
        let all = figures(touches, counted: touches, having: { people(touches, $0).count }) { _ in .one }
        func shown(_ row: Figures) -> [String] { row.cells + [Cell.rate(row.shared, of: all.shared)] + row.rates }
        func figures(_ isIn: (Group) -> Bool, _ isCredited: (Credit) -> Fraction) -> [String] {
            let own = touches.filter { groups(of: $0, query.keys).contains(where: isIn) }
            // A touch with several refs counts in the row of each, so rows of several groups count it several times.
            let counted = touches.flatMap { touch in
                groups(of: touch, query.keys).filter(isIn).map { _ in touch }
            }
            func having(_ credits: [Credit]) -> Int {
                // Who converted by one of several groups of a row, and had a touch of another, did not do both in one.
                let rows = found.filter(isIn).map { group in
                    people(
                        touches.filter { groups(of: $0, query.keys).contains(group) },
                        credits.filter { part(of: $0) { $0 == group } > .zero }
                    )
                }
                return rows.reduce(into: Set<Person>()) { $0.formUnion($1) }.count
            }
            return shown(figures(own, counted: counted, having: having, isCredited))
        }
        func part(of credit: Credit, _ isIn: (Group) -> Bool) -> Fraction {
            guard let from = deciding(credit, query) else { return .zero }
            let all = groups(of: from, query.keys)
            return Fraction(Int128(all.filter(isIn).count), Int128(all.count))
        }
        func row(_ isIn: (Group) -> Bool) -> [String] {
            figures(isIn) { part(of: $0, isIn) }
        }

        let clock = query.keys.contains { $0 == .hour || $0 == .weekday } ? clockCounts(in: query.span) : nil
        func days(_ group: Group?) -> [String] {
            guard let clock else { return [] }
            func name(_ key: BreakdownKey) -> String? {
                group.flatMap { group in query.keys.firstIndex(of: key).map { group.names[$0].text } }
            }
            return [clock.text(weekday: name(.weekday), hour: name(.hour), countsHours: query.keys.contains(.hour))]
        }
        let columns = query.figures + ["days"]
        let rows = found.map { group in (group: group, figures: row { $0 == group } + days(group)) }
        func precedes(_ one: (group: Group, figures: [String]), _ other: (group: Group, figures: [String])) -> Bool {
            func compare(_ position: Int) -> Bool? {
                let (first, second) = (one.group.names[position], other.group.names[position])
                if first == second { return nil }
                return place(of: first, query.keys[position]) < place(of: second, query.keys[position])
            }
            let sort = query.sort.split(separator: ":").map(String.init)
            let isReversed = sort.count > 1
            if let key = query.keys.firstIndex(where: { $0.rawValue == sort[0] }), let isFirst = compare(key) {
                return isFirst != isReversed
            }
            if let column = columns.firstIndex(of: sort[0] == "share" ? "touches" : sort[0]) {
                let sums = [one, other].map { Double($0.figures[column]) }
                if sums[0] != sums[1] {
                    // What has no rate comes last in either order.
                    guard let first = sums[0], let second = sums[1] else { return sums[0] != nil }
                    return (first > second) != isReversed
                }
            }
            let counts = [one, other].map { Double($0.figures[0]) ?? -1 }
            if counts[0] != counts[1] { return counts[0] > counts[1] }
            return query.keys.indices.lazy.compactMap(compare).first ?? false
        }
        // "The values that have no row of their own are in (others)."
        let sorted = rows.sorted(by: precedes).filter { $0.group.names != [Name("(others)")] }
        var named = sorted.filter { Int($0.figures[1]) ?? 0 >= query.least }
        if let percent = query.percent {
            // "What has no name is no part of the whole, and always shown."
            func hasName(_ group: Group) -> Bool { group.names.contains { $0 != .none } }
            let whole = named.map(\.group).filter(hasName)
            let part = whole.prefix(Int((Double(whole.count * percent) / 100).rounded(.up)))
            named = named.filter { !hasName($0.group) || part.contains($0.group) }
        } else {
            named = Array(named.prefix(query.limit))
        }
        let none = clock == nil ? [] : [""]
        var cells = named.map { keyCells($0.group, query.keys) + $0.figures }
        if named.count < rows.count {
            let names = Set(named.map(\.group))
            cells.append(single("(others)", query.keys) + row { !names.contains($0) } + none)
        }
        let direct = figures({ _ in false }) { deciding($0, query) == nil ? .one : .zero }
        cells.append(single("direct", query.keys) + direct + none)
        cells.append(single("total", query.keys) + shown(all) + days(nil))
        return cells
    }

    static let breakdownFigures = [
        "touches", "people", "authenticated_touches", "installs", "conversions", "paying_people", "value", "share",
    ]
    static let breakdownRates = [
        "converting_people", "install_rate", "conversion_rate", "conversions_per_person", "value_per_person",
    ]

    /// How often a range has each hour of the day, and each day of the week.
    private struct ClockCounts {
        /// By the names of weekday and hour, in microseconds.
        var hours: [String: [String: Int64]] = [:]
        /// By the name of the weekday, in days.
        var days: [String: Fraction] = [:]

        func text(weekday: String?, hour: String?, countsHours: Bool) -> String {
            guard countsHours else {
                return Cell.amount(.sum(days.filter { weekday == nil || $0.key == weekday }.map(\.value)))
            }
            let shown = hours.filter { weekday == nil || $0.key == weekday }.values
                .flatMap { $0.filter { hour == nil || $0.key == hour }.values }
            return Cell.amount(Fraction(Int128(shown.reduce(0, +)), 3_600_000_000))
        }
    }

    /// Goes through the range by quarters of an hour, because no zone changes its clocks within one.
    private func clockCounts(in span: Span) -> ClockCounts {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let quarter: Int64 = 900_000_000
        var counts = ClockCounts()
        var days: [Date: (weekday: String, length: Int64, shown: Int64)] = [:]
        var time = span.from.microseconds
        while time < span.to.microseconds {
            let next = min(span.to.microseconds, (time / quarter + 1) * quarter)
            let date = Date(timeIntervalSince1970: Double(time / 1_000_000))
            let shown = calendar.dateComponents([.weekday, .hour], from: date)
            let weekday = Self.weekdays[((shown.weekday ?? 0) + 5) % 7]
            let hour = (shown.hour ?? 0) < 10 ? "0\(shown.hour ?? 0)" : "\(shown.hour ?? 0)"
            counts.hours[weekday, default: [:]][hour, default: 0] += next - time
            let day = calendar.startOfDay(for: date)
            let length = calendar.dateInterval(of: .day, for: date)?.duration ?? 0
            days[day, default: (weekday, Int64(length) * 1_000_000, 0)].shown += next - time
            time = next
        }
        for day in days.values {
            // The parts of days are shown with 6 decimals, and so added up.
            let part = Fraction(Int128(day.shown), Int128(day.length)).millionthsHalfUp
            counts.days[day.weekday, default: .zero] =
                counts.days[day.weekday, default: .zero]
                + Fraction(Int128(part), 1_000_000)
        }
        return counts
    }

    /// What tells the row of a credit; nil for `direct`.
    private func deciding(_ credit: Credit, _ query: BreakdownQuery) -> Fact? {
        credit.from ?? (query.keys == [.plan] ? credit.event : nil)
    }

    private func groups(of fact: Fact, _ keys: [BreakdownKey]) -> [Group] {
        keys.reduce([[]]) { found, key in
            found.flatMap { names in values(of: fact, key).map { names + [$0] } }
        }
        .map(Group.init)
    }

    private func values(of fact: Fact, _ key: BreakdownKey) -> [Name] {
        if let grouping = key.grouping { return groups(of: fact, by: grouping) }
        let post = fact.link?.post
        let told: FeedPost? = if case .feedPost(let told) = post?.content { told } else { nil }
        switch key {
        case .post: return [post.map { Name($0.id.description) } ?? .none]
        case .poster: return [post.flatMap { people.person(of: $0) }.map { Name(Self.key(of: $0)) } ?? .none]
        case .actionType: return [told?.actionType.map(Name.init) ?? .none]
        case .objectID: return [told?.objectID.map(Name.init) ?? .none]
        default: break
        }
        let seconds = Int(floor(Double(fact.time.microseconds) / 1_000_000))
        let local = seconds + timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        if key == .hour {
            let hour = ((local % 86_400) + 86_400) % 86_400 / 3_600
            return [Name((hour < 10 ? "0" : "") + String(hour))]
        }
        let day = day(of: fact.time)
        return [Name(Self.weekdays[day - Self.firstDayOfWeek(ofDay: day)])]
    }

    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    private static func key(of person: Person) -> String {
        switch person {
        case .user(let name): "u\(name)"
        case .device(let name): "d\(name)"
        case .click(let name): "c\(name)"
        }
    }

    /// What a row's place is decided by, if all that comes before is equal.
    private struct Place: Comparable {
        var isNone: Bool
        var number: Int64
        var name: Name

        static func < (one: Place, other: Place) -> Bool {
            if one.isNone != other.isNone { return other.isNone }
            return one.number == other.number ? one.name < other.name : one.number < other.number
        }
    }

    /// "Channels, platforms, days, hours and weekdays in their own order, posts by their time, others by name, and
    /// `(none)` last."
    private func place(of name: Name, _ key: BreakdownKey) -> Place {
        let order: [String] =
            switch key {
            case .channel: Channel.allCases.map(\.rawValue)
            case .platform: Platform.allCases.map(\.rawValue)
            case .linkForm: InboundLink.Form.allCases.map(\.rawValue)
            case .refFrom: Grouping.refOrigins
            case .sentBy: ["server", "app"]
            case .authenticated, .deferred, .paid: ["false", "true"]
            case .weekday: Self.weekdays
            default: []
            }
        var number = Int64(order.firstIndex(of: name.text) ?? 0)
        if key == .post {
            number =
                facts.compactMap(\.link?.post).first { $0.id.description == name.text }?.occurredAt.microseconds ?? 0
        }
        // Of two people with the same id, the kind decides.
        let text = key == .poster && name != .none ? String(name.text.dropFirst()) + "\0" + name.text : name.text
        return Place(isNone: name == .none, number: number, name: Name(text))
    }

    private func keyCells(_ group: Group, _ keys: [BreakdownKey]) -> [String] {
        zip(keys, group.names).flatMap { key, name -> [String] in
            switch key {
            case .post:
                let post = facts.compactMap(\.link?.post).first { $0.id.description == name.text }
                return [name.text, post?.occurredAt.rfc3339 ?? ""]
                    + ["ref", "composer", "link"].filter { column in !keys.contains { $0.rawValue == column } }
                    .map { _ in "" }
            case .poster:
                if name == .none { return [name.text, ""] }
                let kinds: [Character: String] = ["u": "user", "d": "device", "c": "click"]
                return [String(name.text.dropFirst()), name.text.first.flatMap { kinds[$0] } ?? ""]
            default: return [name.text]
            }
        }
    }

    /// The cells of the keys in a row that stands for no single group.
    private func single(_ name: String, _ keys: [BreakdownKey]) -> [String] {
        [name] + keyCells(Group(names: keys.map { _ in .none }), keys).dropFirst().map { _ in "" }
    }
}
