import InboundLinks
import JSONReading
import Postgres
import Storage
import Time

// A board is an ordered list of saved questions with a range for all. It is stored as a question whose report is
// `board`: so it has a question's name, schedules, runs, deletion and restoration, and no table of its own.
extension SavedQuestion {
    package static let boardReport = "board"
    /// The parameter that names a question of a board. It occurs once for each, in order.
    package static let memberField = "question"
    /// How many questions a board may have.
    package static let memberLimit = 12

    package var isBoard: Bool { report == Self.boardReport }

    /// The names of a board's questions, in order.
    package var members: [String] { parameters.filter { $0.name == Self.memberField }.map(\.value) }

    /// The range of a board; empty for that of every report without one.
    package var range: [(name: String, value: String)] { parameters.filter { $0.name != Self.memberField } }

    /// The questions of a board, in its range and in the app's days, whatever they have themselves; of a question
    /// itself alone.
    ///
    /// - Parameters:
    ///   - questions: the app's.
    ///   - range: nil: the board's own.
    /// - Returns: no question for a name that was deleted.
    package func parts(
        among questions: [SavedQuestion],
        in range: [(name: String, value: String)]? = nil
    ) -> [(name: String, question: SavedQuestion?)] {
        guard isBoard else { return [(name, self)] }
        return members.map { name in
            (name, questions.first { $0.name == name }?.asPart(in: range ?? self.range))
        }
    }

    fileprivate func asPart(in range: [(name: String, value: String)]) -> SavedQuestion {
        var question = self
        question.parameters = parameters.filter { !["from", "to", "tz"].contains($0.name) } + range
        return question
    }

    /// - Throws: `ReportError.usage` for a board.
    func checkHasAnswer() throws(ReportError) {
        guard isBoard else { return }
        let names = members.joined(separator: ", ")
        throw .usage(message: "'\(name)' is a board; ask for one of its questions: \(names)", field: "name")
    }
}

extension SavedQuestions {
    /// - Throws: `ReportError.usage`, `QuestionError.unknown`.
    func checkBoard(_ parameters: [(name: String, value: String)], of app: App, now: Timestamp) async throws {
        let names = parameters.filter { $0.name == SavedQuestion.memberField }.map(\.value)
        guard (1...SavedQuestion.memberLimit).contains(names.count) else {
            throw Self.refused("a board has 1 to \(SavedQuestion.memberLimit) questions")
        }
        let range = parameters.filter { $0.name != SavedQuestion.memberField }
        for (name, value) in range {
            guard name == "from" || name == "to" else {
                throw ReportError.invalid(name, "a board has no such parameter")
            }
            // Its page in the dashboard has whole days.
            let isDay = CivilDate(value) != nil || ReportInstant.day(value, seenFrom: now.date) != nil
            guard isDay || name == "to" && value == "now" else {
                throw ReportError.invalid(name, "'\(value)' is no day, such as 30days, last-week or 2026-11-01")
            }
        }
        for (position, name) in names.enumerated() {
            if names[..<position].contains(name) { throw Self.refused("'\(name)' is given twice") }
            let question = try await required(name, of: app)
            if question.isBoard { throw Self.refused("'\(name)' is a board: a board cannot stand on a board") }
            guard try !question.asPart(in: range).request(origin: .http, app: app, now: now).listsPeople else {
                throw Self.refused("'\(name)' lists people, and a board has figures")
            }
        }
    }

    /// Without the name of a parameter: the command line has no `--question`.
    private static func refused(_ problem: UsageMessage) -> ReportError {
        .usage(message: problem, field: SavedQuestion.memberField)
    }
}

/// The answer to a question, or to one of a board.
package struct AnsweredPart: Sendable {
    package let name: String
    /// Nil for a failure.
    package var result: ReportResult?
    /// About the period before; nil if nobody asked, or if it cannot be compared.
    var earlier: ReportResult?
    /// Why it cannot.
    var incomparability: String?
    /// Why there is no answer.
    package var failure: String?

    /// Answers questions one after the other, so that one of a board that is refused or slow does not take the others
    /// with it.
    ///
    /// - Parameters:
    ///   - parts: ``SavedQuestion/parts(among:in:)``.
    ///   - budget: the time after which no further question of a board is begun; nil for any.
    ///   - requests: those of a question: one, and perhaps the same about the period before.
    ///   - run: runs reports together.
    /// - Throws: what `run` throws; `ReportError` and timeouts only for a single question.
    package static func answers(
        to parts: [(name: String, question: SavedQuestion?)],
        within budget: Duration? = nil,
        asking requests: (SavedQuestion) throws -> [ReportRequest],
        run: ([ReportRequest]) async throws -> [ReportResult]
    ) async throws -> [AnsweredPart] {
        let isBoard = parts.count > 1
        let end = budget.map { ContinuousClock.now.advanced(by: $0) }
        var answers: [AnsweredPart] = []
        for (name, question) in parts {
            guard let question else {
                answers.append(AnsweredPart(name: name, failure: "the question was deleted"))
                continue
            }
            if isBoard, let end, ContinuousClock.now >= end {
                answers.append(AnsweredPart(name: name, failure: "not answered in time"))
                continue
            }
            do {
                let results = try await run(requests(question))
                answers.append(AnsweredPart(name: name, results))
            } catch let error as ReportError where isBoard {
                answers.append(AnsweredPart(name: name, failure: "\(error)"))
            } catch let error as PostgresError where isBoard && (error.isStatementTimeout || error.isRetryable) {
                // A standby ends a query that its replay has waited for: the query took too long, too.
                answers.append(AnsweredPart(name: name, failure: "took too long; ask for fewer days"))
            }
        }
        return answers
    }
}

extension AnsweredPart {
    /// - Parameter results: those of a question's requests.
    private init(name: String, _ results: [ReportResult]) {
        (self.name, result) = (name, results.first)
        guard let result, let earlier = results.dropFirst().first else { return }
        incomparability = result.request.incomparability(with: earlier.request)
        if incomparability == nil { self.earlier = earlier }
    }

    /// How many rows of a table stand in a text. A program reads the CSV.
    private static let shownRows = 60

    /// Without secrets.
    var warnings: [String] {
        (result?.warnings ?? []).map { Redaction.redact($0.message.text(for: .http)) }
    }

    /// What is to say of the change, as a sentence.
    var remarks: [String] {
        // Who sees no change asks for no reason.
        guard let incomparability, result?.totalLine(before: nil) != nil else { return [] }
        return ["\(incomparability.prefix(1).uppercased())\(incomparability.dropFirst())."]
    }

    /// For people: the table and its warnings, or why there is none.
    ///
    /// - Parameter isCut: whether many rows are left out, because the CSV has all: but the first ones, and the last,
    ///   which is often the total.
    package func text(isCut: Bool) -> String {
        guard var shown = result else { return "\(failure ?? "")\n" }
        var rest = ""
        let count = shown.table.rows.count
        if isCut, count > Self.shownRows {
            shown.table.rows = Array(shown.table.rows.prefix(Self.shownRows - 1)) + shown.table.rows.suffix(1)
            rest = "\nThe first \(Self.shownRows - 1) rows and the last one of \(count). The CSV has all of them.\n"
        }
        return shown.text(as: .table) + rest + warnings.map { "\nWarning: \($0)\n" }.joined()
            + remarks.map { "\n\($0)\n" }.joined()
    }
}

extension [AnsweredPart] {
    /// A list of objects: `question`, `warnings` and `report`, or `question` and `problem`.
    package var json: String {
        let objects = map { part in
            var fields = ["\"question\": \(JSONWriter.quoted(part.name))"]
            if let failure = part.failure { fields.append("\"problem\": \(JSONWriter.quoted(failure))") }
            if let result = part.result {
                let warnings = part.warnings.map(JSONWriter.quoted).joined(separator: ", ")
                fields += ["\"warnings\": [\(warnings)]", "\"report\": \(result.jsonObject)"]
            }
            return "{\(fields.joined(separator: ", "))}"
        }
        return "[\(objects.joined(separator: ", "))]"
    }
}

extension ReportResult {
    /// The report as JSON, without a newline at the end.
    var jsonObject: String {
        var report = text(as: .json)
        while report.last == "\n" { report.removeLast() }
        return report
    }
}
