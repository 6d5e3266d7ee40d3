import Answering
import Dashboard
import Importing
import InboundLinks
import Storage

/// Costs and exchange rates, as people at a browser see and change them.
extension DashboardReports {
    private var costs: CostStore { CostStore(pool: pool) }
    private var rates: RateStore { RateStore(pool: pool) }

    func costs(of app: App) async throws(DashboardFailure) -> [Cost] {
        try await failures.onPage { try await costs.list(of: app) }
    }

    func addCost(_ fields: [String: String], of app: App) async throws(DashboardFailure) {
        let cost: Cost
        do throws(CostError) {
            cost = try Cost(ownCurrency: app.profile.currency) { fields[$0] }
        } catch {
            throw .invalid(Redaction.redact(error.message))
        }
        let outcome = try await failures.onPage { try await costs.store([cost], of: app, replaces: false) }
        switch outcome {
        case .stored: break
        case .tooMany: throw CostStore.tooMany
        case .exists(let known):
            throw .invalid(
                "There is a cost of this \(known.kind.rawValue) and these days already: \(known.amount) "
                    + "\(known.currency). Remove it first."
            )
        }
    }

    func removeCost(_ number: Int64, of app: App) async throws(DashboardFailure) {
        _ = try await failures.onPage { try await costs.remove(number, of: app) }
    }

    func importCosts(_ file: [UInt8], of app: App) async throws(DashboardFailure) -> MoneyImport {
        let read: [Cost]
        do throws(ImportError) {
            read = try CostFile.costs(in: file, currency: app.profile.currency, name: "the file")
        } catch {
            throw .invalid("\(error)")
        }
        let outcome = try await failures.onPage { try await costs.store(read, of: app, replaces: true) }
        guard case .stored(let changed) = outcome else { throw CostStore.tooMany }
        return MoneyImport(count: read.count, changed: changed)
    }

    func rates(of app: App) async throws(DashboardFailure) -> [RateStore.Span] {
        try await failures.onPage { try await rates.spans(of: app) }
    }

    func importRates(_ file: [UInt8], of app: App) async throws(DashboardFailure) -> MoneyImport {
        let read: [ExchangeRate]
        do throws(ImportError) {
            read = try RateFile.rates(in: file, to: app.profile.currency, name: "the file")
        } catch {
            throw .invalid("\(error)")
        }
        guard let changed = try await failures.onPage({ try await rates.store(read, of: app) }) else {
            throw .invalid("An app has at most \(RateStore.limit) rates. Leave out early days, or remove a currency.")
        }
        return MoneyImport(count: read.count, changed: changed)
    }

    func clearRates(_ currency: String?, of app: App) async throws(DashboardFailure) {
        _ = try await failures.onPage { try await rates.clear(currency, of: app) }
    }
}

extension CostStore {
    fileprivate static let tooMany = DashboardFailure.invalid(
        "An app has at most \(limit) costs. Remove old ones, or tell longer spans at once."
    )
}
