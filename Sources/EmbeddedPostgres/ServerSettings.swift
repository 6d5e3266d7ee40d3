#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the private server is told.
struct ServerSettings {
    static let superuser = "tributary"
    static let database = "tributary"
    static let port = 5432

    /// `postgresql.conf` when the cluster is made; an operator may change it there. Durability stays as
    /// PostgreSQL has it: `fsync`, `full_page_writes` and `synchronous_commit` are on.
    ///
    /// - Parameter compressesByLZ4: pages in the log; else by PostgreSQL's own method, which takes several times as long.
    static func configuration(memoryMegabytes: Int, compressesByLZ4: Bool) -> String {
        """
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
        wal_compression = \(compressesByLZ4 ? "lz4" : "on")
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

    /// Only over the socket, and only those whom the operating system names as the right ones.
    static let hostBasedAuthentication = """
        # Tributary's private cluster: no network, no passwords; the operating system says who connects.
        local all all peer map=tributary

        """

    static func identityMap(_ accounts: [String]) -> String {
        accounts
            .map { "tributary \"\($0)\" \(superuser)\n" }
            .joined()
    }

    /// What must hold whatever the configuration says.
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

    static var memoryMegabytes: Int {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let size = sysconf(Int32(_SC_PAGESIZE))
        return pages > 0 && size > 0 ? pages / 1024 * size / 1024 : 1024
    }
}
