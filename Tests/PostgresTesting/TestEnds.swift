/// Where the two databases of a move are: each on one machine, or on a Citus cluster.
package struct TestEnds: Sendable, CustomStringConvertible {
    package var sourceIsOnCluster: Bool
    package var targetIsOnCluster: Bool

    /// Into a cluster and out of it, where tests run on one (`make check-citus`).
    package static let all =
        TestDatabases.usesCitus
        ? [
            TestEnds(sourceIsOnCluster: false, targetIsOnCluster: true),
            TestEnds(sourceIsOnCluster: true, targetIsOnCluster: false),
        ] : [TestEnds(sourceIsOnCluster: false, targetIsOnCluster: false)]

    package var description: String {
        "\(sourceIsOnCluster ? "cluster" : "machine") to \(targetIsOnCluster ? "cluster" : "machine")"
    }
}
