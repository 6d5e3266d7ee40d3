/// How far a deletion, a search or a clean-up has come.
package struct DeletionProgress: Sendable {
    /// The current step, as a text for people.
    package var stage: String
    /// The done part of ``total``. The unit depends on the stage.
    package var done: Int
    package var total: Int

    package init(_ stage: String, done: Int = 0, total: Int = 0) {
        self.stage = stage
        self.done = done
        self.total = total
    }

    /// Called often; must return quickly.
    package typealias Handler = @Sendable (DeletionProgress) -> Void
}
