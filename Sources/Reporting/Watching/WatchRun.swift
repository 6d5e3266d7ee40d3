import Foundation
package import Storage
package import Time

/// A watch of a saved question about one period: which reports it needs, and what it tells of them. It does no I/O.
package struct WatchRun: Sendable {
    /// The reports of the period and of the same days of the eight weeks before, the last one first. They can run in
    /// one pass.
    package let requests: [ReportRequest]
    private let watch: StoredSchedule.Watch
    /// The parameters of the question.
    private let parameters: [(name: String, value: String)]
    private let schedule: QuestionSchedule
    private let days: (first: CivilDate, last: CivilDate)
    private let zone: ReportTimeZone

    /// What a watch leads to.
    package struct Outcome: Sendable {
        /// Nil if there is nothing to tell.
        package var answer: SentAnswer?
        /// One line for the list of runs.
        package var remark: String
        /// What the watch remembers from now on.
        package var memory: String
    }

    /// - Parameters:
    ///   - sending: of the schedule. If what starts in its period can still go on, as with a funnel whose window is not
    ///     over, an earlier period is judged: the last one that is as ripe as those before.
    /// - Throws: `ReportError.usage` if the question cannot be watched any more.
    package init(
        _ schedule: QuestionSchedule,
        _ watch: StoredSchedule.Watch,
        of question: SavedQuestion,
        app: App,
        about sending: SendingTimes.Sending,
        now: Timestamp
    ) throws(ReportError) {
        guard let zone = question.zone(in: app) else { throw .invalid("tz", "the time zone is unknown") }
        let length = sending.to.number - sending.from.number
        func request(_ back: Int) throws(ReportError) -> ReportRequest {
            try question.request(
                in: CivilDate(number: sending.from.number - back),
                to: CivilDate(number: sending.to.number - back),
                app: app,
                now: now
            )
        }
        let last = try request(0)
        try last.checkIsWatchable(watch, every: schedule.times.period)
        var lag = 0
        if let end = last.report.matureEnd(at: now, in: zone) {
            while zone.start(of: CivilDate(number: sending.to.number - lag)) > end { lag += length }
        }
        var requests: [ReportRequest] = []
        for week in 0...Watch.weeks { requests.append(try request(lag + 7 * week)) }
        self.requests = requests
        self.watch = watch
        parameters = question.parameters
        self.schedule = schedule
        self.zone = zone
        days = (
            CivilDate(number: sending.from.number - lag), CivilDate(number: sending.to.number - lag - 1)
        )
    }

    /// The days that are judged; the end is the day after the last one.
    package var judged: (from: CivilDate, to: CivilDate) { (days.first, CivilDate(number: days.last.number + 1)) }

    /// - Parameters:
    ///   - results: of ``requests``, in their order.
    ///   - explain: runs the one report that tells what carries a change; nil if it cannot now.
    package func outcome(
        _ results: [ReportResult],
        _ remarks: SentAnswer.Remarks,
        explain: (ReportRequest) async -> ReportResult?
    ) async -> Outcome {
        let figures = results.map { $0.table.watched(watch.column, row: watch.row) }
        let stored = schedule.memory.flatMap { try? JSONDecoder().decode(Watch.Memory.self, from: Data($0.utf8)) }
        // A damaged memory is none: the watch begins anew.
        let known = stored.flatMap { $0.isSane ? $0 : nil }
        var watching = Watch(isDaily: schedule.times.period == .day, memory: known ?? Watch.Memory())
        var judgement = watching.judge(days.first, figures[0], after: Array(figures.dropFirst()))
        if let position = judgement.mainChange {
            judgement.findings[position].carrier = await carrier(of: judgement.findings[position], explain)
        }
        let rows = judgement.same + judgement.findings.count
        var answer: SentAnswer?
        if !judgement.findings.isEmpty {
            answer = SentAnswer(
                judgement.findings,
                of: watch,
                about: days,
                in: zone,
                rows: rows,
                app: results[0].request.app,
                by: schedule,
                remarks
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let memory = (try? encoder.encode(watching.memory)).map { String(decoding: $0, as: UTF8.self) }
        return Outcome(answer: answer, remark: judgement.words(watch.column), memory: memory ?? "{}")
    }

    private func carrier(
        of finding: Watch.Finding,
        _ explain: (ReportRequest) async -> ReportResult?
    ) async -> ChangeCarrier? {
        guard
            let request = ChangeCarrier.request(for: finding, of: requests[0], watch.column, asked: parameters),
            let result = await explain(request)
        else { return nil }
        let length = days.last.number - days.first.number + 1
        return ChangeCarrier(result.table, of: finding, watch.column, watchedDays: length)
    }
}

extension Watch.Judgement {
    /// One line: what changed, and how many rows are as before, are still changed or are too few to say.
    func words(_ column: String) -> String {
        var parts = findings.prefix(3).map { $0.headline(column) }
        if findings.count > 3 { parts.append("\(findings.count - 3) more changes") }
        func count(_ number: Int, _ words: String) {
            guard number > 0 else { return }
            parts.append(number == 1 && findings.isEmpty && parts.isEmpty ? words : "\(number) \(words)")
        }
        count(same, "as before")
        count(stillChanged, "still changed")
        count(tooFew, "too few to say")
        return parts.isEmpty ? "too few to say: there are no such rows" : parts.joined(separator: "; ")
    }
}

extension SavedQuestion {
    /// The columns that can be watched; none if a later version no longer knows the report.
    package func watchableColumns(in app: App, now: Timestamp) -> [String] {
        (try? request(origin: .http, app: app, now: now))?.watchableColumns ?? []
    }

    /// The question about some days, whatever its own range is.
    ///
    /// - Parameter to: the day after the last one.
    func request(
        in from: CivilDate,
        to: CivilDate,
        app: App,
        now: Timestamp
    ) throws(ReportError) -> ReportRequest {
        let range = [(name: "from", value: from.description), (name: "to", value: to.description)]
        return try ReportRequest.parse(
            name: report,
            parameters: parameters.filter { $0.name != "from" && $0.name != "to" } + range,
            origin: .http,
            app: app,
            now: now
        )
    }
}
