import ArgumentParser
import EmbeddedPostgres
import Foundation
import Postgres
import Settings
import Storage

/// Ends the daemon when it cannot run: one line on standard error and an exit status of sysexits.h
/// (docs/command-line.md, *Exit status*).
enum DaemonFailure {
    /// - Parameter command: the daemon's command, which writes the messages of the argument parser's own errors.
    static func exit(_ command: any ParsableCommand.Type, because error: any Error) -> Never {
        let status: Int32
        switch error {
        case is SettingsError: status = 64
        case MigrationError.notPermitted: status = 77
        case is EmbeddedPostgresError, is MigrationError, is DistributionError: status = 69
        case SpoolError.badFolder(let reason):
            report(
                "the spool cannot be used: \(reason); name another folder with spool.folder (TRIBUTARY_SPOOL_FOLDER)"
            )
            Foundation.exit(64)
        case SpoolError.ofAnotherDatabase(let path, let origin):
            report(
                "the spool \(path) holds events of another database, \(origin), and is kept for it; "
                    + "start the daemon again: it then uses another file"
            )
            Foundation.exit(69)
        case SpoolError.notPermitted: status = 77
        case is SpoolError: status = 74
        case let error as PostgresError where error.kind == .unsuitablePooler: status = 64
        case let error as PostgresError where error.isPermissionDenied || error.isAuthenticationFailure: status = 77
        case let error as PostgresError: status = error.isUnavailable || error.isMissingDatabase ? 69 : 70
        default:
            let code = command.exitCode(for: error)
            if code == .success {
                print(command.fullMessage(for: error))
            } else {
                report(command.message(for: error))
            }
            // The parser's own status for errors that it does not know means nothing to an operator.
            Foundation.exit(code == .failure ? 70 : code.rawValue)
        }
        report("\(error)")
        Foundation.exit(status)
    }

    private static func report(_ message: String) {
        FileHandle.standardError.write(Data("tributaryd: \(message.replacing("\n", with: " "))\n".utf8))
    }
}
