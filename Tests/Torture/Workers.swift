/// The workers of a Citus cluster. The coordinator is the ``Cluster`` that the daemons use.
struct Workers: Sendable {
    let all: [Cluster]

    static let settings = [
        "shared_preload_libraries=citus", "wal_level=logical", "max_prepared_transactions=200",
        "max_worker_processes=32", "max_connections=300", "citus.node_conninfo=sslmode=disable", "citus.shard_count=8",
        // A commit that a crash leaves in doubt keeps its events' ids locked until it is mended.
        "citus.recover_2pc_interval=5s", "citus.node_connection_timeout=5s",
    ]

    /// Makes workers, and a cluster of them.
    init(_ count: Int, of coordinator: Cluster, folder: String, diskMebibytes: Int, reaper: Reaper) async throws {
        all = try (1...count).map { number in
            try Cluster(
                folder: "\(folder)/worker-\(number)",
                diskMebibytes: diskMebibytes,
                citus: true,
                reaper: reaper
            )
        }
        for worker in all {
            try await worker.start()
            try await worker.query("create extension citus")
        }
        try await coordinator.query("create extension citus")
        try await coordinator.query("select citus_set_coordinator_host('\(coordinator.folder)/socket', 5432)")
        for worker in all { try await coordinator.query("select citus_add_node('\(worker.folder)/socket', 5432)") }
    }
}
