package import Events
import JSONReading
package import Postgres
package import Storage
package import Time
import Timelines

/// To whom installs or conversions of some people are credited: the parameters and the rules of the report
/// `attribution`, with one model. For webhooks (docs/webhooks.md).
package struct CreditQuestion: Sendable {
    /// The credits of one event.
    package struct Answer: Sendable {
        /// As `GET /v1/attributions` has them, as JSON, with shorter targets; nil if the event does not count: it is a
        /// re-install, or no touch meets the conditions.
        package var credits: String?
        /// The sum of the credits that are left out; nil if none is.
        package var more: String?
        /// Why the person's first install is doubtful; empty if the event does not count.
        package var doubt: [String]
        /// Whose the event is.
        package var person: String
        /// The person, and the devices and clicks; the person alone if these are too many (``Answers/crowds``).
        package var keys: [String]
        /// Who is named as a poster: `u` or `d`, then the id.
        package var posters: Set<String>

        /// In bytes, about.
        fileprivate var size: Int { (credits?.utf8.count ?? 0) + keys.size }
    }

    /// The credits of some events.
    package struct Answers: Sendable {
        /// Nothing for an event that is nobody's.
        package var byEvent: [EventID: Answer] = [:]
        /// The devices and clicks of people who have too many for a list with each event, as a user id has that many
        /// share.
        package var crowds: [String: [String]] = [:]
        /// The events that are left for another time.
        package var left: Set<EventID> = []
    }

    /// The parameters of a webhook that the report `attribution` has too.
    package static let parameters = ["event", "goal", "model", "lookback", "where"]

    /// How long the credits of an event may be, in bytes, and the target of one, in characters.
    package static let byteLimit = 100_000
    private static let targetLimit: Int64 = 500
    /// How many touches have their details in memory at once.
    private static let touchesAtOnce = 2_000

    private let report: AttributionReport
    /// The parameters in effect.
    package let effective: [(name: String, value: String)]

    package var eventType: EventType { report.credited == .install ? .install : .conversion }
    package var goal: String? { report.goal }
    package var lookback: String { report.lookback.text }
    package var model: String { report.models[0].rawValue }

    /// - Throws: `ReportError.usage`.
    package init(parameters: [(name: String, value: String)], app: App) throws(ReportError) {
        var reader = try ParameterReader(
            parameters,
            report: "webhooks",
            allowed: AttributionReport.parameters.filter { Self.parameters.contains($0.name) },
            properties: app.properties
        )
        report = try AttributionReport(reading: &reader)
        guard report.models.count == 1 else {
            throw .invalid("model", "takes one model", allowed: AttributionModel.allCases.map(\.rawValue))
        }
        effective = reader.effective.filter { $0.name != "by" }
    }

    /// Reads the credits of some people's events inside the caller's transaction, which must be repeatable read.
    ///
    /// - Parameters:
    ///   - people: as `sql/reports/timelines.sql` names them.
    ///   - times: the first and the last time of the events that are asked for.
    ///   - events: those events.
    ///   - keyLimit: how many devices and clicks of a person each answer lists.
    ///   - bytes: about how much the answers may hold together. At least one event is answered.
    package func answers(
        for events: Set<EventID>,
        of people: [String],
        between times: (first: Timestamp, last: Timestamp),
        in app: App,
        keyLimit: Int,
        upTo bytes: Int,
        on connection: isolated PostgresConnection
    ) throws -> Answers {
        let range = ReportRange(from: times.first, to: times.last.advanced(byMicroseconds: 1))
        var drafts: [Draft] = []
        var crowds: [String: [String]] = [:]
        var query = report.completeQuery(in: range)
        // The person's first install is told of, whenever it was, and its touch.
        query.touchesFrom = Timestamp.spellable.lowerBound
        query.through = Timestamp.spellable.upperBound
        try PeopleTimelines.read(query, of: people, app: app, on: connection) { timelines in
            let reader = Reader(
                report: report,
                events: events,
                range: range,
                dictionary: timelines.scan.dictionary,
                keys: timelines.keys,
                keyLimit: keyLimit
            )
            try timelines.scan.forEachPerson { reader.read($0, into: &drafts, &crowds) }
        }
        var answers = Answers()
        var held = 0
        var rest = drafts[...]
        while held < bytes, !rest.isEmpty {
            var count = 0
            var keys = 0
            let end = rest.firstIndex {
                count += $0.credits.touches.count
                keys += $0.keySize
                return count > Self.touchesAtOnce || keys > bytes
            }
            let piece = rest[..<(end.map { max($0, rest.startIndex + 1) } ?? rest.endIndex)]
            rest = rest[piece.endIndex...]
            for answer in try self.answers(to: piece, in: app, on: connection) {
                held += answer.value.size
                answers.byEvent[answer.key] = answer.value
            }
            for draft in piece { answers.crowds[draft.person] = crowds[draft.person] }
        }
        answers.left = Set(rest.map(\.event))
        return answers
    }

    private func answers(
        to drafts: ArraySlice<Draft>,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws -> [(key: EventID, value: Answer)] {
        var touches = drafts.flatMap(\.credits.touches)
        try CreditedTouch.addDetails(
            to: &touches,
            from: drafts.flatMap(\.sources),
            targetLimit: Self.targetLimit,
            in: app,
            on: connection
        )
        let counted = drafts.compactMap { $0.counts ? $0.subject : nil }
        var doubts = try InstallDoubt.read(about: counted, in: app, on: connection)[...]
        var rest = touches[...]
        return drafts.map { draft in
            var credits = draft.credits
            credits.touches = Array(rest.prefix(credits.touches.count))
            rest = rest.dropFirst(credits.touches.count)
            let doubt = draft.counts && draft.subject != nil ? doubts.popFirst() : nil
            doubt?.mark(&credits.touches, ofInstallAt: draft.installedAt)
            let told = draft.counts ? credits.json(byteLimit: Self.byteLimit) : nil
            let answer = Answer(
                credits: told?.credits,
                more: told?.more,
                doubt: doubt?.reasons.names ?? [],
                person: draft.person,
                keys: draft.keys,
                posters: credits.touches.reduce(into: []) { posters, touch in
                    if let user = touch.poster.userID { posters.insert("u" + user) }
                    if let device = touch.poster.deviceID { posters.insert("d" + device) }
                }
            )
            return (draft.event, answer)
        }
    }

    /// What is known of an event before the details of its touches are.
    private struct Draft {
        var event: EventID
        var person: String
        /// All events of a person share one array.
        var keys: [String]
        /// Of the keys, in bytes.
        var keySize: Int
        var counts: Bool
        /// Nil if the event is no install.
        var installedAt: Timestamp?
        var subject: InstallDoubt.Person?
        /// Also touches of which the conditions keep nothing: they may be kept when their details change.
        var credits = CreditList([])
        var sources: [CreditedTouch.Source] = []
    }

    private struct Reader {
        let report: AttributionReport
        let events: Set<EventID>
        let credited: CreditedEvents
        let eventMatcher: EventMatcher?
        let matcher: EventMatcher?
        let keys: [PersonKey: [String]]
        let keyLimit: Int

        init(
            report: AttributionReport,
            events: Set<EventID>,
            range: ReportRange,
            dictionary: TimelineDictionary,
            keys: [PersonKey: [String]],
            keyLimit: Int
        ) {
            self.report = report
            self.events = events
            self.keys = keys
            self.keyLimit = keyLimit
            credited = CreditedEvents(
                range: range,
                installs: report.credited == .install,
                conversions: report.credited == .conversion,
                goal: report.goal.map { dictionary.code(of: $0, as: .goal) },
                // No sum of values is made.
                currency: .none
            )
            eventMatcher = report.filter.only(\.isOfConversion).makeMatcher(dictionary)
            matcher = report.filter.only { !$0.isOfConversion }.makeMatcher(dictionary)
        }

        func read(
            _ person: borrowing PersonTimeline,
            into drafts: inout [Draft],
            _ crowds: inout [String: [String]]
        ) {
            let key = String(decoding: person.key, as: UTF8.self)
            let owner = PersonKey(text: key)
            let others = owner.flatMap { self.keys[$0] } ?? []
            let isCrowd = others.count > keyLimit
            if isCrowd { crowds[key] = others }
            let keys = isCrowd ? [key] : [key] + others
            let keySize = keys.size
            func makeDraft(of event: EventID, counts: Bool) -> Draft {
                Draft(event: event, person: key, keys: keys, keySize: keySize, counts: counts)
            }
            let subject = owner.map { InstallDoubt.Person($0, person, within: report.lookback) }
            var counted: Set<EventID> = []
            var touches: [TimelineTouch] = []
            var shares: [Int64] = []
            credited.forEach(of: person) { event in
                let own = person.events[event.position]
                guard events.contains(own.id), eventMatcher?.keeps(own) ?? true else { return }
                counted.insert(own.id)
                person.copyTouches(before: event, within: report.lookback.microseconds, to: &touches)
                var draft = makeDraft(of: own.id, counts: matcher?.keepsDirect(own) ?? true)
                draft.installedAt = event.isInstall ? event.time : nil
                draft.subject = subject
                if !touches.isEmpty {
                    report.models[0].split(among: touches, at: event.time, into: &shares)
                    draft.counts = false
                    var credited: [CreditedTouch] = []
                    for (touch, share) in zip(touches, shares) where share != 0 {
                        let kept = matcher?.kept(share, of: person.events[touch.event]) ?? share
                        if kept > 0 { draft.counts = true }
                        credited.append(CreditedTouch(touch, units: kept))
                    }
                    draft.credits = CreditList(credited)
                    draft.sources = draft.credits.touches.map { CreditedTouch.Source($0.touch, of: person) }
                }
                drafts.append(draft)
            }
            for event in person.events where events.contains(event.id) && !counted.contains(event.id) {
                drafts.append(makeDraft(of: event.id, counts: false))
            }
        }
    }
}

extension [String] {
    /// In bytes.
    fileprivate var size: Int { reduce(0) { $0 + $1.utf8.count } }
}
