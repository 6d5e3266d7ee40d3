import Answering
import Events
import Importing
import Ingest
import JSONReading
import Postgres
import Storage
import Time

/// Keeps rates in the database, for HTTP.
struct RateService: RateSource {
    let pool: PostgresPool
    let failures: FailureTable

    private var store: RateStore { RateStore(pool: pool) }

    func rates(for principal: Principal) async throws(AnswerFailure) -> String {
        try await failures.translating {
            let spans = try await store.spans(of: principal.app(on: pool))
            var json = JSONWriter()
            json.object { json in
                json.key("currencies")
                json.array { json in
                    for span in spans {
                        json.object { json in
                            json.member("currency", span.last.currency)
                            json.member("rates", span.count)
                            json.member("first_day", span.first.description)
                            json.member("last_day", span.last.day.description)
                            json.member("last_rate", span.last.text)
                        }
                    }
                }
            }
            return json.text
        }
    }

    func rates(
        of currency: String,
        after day: String?,
        limit: Int,
        for principal: Principal
    ) async throws(AnswerFailure) -> String {
        try await failures.translating {
            let currency = try Self.code(currency)
            let last = try day.map { text in
                guard let day = CivilDate(text) else {
                    throw AnswerFailure.invalidParameter(
                        message: "after must be the `next` of an earlier answer.",
                        field: "after",
                        allowed: []
                    )
                }
                return day
            }
            let app = try await principal.app(on: pool)
            let page = try await ListPage.read(limit) { count in
                try await store.rates(of: currency, after: last, limit: count, of: app)
            }
            return page.json("rates", next: \.day.description) { rate, json in
                json.object { json in
                    json.member("date", rate.day.description)
                    json.member("currency", rate.currency)
                    json.member("rate", rate.text)
                }
            }
        }
    }

    func store(_ file: [UInt8], for principal: Principal) async throws(AnswerFailure) -> String {
        try await failures.translating {
            let app = try await principal.app(on: pool)
            let rates: [ExchangeRate]
            do throws(ImportError) {
                rates = try RateFile.rates(in: file, to: app.profile.currency, name: "the body")
            } catch {
                throw AnswerFailure.invalidParameter(message: "\(error)", field: nil, allowed: [])
            }
            guard let changed = try await store.store(rates, of: app) else {
                throw AnswerFailure.invalidParameter(
                    message: "an app has at most \(RateStore.limit) rates; leave out early days, or remove a currency",
                    field: nil,
                    allowed: []
                )
            }
            var json = JSONWriter()
            json.object { json in
                json.member("rates", rates.count)
                json.member("changed", changed)
            }
            return json.text
        }
    }

    func clearRates(of currency: String?, for principal: Principal) async throws(AnswerFailure) -> String {
        try await failures.translating {
            let code = try currency.map(Self.code)
            let removed = try await store.clear(code, of: principal.app(on: pool))
            var json = JSONWriter()
            json.object { json in json.member("removed", removed) }
            return json.text
        }
    }

    private static func code(_ text: String) throws -> String {
        guard let code = CurrencyCode.normalised(text) else {
            throw AnswerFailure.invalidParameter(
                message: "currency must be an ISO 4217 code, such as EUR.",
                field: "currency",
                allowed: []
            )
        }
        return code
    }
}
