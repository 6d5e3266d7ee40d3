/// Keeps what other currencies are worth in those of the apps. Its callers have checked the key.
package protocol RateSource: Sendable {
    /// The currencies that the app has rates of, as JSON.
    func rates(for principal: Principal) async throws(AnswerFailure) -> String

    /// A page of the rates of a currency, by day, as JSON.
    ///
    /// - Parameters:
    ///   - currency: as the sender wrote it.
    ///   - day: the last day of the page before; nil: the first page.
    ///   - limit: how many at most.
    func rates(
        of currency: String,
        after day: String?,
        limit: Int,
        for principal: Principal
    ) async throws(AnswerFailure) -> String

    /// Stores the rates of a CSV file in place of those of the same currencies and days.
    ///
    /// - Returns: what became of the file, as JSON.
    func store(_ file: [UInt8], for principal: Principal) async throws(AnswerFailure) -> String

    /// Removes the rates of a currency, or all.
    ///
    /// - Parameter currency: as the sender wrote it.
    /// - Returns: how many there were, as JSON.
    func clearRates(of currency: String?, for principal: Principal) async throws(AnswerFailure) -> String
}
