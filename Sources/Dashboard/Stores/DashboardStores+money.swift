import Answering
import Importing
import InboundLinks
import Storage

/// What became of a file with costs or rates.
struct MoneyImport: Equatable {
    /// How many costs or rates it has.
    var count: Int
    /// How many of them are new, or were other.
    var changed: Int
}

/// Costs and exchange rates, as people at a browser change them (docs/money.md).
extension DashboardStores {
    /// Stores a cost.
    ///
    /// - Parameter fields: some of `Cost.fields`, as a person wrote them.
    /// - Throws: `DashboardFailure.invalid` for a field that is refused, and for a cost of a name and days that have
    ///   one.
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

    /// Stores the costs of a CSV file, in place of those of the same names and days.
    ///
    /// - Throws: `DashboardFailure.invalid` for a file that is refused: nothing is stored.
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

    /// The same as ``importCosts(_:of:)`` for rates.
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
}

extension CostStore {
    fileprivate static let tooMany = DashboardFailure.invalid(
        "An app has at most \(limit) costs. Remove old ones, or tell longer spans at once."
    )
}
