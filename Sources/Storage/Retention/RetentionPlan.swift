package import Time

/// What retention would remove.
package struct RetentionPlan: Equatable, Sendable {
    /// Events before it go; nil: none does.
    package var before: Timestamp?
    /// Partitions that go as a whole, oldest first.
    package var months: [String]
    /// Rows by table. Links of people who have no events left come to it, and post ids.
    package var counts: DeletionCounts
}
