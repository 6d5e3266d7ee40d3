import Answering
import Events
import InboundLinks
import Ingest
import JSONReading
import Postgres
import Reporting
import Storage
import Time

/// Keeps costs in the database, for HTTP.
struct CostService: CostSource {
    let pool: PostgresPool
    let reader: ReportReader
    let failures: FailureTable

    var fields: [String] { Cost.fields }

    func costs(after cursor: String?, limit: Int, for principal: Principal) async throws(AnswerFailure) -> String {
        try await failures.translating {
            let place = try cursor.map(Cost.place)
            let app = try await principal.app(on: pool)
            let page = try await ListPage.read(limit) { count in
                try await CostStore(pool: pool).page(of: app, after: place, limit: count)
            }
            return page.json("costs", next: \.cursor) { cost, json in json.raw(cost.json()) }
        }
    }

    func store(_ fields: [String: String], for principal: Principal) async throws(AnswerFailure) -> String {
        try await failures.translating {
            let app = try await principal.app(on: pool)
            let cost: Cost
            do throws(CostError) {
                cost = try Cost(ownCurrency: app.profile.currency) { fields[$0] }
            } catch {
                throw AnswerFailure.invalidParameter(
                    message: Redaction.redact(error.message),
                    field: error.field,
                    allowed: []
                )
            }
            let store = CostStore(pool: pool)
            let outcome = try await store.store([cost], of: app, replaces: true)
            guard case .stored = outcome else {
                throw AnswerFailure.invalidParameter(
                    message: "an app has at most \(CostStore.limit) costs; remove old ones",
                    field: nil,
                    allowed: []
                )
            }
            // Whether a name occurs is told to those who read alone.
            let warnings = await principal.scope.reads ? warnings(of: cost, in: app) : nil
            return (try await store.list(of: app).first { $0.hasPlace(of: cost) } ?? cost).json(warnings: warnings)
        }
    }

    private func warnings(of cost: Cost, in app: App) async -> [String] {
        await reader.warnings(of: [cost], in: app).map { Redaction.redact($0.message.text(for: .http)) }
    }

    func removeCost(_ number: Int64, for principal: Principal) async throws(AnswerFailure) -> Bool {
        try await failures.translating {
            try await CostStore(pool: pool).remove(number, of: principal.app(on: pool)) != nil
        }
    }
}

extension Cost {
    /// Where the next page begins after this cost.
    fileprivate var cursor: String { "\(from)/\(number)" }

    /// - Throws: `AnswerFailure` for a text that is no cursor.
    fileprivate static func place(_ cursor: String) throws -> (from: CivilDate, number: Int64) {
        let parts = cursor.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let from = CivilDate(String(parts[0])), let number = Int64(parts[1]) else {
            throw AnswerFailure.invalidParameter(
                message: "after must be the `next` of an earlier answer.",
                field: "after",
                allowed: []
            )
        }
        return (from, number)
    }

    /// - Parameter warnings: nil in a list, and for a key that may not read.
    fileprivate func json(warnings: [String]? = nil) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("number", Int(number))
            json.member(kind.rawValue, name)
            json.member("from", from.description)
            json.member("to", to.description)
            json.member("amount", amount.description)
            json.member("currency", currency)
            if let warnings { json.member("warnings", warnings) }
        }
        return json.text
    }
}
