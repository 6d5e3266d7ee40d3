/// The statements of this module that a distributed database needs in other words (`sql/citus/timelines`), by their
/// originals.
package enum TimelineStatements {
    package static let distributed = TimelineSQL.citusVariants
}
