package import Storage

/// What the dashboard asks the database for about costs and exchange rates (docs/money.md).
package protocol MoneySource: Sendable {
    /// The costs of an app, by their first day.
    func costs(of app: App) async throws(DashboardFailure) -> [Cost]

    /// Stores a cost.
    ///
    /// - Parameter fields: some of `Cost.fields`, as a person wrote them.
    /// - Throws: `DashboardFailure.invalid` for a field that is refused, and for a cost of a name and days that have
    ///   one.
    func addCost(_ fields: [String: String], of app: App) async throws(DashboardFailure)

    /// Does nothing if there is no such cost.
    func removeCost(_ number: Int64, of app: App) async throws(DashboardFailure)

    /// Stores the costs of a CSV file, in place of those of the same names and days.
    ///
    /// - Throws: `DashboardFailure.invalid` for a file that is refused: nothing is stored.
    func importCosts(_ file: [UInt8], of app: App) async throws(DashboardFailure) -> MoneyImport

    /// What the app has of each currency.
    func rates(of app: App) async throws(DashboardFailure) -> [RateStore.Span]

    /// The same as ``importCosts(_:of:)`` for rates.
    func importRates(_ file: [UInt8], of app: App) async throws(DashboardFailure) -> MoneyImport

    /// - Parameter currency: nil: all.
    func clearRates(_ currency: String?, of app: App) async throws(DashboardFailure)
}

/// What became of a file with costs or rates.
package struct MoneyImport: Equatable, Sendable {
    /// How many costs or rates it has.
    package var count: Int
    /// How many of them are new, or were other.
    package var changed: Int

    package init(count: Int, changed: Int) {
        self.count = count
        self.changed = changed
    }
}
