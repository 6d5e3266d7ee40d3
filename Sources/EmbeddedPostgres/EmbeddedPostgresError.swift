/// Why the private cluster cannot be used. Every description says what to do.
package enum EmbeddedPostgresError: Error, Sendable, Equatable {
    /// The searched folders contain no server programs.
    case notInstalled(searched: [String])
    /// The data belongs to a major version that is not installed.
    case versionMissing(needed: Int, installed: [Int], data: String)
    /// All installed versions are older than the oldest supported one.
    case tooOld(installed: [Int], oldest: Int)
    /// The home folder cannot be used.
    case folderUnusable(path: String, reason: String)
    /// PostgreSQL refuses to run as root, and there is no other account, or no program to switch to it.
    case accountUnavailable(reason: String)
    /// Another process holds the cluster's lock for too long.
    case locked(path: String)
    /// The cluster could not be created.
    ///
    /// - Parameter output: what the failed program printed.
    case initialisationFailed(output: String)
    /// - Parameter log: the end of the server's log.
    case startFailed(reason: String, log: String)
    case stopFailed(process: Int32)
    /// The task that waited for the cluster was cancelled.
    case abandoned
}

extension EmbeddedPostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notInstalled(let searched):
            """
            PostgreSQL's server programs (initdb, postgres) were not found. Install them (\(InstallHint.current)), or \
            name a database with --database URL. Searched: \(searched.joined(separator: ", "))
            """
        case .versionMissing(let needed, let installed, let data):
            """
            the private cluster in \(data) was made by PostgreSQL \(needed), which is not installed any more (installed: \
            \(installed.map(String.init).joined(separator: ", "))). Its data is safe. Install PostgreSQL \(needed) again \
            beside the new version (\(InstallHint.current(version: needed))): the cluster then starts again. To move the \
            data to the new version, see "A new major version of PostgreSQL" in docs/operations.md
            """
        case .tooOld(let installed, let oldest):
            """
            PostgreSQL \(installed.map(String.init).joined(separator: ", ")) is too old; install version \(oldest) or \
            later (\(InstallHint.current))
            """
        case .folderUnusable(let path, let reason):
            "\(path) cannot hold the private PostgreSQL cluster: \(reason). Set TRIBUTARY_HOME to another folder"
        case .accountUnavailable(let reason):
            """
            PostgreSQL does not run as root, and \(reason). Run as an ordinary user, or name a database with --database URL
            """
        case .locked(let path):
            """
            another process has held the lock \(path) for too long. It may be stuck while it starts PostgreSQL: end it \
            and try again
            """
        case .initialisationFailed(let output):
            "the private PostgreSQL cluster could not be made: \(output)"
        case .startFailed(let reason, let log):
            "the private PostgreSQL cluster did not start: \(reason)" + (log.isEmpty ? "" : ". Its log ends:\n\(log)")
        case .stopFailed(let process):
            "the private PostgreSQL server (process \(process)) did not stop in time. Try again, or end the process"
        case .abandoned:
            "this program is stopping and no longer waits for the private PostgreSQL cluster"
        }
    }
}
