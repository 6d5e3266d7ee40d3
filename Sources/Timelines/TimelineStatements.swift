/// The statements of this module that a distributed database needs in other words, by their
/// originals.
package enum TimelineStatements {
    package static let distributed = TimelineSQL.citusVariants
}
