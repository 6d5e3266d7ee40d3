/// Keeps what things cost the apps. Its callers have checked the key.
package protocol CostSource: Sendable {
    /// The app's costs, as JSON.
    func costs(for principal: Principal) async throws(AnswerFailure) -> String

    /// Stores a cost, in the place of one of the same name and days.
    ///
    /// - Parameter fields: as the sender wrote them: `ref`, `channel` or `link`, `from`, `to`, `amount`, `currency`.
    /// - Returns: the cost as it is stored, as JSON.
    func store(_ fields: [String: String], for principal: Principal) async throws(AnswerFailure) -> String

    /// - Returns: whether the app had such a cost.
    func removeCost(_ number: Int64, for principal: Principal) async throws(AnswerFailure) -> Bool
}
