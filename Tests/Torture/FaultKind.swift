/// The faults of the daemons, of PostgreSQL and of the network.
enum FaultKind: String, CaseIterable {
    case daemonKilled = "daemon killed with -9"
    case daemonTerminated = "daemon ended by SIGTERM"
    case postgresKilled = "PostgreSQL killed with -9"
    case sessionKilled = "a PostgreSQL session killed with -9"
    case postgresRestarted = "PostgreSQL restarted, fast"
    case postgresCrashed = "PostgreSQL restarted, immediate"
    case postgresStopped = "PostgreSQL stopped for a while"
    case postgresFrozen = "PostgreSQL frozen (SIGSTOP)"
    case postgresReadOnly = "PostgreSQL made read-only"
    case diskFull = "PostgreSQL's disk filled"
    case sessionsTerminated = "sessions terminated"
    case senderConnectionsReset = "senders' connections reset"
    case senderConnectionsHalfOpen = "senders' connections half-open"
    case databaseConnectionsReset = "database connections reset"
    case databaseConnectionsHalfOpen = "database connections half-open"
    case databaseRefused = "database connections refused"
}
