/// The faults of the daemons, of PostgreSQL and of the network.
enum FaultKind: String, CaseIterable {
    case daemonKilled = "daemon killed with -9"
    case daemonTerminated = "daemon ended by SIGTERM"
    case daemonFrozen = "daemon frozen (SIGSTOP)"
    case daemonGone = "daemon gone, another delivers its spool"
    case spoolDiskFull = "the spools' disk filled"
    case spoolDamaged = "a spool's file damaged"
    case postgresKilled = "PostgreSQL killed with -9"
    case sessionKilled = "a PostgreSQL session killed with -9"
    case postgresRestarted = "PostgreSQL restarted, fast"
    case postgresCrashed = "PostgreSQL restarted, immediate"
    case postgresStopped = "PostgreSQL stopped for a while"
    case postgresFrozen = "PostgreSQL frozen (SIGSTOP)"
    case postgresReadOnly = "PostgreSQL made read-only"
    case diskFull = "PostgreSQL's disk filled"
    case tableLocked = "a table locked"
    case keysRenewed = "idempotency keys renewed"
    case connectionsExhausted = "PostgreSQL's connections taken by others"
    case commitsLost = "a standby promoted that lacks the last commits"
    case sessionsTerminated = "sessions terminated"
    case senderConnectionsReset = "senders' connections reset"
    case senderConnectionsHalfOpen = "senders' connections half-open"
    case databaseConnectionsReset = "database connections reset"
    case databaseConnectionsHalfOpen = "database connections half-open"
    case databaseRefused = "database connections refused"
    case workerKilled = "a worker killed with -9"
    case workerStopped = "a worker stopped for a while"
    case workerFrozen = "a worker frozen (SIGSTOP)"
    case partMoved = "a part moved to the other worker"
    case partMoveBroken = "a server killed while a part moves"

    /// Those that need a Citus cluster.
    static let ofWorkers: Set<FaultKind> = [
        .workerKilled, .workerStopped, .workerFrozen, .partMoved, .partMoveBroken,
    ]
    /// Those that a short torture of a cluster begins with.
    static let firstOnCluster = ofWorkers.union([.postgresKilled, .daemonKilled])
}
