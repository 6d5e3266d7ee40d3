/// Keeps what things cost the apps. Its callers have checked the key.
package protocol CostSource: Sendable {
    /// The fields that a cost may be told by.
    var fields: [String] { get }

    /// A page of the app's costs, by their first day, as JSON.
    ///
    /// - Parameters:
    ///   - cursor: the `next` of the page before; nil: the first page.
    ///   - limit: how many at most.
    func costs(after cursor: String?, limit: Int, for principal: Principal) async throws(AnswerFailure) -> String

    /// Stores a cost, in the place of one of the same name and days.
    ///
    /// - Parameter fields: some of ``fields``, as the sender wrote them.
    /// - Returns: the cost as it is stored, as JSON.
    func store(_ fields: [String: String], for principal: Principal) async throws(AnswerFailure) -> String

    /// - Returns: whether the app had such a cost.
    func removeCost(_ number: Int64, for principal: Principal) async throws(AnswerFailure) -> Bool
}
