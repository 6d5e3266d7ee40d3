/// How far a deletion, a search or a clean-up has come.
package struct DeletionProgress: Sendable {
    /// What is being done, for people.
    package var stage: String
    /// Of ``total``, in units of the stage's own.
    package var done: Int
    package var total: Int

    package init(_ stage: String, done: Int = 0, total: Int = 0) {
        self.stage = stage
        self.done = done
        self.total = total
    }

    /// Told often; must return soon.
    package typealias Handler = @Sendable (DeletionProgress) -> Void
}
