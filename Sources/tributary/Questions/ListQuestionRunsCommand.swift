import ArgumentParser
import InboundLinks
import Reporting
import Storage
import Time

struct ListQuestionRunsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "List what was sent of saved questions, and what was not."
    )

    @OptionGroup var options: QuestionOptions

    @Argument(help: "The question's name (default: all).")
    var name: String?

    @Option(help: "How many at most, the newest first.")
    var limit = 20

    @OptionGroup var format: RecordFormat

    func run() async throws {
        try (1...10_000).check(limit, of: "--limit")
        let runs = try await options.withQuestions { _, app, pool in
            try await ScheduledQuestions(pool: pool).runs(of: app, question: name, atMost: limit)
        }
        Record.print(
            runs,
            as: format.form,
            row: { [$0.question, $0.days, $0.target, $0.watch.map { "watches \($0.words)" } ?? "", $0.status] },
            record: \.shownRecord
        )
        if runs.isEmpty {
            StandardError.write("nothing was sent yet; 'tributary question schedule' says when to")
        }
    }
}

extension QuestionRun {
    fileprivate var shownRecord: Record {
        var fields: [(String, InspectionValue)] = [("question", .string(question))]
        fields += watch?.fields ?? []
        fields += [
            ("to", .string(target)), ("first_day", .string(from.description)),
            ("last_day", .string(CivilDate(number: to.number - 1).description)), ("state", .string(state.rawValue)),
            ("attempts", .number(Int64(attempts))), ("next_at", .optional(dueAt?.rfc3339)),
            ("finished_at", .optional(finishedAt?.rfc3339)), ("remark", .optional(remark)),
        ]
        return Record(fields)
    }
}

extension QuestionSchedule {
    /// - Parameters:
    ///   - first: when it sends first.
    ///   - secret: a new one, which is shown once.
    func shownRecord(first: SendingTimes.Sending, secret: String?) -> Record {
        var fields: [(String, InspectionValue)] = [("question", .string(question))]
        fields += watch?.fields ?? []
        fields += [("every", .string(times.every)), ("at", .string(times.at))]
        if watch == nil { fields.append(("format", .string(format.rawValue))) }
        fields += [
            ("to", .string(target.text)), ("next_at", .string(first.at.rfc3339)),
            ("next_days", .string("\(first.from) to \(CivilDate(number: first.to.number - 1))")),
        ]
        if shares { fields.append(("share", .bool(true))) }
        if let secret { fields.append(("secret", .string(secret))) }
        return Record(fields)
    }
}

extension StoredSchedule.Watch {
    fileprivate var fields: [(String, InspectionValue)] { [("column", .string(column)), ("row", .optional(row))] }
}
