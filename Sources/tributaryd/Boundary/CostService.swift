import Events
import InboundLinks
import Ingest
import JSONReading
import Postgres
import Storage
import Time

/// Keeps costs in the database, for HTTP.
struct CostService: CostSource {
    let pool: PostgresPool
    let failures: FailureTable

    private func app(of principal: Principal) async throws -> App {
        try await AppStore(pool: pool).app(id: principal.appID)
    }

    func costs(for principal: Principal) async throws(AnswerFailure) -> String {
        try await failures.translating {
            let costs = try await CostStore(pool: pool).list(of: app(of: principal))
            var json = JSONWriter()
            json.object { json in
                json.key("costs")
                json.array { json in
                    for cost in costs { json.raw(cost.json) }
                }
            }
            return json.text
        }
    }

    func store(_ fields: [String: String], for principal: Principal) async throws(AnswerFailure) -> String {
        try await failures.translating {
            let app = try await self.app(of: principal)
            var names: [Cost.Kind: String] = [:]
            for kind in Cost.Kind.allCases { names[kind] = fields[kind.rawValue] }
            let cost: Cost
            do throws(CostError) {
                cost = try Cost(
                    names: names,
                    from: fields["from"] ?? "",
                    to: fields["to"],
                    amount: fields["amount"] ?? "",
                    currency: fields["currency"],
                    ownCurrency: app.profile.currency
                )
            } catch {
                throw AnswerFailure.invalidParameter(
                    message: Redaction.redact(error.message),
                    field: error.field,
                    allowed: []
                )
            }
            let store = CostStore(pool: pool)
            let outcome = try await principal.acting { try await store.store([cost], of: app, replaces: true) }
            guard case .stored = outcome else {
                throw AnswerFailure.invalidParameter(
                    message: "an app has at most \(CostStore.limit) costs; remove old ones",
                    field: nil,
                    allowed: []
                )
            }
            return try await store.list(of: app).first { $0.hasPlace(of: cost) }?.json ?? cost.json
        }
    }

    func removeCost(_ number: Int64, for principal: Principal) async throws(AnswerFailure) -> Bool {
        try await failures.translating {
            let app = try await self.app(of: principal)
            return try await principal.acting { try await CostStore(pool: pool).remove(number, of: app) } != nil
        }
    }
}

extension Cost {
    fileprivate var json: String {
        var json = JSONWriter()
        json.object { json in
            json.member("number", Int(number))
            json.member(kind.rawValue, name)
            json.member("from", from.description)
            json.member("to", to.description)
            json.member("amount", amount.description)
            json.member("currency", currency)
        }
        return json.text
    }
}
