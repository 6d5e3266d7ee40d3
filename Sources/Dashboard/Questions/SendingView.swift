import Reporting
import Storage

/// When a question is sent, and what was sent, for its page.
struct SendingView {
    struct Schedule {
        var words: String
        /// What kind of target: its address may be a secret.
        var target: String
        /// The page that asks whether to end it.
        var deletion: String
    }

    struct Run {
        var days: String
        var what: String
        var target: String
        var state: String
    }

    var schedules: [Schedule]
    var runs: [Run]
    /// The page with the form for another one.
    var form: String

    init(_ question: SavedQuestion, _ request: ViewRequest) async throws(DashboardFailure) {
        let time = LocalTime(timeZone: request.timeZone)
        schedules = try await request.stores.ask {
            try await $0.schedules.list(of: request.app, question: question.name)
        }.map { schedule in
            Schedule(
                words: schedule.words,
                target: schedule.target.kind,
                deletion: Dashboard.scheduleDeletionPath + "?"
                    + FormFields.encode([("name", question.name), ("number", "\(schedule.number)")])
            )
        }
        runs = try await request.stores.ask {
            try await $0.schedules.runs(of: request.app, question: question.name, atMost: 20)
        }.map { run in
            let at = (run.finishedAt ?? run.dueAt).map { " " + time.text($0) } ?? ""
            let remark = run.remark.map { ": \($0)" } ?? ""
            // Why it failed may name a target.
            let state =
                switch run.state {
                case .sent: "sent\(at)\(remark)"
                case .quiet: "nothing to tell\(at)\(remark)"
                case .waiting: run.attempts == 0 ? "waiting" : "not sent yet; tried again\(at)"
                case .failed: "failed\(at); ‘tributary question runs’ says why"
                }
            return Run(
                days: run.days,
                what: run.watch?.words ?? "the answer",
                target: (try? SendingTarget(run.target, isStored: true))?.kind ?? "",
                state: state
            )
        }
        form = ScheduleForm.path + "?" + FormFields.encode([("name", question.name)])
    }
}

/// The form that has a question sent or watched, for the template `schedule-form`.
struct ScheduleForm {
    static let path = "/questions/schedule"

    private static let cadences: [(value: String, title: String)] = [
        ("day", "every day"), ("week:monday", "every Monday"), ("week:tuesday", "every Tuesday"),
        ("week:wednesday", "every Wednesday"), ("week:thursday", "every Thursday"), ("week:friday", "every Friday"),
        ("week:saturday", "every Saturday"), ("week:sunday", "every Sunday"),
        ("month:1", "every month, on the 1st"), ("month:15", "every month, on the 15th"),
    ]

    var name: String
    /// What is sent: the answer, or word of changes of a column.
    var columns: [Choice]
    /// A board has no column.
    var canBeWatched: Bool
    var row: String
    var periods: [Choice]
    var at: String
    var target: String
    var formats: [Choice]
    /// Whether the link leads to a shared page.
    var shares: Bool
    var timeZone: String
    var problem: String?
    var key: WriteKeyField

    init(_ question: SavedQuestion, _ form: FormState, _ request: ViewRequest) {
        name = question.name
        columns = [Choice(value: "", title: "the answer", isChosen: (form["column"] ?? "").isEmpty)]
        for column in question.watchableColumns(in: request.app, now: request.now) {
            columns.append(
                Choice(value: column, title: "changes of \(column)", isChosen: form["column"] == column)
            )
        }
        canBeWatched = columns.count > 1
        row = form["row"] ?? ""
        periods = Self.cadences.map { period in
            Choice(value: period.value, title: period.title, isChosen: period.value == form["every"] ?? "week:monday")
        }
        at = form["at"] ?? "08:00"
        target = form["to"] ?? ""
        formats = [
            Choice(value: "csv", title: "text, and the CSV", isChosen: form["format"] != "table"),
            Choice(value: "table", title: "text alone", isChosen: form["format"] == "table"),
        ]
        shares = form["share"] != nil
        timeZone = request.timeZone
        problem = form.problem
        key = form.key
    }

    static func draft(_ form: FormFields) -> ScheduledQuestions.Draft {
        let column = form["column"] ?? ""
        let row = form["row"] ?? ""
        return ScheduledQuestions.Draft(
            question: form["name"] ?? "",
            watch: column.isEmpty ? nil : .init(column: column, row: row.isEmpty ? nil : row),
            every: form["every"] ?? "",
            at: form["at"] ?? "",
            format: column.isEmpty ? form["format"] ?? "csv" : "table",
            target: form["to"] ?? "",
            shares: form["share"] != nil
        )
    }
}
