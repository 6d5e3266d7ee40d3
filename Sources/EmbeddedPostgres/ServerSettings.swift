import Foundation

/// The configuration of the private server.
struct ServerSettings {
    static let superuser = "tributary"
    static let database = "tributary"
    static let port = 5432

    /// The content of `postgresql.conf` for a new cluster. An operator may change the file. Durability keeps
    /// PostgreSQL's defaults: `fsync`, `full_page_writes` and `synchronous_commit` are on.
    static func configuration() -> String {
        let memoryMegabytes = Int(ProcessInfo.processInfo.physicalMemory >> 20)
        return """
            # Tributary's private cluster.
            datestyle = 'iso, mdy'
            lc_messages = 'C'
            lc_monetary = 'C'
            lc_numeric = 'C'
            lc_time = 'C'
            default_text_search_config = 'pg_catalog.simple'
            max_connections = 60
            shared_buffers = \(min(1024, max(64, memoryMegabytes / 8)))MB
            effective_cache_size = \(max(128, memoryMegabytes / 2))MB
            work_mem = 16MB
            maintenance_work_mem = \(min(256, max(32, memoryMegabytes / 16)))MB
            random_page_cost = 1.1
            jit = off
            # No standby reads the log.
            wal_level = minimal
            max_wal_senders = 0
            max_wal_size = 2GB
            checkpoint_timeout = 15min
            # The log holds what concerns the server, not the statements of its clients nor their values.
            log_min_messages = log
            log_error_verbosity = terse
            log_min_error_statement = panic
            log_checkpoints = off
            log_timezone = 'UTC'
            timezone = 'UTC'

            """
    }

    /// The content of `pg_hba.conf`: connections only over the socket, and only of accounts in the identity map.
    static let hostBasedAuthentication = """
        # Tributary's private cluster: no network, no passwords; the operating system says who connects.
        local all all peer map=tributary

        """

    static func identityMap(_ accounts: [String]) -> String {
        accounts
            .map { "tributary \"\($0)\" \(superuser)\n" }
            .joined()
    }

    /// The server's arguments: settings that `postgresql.conf` cannot override.
    static func arguments(data: String, socketFolder: String) -> [String] {
        [
            "-D", data,
            "-c", "listen_addresses=",
            "-c", "port=\(port)",
            "-c", "unix_socket_directories=\(socketFolder)",
            "-c", "unix_socket_permissions=0777",  // the folder keeps others out
            "-c", "logging_collector=off",
            "-c", "log_destination=stderr",
            "-c", "cluster_name=tributary",
        ]
    }
}
