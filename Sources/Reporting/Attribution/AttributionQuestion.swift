import Events
import InboundLinks
package import Postgres
package import Storage
import Text
import Time
import Timelines

/// Which touches a person's latest install or conversion is credited to (docs/attributions.md). Reads this person
/// alone, by the rules and the code of the report `attribution`.
package struct AttributionQuestion: Sendable {
    /// The names of its parameters.
    package static let parameters = PersonKey.Kind.allCases.map(parameter) + ["event", "goal", "lookback", "model"]

    let key: PersonKey
    /// Nil: the later of both kinds.
    let credited: AttributionReport.Credited?
    let goal: String?
    let lookback: ReportDuration
    let model: AttributionModel

    /// - Throws: `ReportError.usage`.
    package init(parameters: [(name: String, value: String)]) throws(ReportError) {
        let declared = Self.parameters.map { ReportParameter($0, "TEXT", "") }
        var reader = try ParameterReader(parameters, report: "attributions", allowed: declared)
        key = try Self.key(reading: &reader)
        goal = try reader.text("goal")
        credited = reader.isGiven("event") ? try reader.choice("event", default: .conversion) : nil
        if goal != nil, credited == .install { throw .invalid("goal", "installs have no goal") }
        lookback = try reader.duration("lookback", default: ReportDuration(days: 7))
        model = try reader.choice("model", default: .last)
    }

    private static func key(reading reader: inout ParameterReader) throws(ReportError) -> PersonKey {
        var keys: [PersonKey] = []
        for kind in PersonKey.Kind.allCases {
            guard let id = try reader.text(parameter(kind)) else { continue }
            guard id.utf8.count <= EventLimits.id else {
                throw .invalid(parameter(kind), "must be at most \(EventLimits.id) bytes")
            }
            if PlusSign.isLost(inID: id) { throw .invalid(parameter(kind), PlusSign.advice) }
            keys.append(PersonKey(kind, id))
        }
        guard let key = keys.first, keys.count == 1 else {
            let names = PersonKey.Kind.allCases.map(parameter)
            throw .usage(
                message: "give exactly one of \(names.joined(separator: ", "))",
                field: keys.isEmpty ? names[0] : parameter(keys[1].kind)
            )
        }
        return key
    }

    private static func parameter(_ kind: PersonKey.Kind) -> String { kind.rawValue + "_id" }

    /// Answers by all events that were committed before the call.
    ///
    /// - Returns: nil if the person has no such event, or nothing is stored of the person.
    package func answer(for app: App, on pool: PostgresPool) async throws -> AttributionAnswer? {
        try await pool.withTransaction(isolation: .repeatableRead, readOnly: true) { connection in
            try answer(for: app, on: connection)
        }
    }

    /// The same inside the caller's transaction, which must be `repeatableRead`.
    package func answer(for app: App, on connection: isolated PostgresConnection) throws -> AttributionAnswer? {
        try ScanPlanning.byIndex.apply(on: connection)
        let dictionary = TimelineDictionary()
        let person = try Person.stored(with: key, in: app, on: connection)
        let timeline = try PersonTimeline(reading: person, dictionary: dictionary, on: connection)
        guard var answer = answer(by: timeline, goals: dictionary) else { return nil }
        try CreditedTouch.addDetails(to: &answer.list.touches, of: timeline, in: app, on: connection)
        let subject = InstallDoubt.Person(person.root, timeline, within: lookback)
        for doubt in try InstallDoubt.read(about: [subject], in: app, on: connection) {
            answer.doubt = doubt.reasons
            doubt.mark(&answer.list.touches, ofInstallAt: answer.type == .install ? answer.occurredAt : nil)
        }
        return answer
    }

    /// How many of the app's newest events are looked through for a goal.
    private static let newestEvents: Int64 = 20_000

    /// Why there is no answer, if the goal occurs in none of the app's newest events: it may be misspelt.
    package func unknownGoal(of app: App, on pool: PostgresPool) async throws -> (message: String, nearest: [String])? {
        guard let goal else { return nil }
        let goals = try await pool.withConnection { connection in
            try connection.transaction(readOnly: true) {
                try ScanPlanning.byIndex.apply(on: connection)
                return try connection.query(
                    ReportSQL.selectRecentGoals,
                    [.int(Int64(app.number)), .int(Self.newestEvents)]
                ).map { try $0.text(0) }
            }
        }
        guard !goals.contains(where: { $0.utf8.elementsEqual(goal.utf8) }) else { return nil }
        let nearest = Array(closestNames(to: goal, among: goals).prefix(3))
        let hint = nearest.isEmpty ? "" : "; did you mean \(nearest.map { "'\($0)'" }.joined(separator: ", "))?"
        return ("goal: no conversion of the app has been named '\(goal)' lately\(hint)", nearest)
    }

    private static let always = ReportRange(
        from: Timestamp(microseconds: .min / 2),
        to: Timestamp(microseconds: .max / 2)
    )

    private func answer(by person: borrowing PersonTimeline, goals dictionary: TimelineDictionary) -> AttributionAnswer?
    {
        let events = CreditedEvents(
            range: Self.always,
            installs: credited != .conversion && goal == nil,
            conversions: credited != .install,
            goal: goal.map { dictionary.code(of: $0, as: .goal) },
            currency: .none
        )
        var latest: CreditedEvent?
        events.forEach(of: person) { event in
            // Positions are in the order of time and id.
            if latest.map({ $0.position < event.position }) ?? true { latest = event }
        }
        guard let latest else { return nil }
        var touches: [TimelineTouch] = []
        person.copyTouches(before: latest, within: lookback.microseconds, to: &touches)
        var shares: [Int64] = []
        if !touches.isEmpty { model.split(among: touches, at: latest.time, into: &shares) }
        let event = person.events[latest.position]
        return AttributionAnswer(
            event: event.id,
            type: event.type,
            goal: event.goal.isNone ? nil : dictionary[.goal].text(of: event.goal),
            occurredAt: event.occurredAt,
            sentBy: event.sentBy,
            model: model,
            lookback: lookback,
            list: CreditList(zip(touches, shares).filter { $1 != 0 }.map { CreditedTouch($0, units: $1) })
        )
    }
}
