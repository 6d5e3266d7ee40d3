package import Time

/// What retention would remove.
package struct RetentionPlan: Equatable, Sendable {
    /// Events before this time go; nil: none goes.
    package var before: Timestamp?
    /// Partitions that are dropped whole, the oldest first.
    package var months: [String]
    /// Rows to delete by table. Post ids, and links of people who have no events left, are not counted.
    package var counts: DeletionCounts
}
