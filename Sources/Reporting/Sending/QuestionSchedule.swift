package import Storage
package import Time

/// A saved question that is answered by itself after each period.
package struct QuestionSchedule: Sendable {
    package let number: Int64
    package let appNumber: Int32
    package let appID: String
    package let question: String
    package let watch: StoredSchedule.Watch?
    package let times: SendingTimes
    package let format: ReportFormat
    package let target: SendingTarget
    /// ``StoredSchedule/shares``.
    package let shares: Bool
    package let memory: String?
    /// ``StoredSchedule/secrets``.
    package let secrets: [String]
    package let createdAt: Timestamp
    package let lastClaim: StoredSchedule.Claim?

    /// Nil if a later version wrote it.
    package init?(_ stored: StoredSchedule) {
        guard let period = CalendarPeriod(rawValue: stored.period),
            let format = ReportFormat(rawValue: stored.format),
            let target = try? SendingTarget(stored.target, isStored: true)
        else { return nil }
        number = stored.number
        appNumber = stored.appNumber
        appID = stored.appID
        question = stored.question
        watch = stored.watch
        times = SendingTimes(period: period, day: stored.day, minute: stored.minute)
        guard times.isPossible else { return nil }
        self.format = format
        self.target = target
        shares = stored.shares
        memory = stored.memory
        secrets = stored.secrets
        createdAt = stored.createdAt
        lastClaim = stored.lastClaim
    }

    /// The period that must be claimed now; nil if there is none. A schedule that has slept for long gets one period:
    /// the last one that is complete. It is compared by its time: a period of another length, from before a change,
    /// says nothing of this one.
    package func due(at now: Timestamp, in zone: ReportTimeZone) -> SendingTimes.Sending? {
        let sending = times.last(upTo: now, in: zone)
        guard sending.at > createdAt, lastClaim.map({ $0.at < sending.at }) ?? true, !hasClaimed(sending) else {
            return nil
        }
        return sending
    }

    /// What is sent next, a period that is due already included.
    package func next(after now: Timestamp, in zone: ReportTimeZone) -> SendingTimes.Sending {
        if let due = due(at: now, in: zone) { return due }
        let next = times.next(after: now, in: zone)
        return hasClaimed(next) ? times.next(after: next.at, in: zone) : next
    }

    private func hasClaimed(_ sending: SendingTimes.Sending) -> Bool {
        lastClaim?.from == sending.from && lastClaim?.to == sending.to
    }

    /// `every week:monday at 08:00`, or what is watched and when.
    package var words: String { words(shares: shares) }

    /// - Parameter shares: whether a page is shared.
    func words(shares: Bool) -> String {
        let time = "every \(times.every) at \(times.at)" + (shares ? ", with a shared page" : "")
        return watch.map { "watches \($0.words), \(time)" } ?? time
    }
}

extension StoredSchedule.Watch {
    package var words: String { row.map { "\(column) of \($0)" } ?? column }
}

extension SavedQuestion {
    /// The time zone of its days: its own, else the app's.
    package func zone(in app: App) -> ReportTimeZone? {
        ReportTimeZone(parameters.last { $0.name == "tz" }?.value ?? app.profile.timeZone)
    }

    /// The question about a period.
    ///
    /// Without a range of its own, it is about the period. A range such as `from=30d` keeps its length and ends with
    /// the period; a fixed beginning stays.
    ///
    /// - Throws: `ReportError.usage` if its range cannot end with the period.
    package func request(
        about sending: SendingTimes.Sending,
        app: App,
        now: Timestamp,
        adding others: [(name: String, value: String)] = []
    ) throws(ReportError) -> ReportRequest {
        guard let zone = zone(in: app) else { throw .invalid("tz", "the time zone is unknown") }
        let end = zone.start(of: sending.to)
        let given = (
            from: parameters.last { $0.name == "from" }?.value, to: parameters.last { $0.name == "to" }?.value
        )
        var range: [(name: String, value: String)] = []
        if given.from == nil, given.to == nil {
            range = [("from", sending.from.description), ("to", sending.to.description)]
        } else {
            if let to = given.to, ReportInstant.isFixed(to) {
                throw .invalid(
                    "to",
                    "the question ends at a fixed time, so each answer would be the same; save it again without "
                        + "\(to), for example with a range such as 7d"
                )
            }
            for (name, text) in [("from", given.from), ("to", given.to ?? "now")] {
                guard let text else { continue }
                range.append((name, try Self.text(text, field: name, before: sending.to, at: end, zone)))
            }
        }
        let rest = parameters.filter { $0.name != "from" && $0.name != "to" }
        return try ReportRequest.parse(
            name: report,
            parameters: rest + range + others,
            origin: .http,
            app: app,
            now: now
        )
    }

    /// A time of the range as if the question was asked when the period ended. Whole days are days of the calendar, so
    /// that no change of clocks cuts the first one.
    private static func text(
        _ text: String,
        field: String,
        before day: CivilDate,
        at end: Timestamp,
        _ zone: ReportTimeZone
    ) throws(ReportError) -> String {
        if ReportInstant.isFixed(text) { return text }
        if text == "now" { return day.description }
        // This week and the last 30 days begin with a day of the period, of which the last day is today.
        let isOfPeriod = field == "from" && (["monday", "this-month"].contains(text) || text.hasSuffix("days"))
        let today = CivilDate(number: day.number - (isOfPeriod ? 1 : 0))
        if let named = ReportInstant.day(text, seenFrom: today) { return named.description }
        if text.hasSuffix("d"), let days = Int(text.dropLast()), (0...36_500).contains(days) {
            return CivilDate(number: day.number - days).description
        }
        return try ReportInstant.parse(text, field: field, zone: zone, now: end).rfc3339
    }
}
