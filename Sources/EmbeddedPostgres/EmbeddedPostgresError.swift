/// Why there is no private cluster. Every description says what to do.
package enum EmbeddedPostgresError: Error, Sendable, Equatable {
    /// No server binaries were found in the folders named.
    case notInstalled(searched: [String])
    /// The data was written by a major version that is not installed.
    case versionMissing(needed: Int, installed: [Int], data: String)
    /// Only versions before the oldest that is supported are installed.
    case tooOld(installed: [Int], oldest: Int)
    /// The home folder cannot be used.
    case folderUnusable(path: String, reason: String)
    /// PostgreSQL refuses to run as root, and there is no account or no program to change to it.
    case accountUnavailable(reason: String)
    /// Another process has been starting or stopping the cluster for too long.
    case locked(path: String)
    case initialisationFailed(output: String)
    /// - Parameter log: the end of the server's log.
    case startFailed(reason: String, log: String)
    case stopFailed(process: Int32)
}

extension EmbeddedPostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notInstalled(let searched):
            """
            PostgreSQL's server programs (initdb, postgres) were not found. Install them (\(InstallHint.current)), or name \
            a database with --database URL. Looked in: \(searched.joined(separator: ", "))
            """
        case .versionMissing(let needed, let installed, let data):
            """
            the private cluster in \(data) needs PostgreSQL \(needed), but only \
            \(installed.map(String.init).joined(separator: ", ")) is installed. Install version \(needed), or move the \
            data with pg_upgrade
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
            "another process has held \(path) for too long; is it stuck while it starts PostgreSQL?"
        case .initialisationFailed(let output):
            "the private PostgreSQL cluster could not be made: \(output)"
        case .startFailed(let reason, let log):
            "the private PostgreSQL cluster did not start: \(reason)" + (log.isEmpty ? "" : ". Its log ends:\n\(log)")
        case .stopFailed(let process):
            "the private PostgreSQL server (process \(process)) did not stop in time"
        }
    }
}
