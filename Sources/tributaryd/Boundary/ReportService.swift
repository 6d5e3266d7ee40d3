import Answering
import InboundLinks
import Ingest
import Postgres
import Reporting
import Storage
import Time

/// Makes reports for HTTP, with the same output as the command line.
struct ReportService: ReportSource {
    let reader: ReportReader
    let failures: FailureTable

    var offers: [ReportOffer] {
        ReportCatalogue.descriptions.map { report in
            ReportOffer(
                name: report.name,
                summary: report.summary,
                parameters: (report.parameters + ReportParameter.common).filter { $0.name != "format" }
                    .map(ReportOffer.Parameter.init)
            )
        }
    }

    func report(
        _ name: String,
        parameters: [(String, String)],
        format: Ingest.AnswerFormat,
        for principal: Principal
    ) async throws(AnswerFailure) -> RenderedReport {
        guard ReportCatalogue.names.contains(name) else {
            throw .unknownReport(allowed: ReportCatalogue.names)
        }
        return try await failures.translating {
            let app = try await reader.apps.app(id: principal.appID)
            let request = try ReportRequest.parse(
                name: name,
                parameters: parameters.map { (name: $0.0, value: $0.1) },
                origin: .http,
                app: app,
                now: .now
            )
            return try await rendered(request, as: format)
        }
    }

    func questions(for principal: Principal) async throws(AnswerFailure) -> String {
        try await failures.translating {
            let app = try await reader.apps.app(id: principal.appID)
            let questions = try await SavedQuestions(pool: reader.pool).list(of: app)
            return "{\"questions\":[\(questions.map(\.json).joined(separator: ","))]}"
        }
    }

    func question(
        _ name: String,
        format: Ingest.AnswerFormat,
        for principal: Principal
    ) async throws(AnswerFailure) -> RenderedReport? {
        try await failures.translating {
            let app = try await reader.apps.app(id: principal.appID)
            guard let question = try await SavedQuestions(pool: reader.pool).question(named: name, of: app),
                !question.isBoard
            else { return nil }
            let request = try question.request(origin: .http, app: app, now: .now)
            return try await rendered(request, as: format)
        }
    }

    private func rendered(_ request: ReportRequest, as format: Ingest.AnswerFormat) async throws -> RenderedReport {
        let history = try await reader.asking(request.app, waits: false) {
            await AppStore(pool: $0).historyNotice(of: request.app, asking: request.properties)
        }
        if request.listsPeople { return try await people(request, as: format, history) }
        var result = try await reader.run(request, waits: false)
        if format == .json {
            result.freshness = try await reader.freshness(of: request.app, in: request.zone)?.freshness
        }
        var report =
            switch format {
            case .csv:
                RenderedReport(
                    bytes: Array(result.text(as: .csv).utf8),
                    contentType: Self.csvType,
                    fileName: "\(request.fileStem).csv"
                )
            case .json: RenderedReport(bytes: Array(result.text(as: .json).utf8), contentType: "application/json")
            }
        report.notices = [history, result.standby?.notice].compactMap { $0 }
        report.warnings = result.warnings.map { Redaction.redact($0.message.text(for: .http)) }
        return report
    }

    private static let csvType = "text/csv; charset=utf-8; header=present"

    /// The list is whole before its first byte is sent. So its transaction does not wait for a slow reader, and
    /// whatever fails is answered as a problem.
    private func people(
        _ request: ReportRequest,
        as format: Ingest.AnswerFormat,
        _ history: String?
    ) async throws -> RenderedReport {
        let (text, notes) = try await reader.people(request, waits: false) { pool in
            try await PeopleRunner.run(request, as: format == .csv ? .csv : .json, on: pool, to: ListText())
        }
        var report = RenderedReport(
            bytes: [],
            contentType: format == .csv ? Self.csvType : "application/json",
            fileName: format == .csv ? "\(request.fileStem)-people.csv" : nil,
            warnings: notes.warnings.map { Redaction.redact($0.message.text(for: .http)) }
        )
        report.long = LongText(text)
        report.notices = [history, notes.standby?.notice].compactMap { $0 }
        return report
    }
}

extension ReportOffer.Parameter {
    fileprivate init(_ parameter: ReportParameter) {
        let kind: Kind =
            if parameter.repetition == .all {
                .repeated
            } else if let words = parameter.words {
                .word(words)
            } else {
                switch parameter.valueName {
                case "": .flag
                case "NUMBER": .count
                default: .text
                }
            }
        var summary = parameter.summary.replacing("--", with: "")
        if case .text = kind, !parameter.allowed.isEmpty {
            summary += " One of \(parameter.allowed.joined(separator: ", "))."
        }
        if parameter.name == "by", parameter.offered.contains("country") { summary += " Or a declared property." }
        if let value = parameter.defaultValue { summary += " Default: \(value.replacing("--", with: ""))." }
        self.init(name: parameter.name, summary: summary, kind: kind, isRequired: parameter.isRequired)
    }
}
