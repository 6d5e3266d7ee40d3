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

extension Cluster {
    /// Gives an app, with all of its part, to the other of two workers. Citus refuses that while the table of a month
    /// is made, and while it cleans up after a move that has failed.
    ///
    /// - Returns: why not; nil if it was moved.
    func movePart(ofApp app: Int) async -> String? {
        for _ in 1..<15 {
            if await tryMove(ofApp: app) == nil { return nil }
            try? await Task.sleep(for: .seconds(2))
        }
        return await tryMove(ofApp: app)
    }

    private func tryMove(ofApp app: Int) async -> String? {
        do {
            let number = try await query("select app_number from app where app_id = 'app\(app)'") ?? 0
            try await query(
                """
                select citus_move_shard_placement(
                    shardid, source.nodename, source.nodeport, target.nodename, target.nodeport, 'auto'
                )
                from pg_dist_placement
                join pg_dist_node as source using (groupid)
                join pg_dist_node as target on target.groupid not in (0, source.groupid)
                where shardid = get_shard_id_for_distribution_column('event_key', \(number)::integer)
                """,
                timeout: .seconds(180)
            )
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Waits until no commit is in doubt: until then, its rows cannot be seen.
    func waitForCommits() async throws {
        for _ in 0..<300 {
            if try await query("select count(*) from pg_prepared_xacts") == 0 { return }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw TortureFailure("commits are in doubt after a minute: \(folder)")
    }
}
