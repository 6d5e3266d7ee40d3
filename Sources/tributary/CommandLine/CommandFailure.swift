import ArgumentParser
import EmbeddedPostgres
import Foundation
import Importing
import InboundLinks
import Postgres
import Redirects
import Reporting
import Settings
import Storage
import Timelines
import Webhooks

/// Why a command ends without its result: one line on standard error and an exit status of sysexits.h
/// (docs/command-line.md, *Exit status*).
struct CommandFailure: Error {
    enum Status: Int32 {
        case usage = 64
        case badData = 65
        case databaseUnavailable = 69
        case internalError = 70
        case notPermitted = 77
    }

    var status: Status
    var message: String

    /// A standby was named for a command that writes.
    static let needsPrimary = readOnly(.standby)

    /// A command writes where only reading is possible.
    static func readOnly(_ reason: ReadOnlyReason) -> CommandFailure {
        switch reason {
        case .standby:
            CommandFailure(
                .databaseUnavailable,
                "this command writes, and \(reason): name the primary with --database"
            )
        case .role:
            CommandFailure(.notPermitted, "this command writes, and \(reason): name another role with --database")
        case .server: CommandFailure(.databaseUnavailable, "this command writes, and \(reason)")
        }
    }

    init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Ends the process with the message and the exit status of an error.
    ///
    /// - Parameters:
    ///   - command: the root command, which writes the messages of the argument parser's own errors.
    ///   - arguments: those of the process.
    static func exit(
        _ command: any ParsableCommand.Type,
        with arguments: [String],
        because error: any Error
    ) -> Never {
        if let failure = CommandFailure(error, of: command) {
            // Messages repeat arguments, which may hold secrets, and they end up in logs.
            // A line break, as in the name of a file, would begin a message of its own.
            StandardError.write("tributary: \(Redaction.redact(failure.message).replacing("\n", with: " "))")
            Foundation.exit(failure.status.rawValue)
        }
        let code = command.exitCode(for: error)
        if code == .success {
            // The argument parser throws the texts of --help and --version too.
            print(command.fullMessage(for: error))
        } else if !(error is ExitCode) {
            var reason = command.message(for: error).replacing("\n", with: " ")
            if reason.hasSuffix(".") { reason.removeLast() }
            let help = Suggestion.command(of: arguments, in: command)
            let see = reason.hasSuffix("?") ? " See" : "; see"
            StandardError.write("tributary: \(Redaction.redact(reason))\(see) '\(help) --help'")
        }
        do {
            try StandardOutput.flush()
        } catch let failure as CommandFailure {
            StandardError.write("tributary: \(failure.message)")
            Foundation.exit(failure.status.rawValue)
        } catch {
        }
        Foundation.exit(code.rawValue)
    }

    private static func message(_ error: QuestionError) -> String {
        if case .exists = error { "\(error); --replace replaces it" } else { "\(error)" }
    }

    /// Nil for errors of the argument parser, and for those that only carry an exit status.
    init?(_ error: any Error, of command: any ParsableCommand.Type) {
        if let known = CommandFailure(known: error) {
            self = known
        } else if !(error is ExitCode), command.exitCode(for: error) == .failure {
            // The parser would end with 1, which means nothing to the caller.
            self.init(.internalError, "\(error)")
        } else {
            return nil
        }
    }

    private init?(known error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as ReportError: self.init(.usage, error.description(for: .commandLine))
        case let error as QuestionError: self.init(.usage, Self.message(error))
        case let error as WebhookError: self.init(.usage, "\(error)")
        case let error as SettingsError: self.init(.usage, error.message)
        case let error as EmbeddedPostgresError: self.init(.databaseUnavailable, "\(error)")
        case MigrationError.notPermitted: self.init(.notPermitted, "\(error)")
        case let error as MigrationError: self.init(.databaseUnavailable, "\(error)")
        case DistributionError.notOwner: self.init(.notPermitted, "\(error)")
        case let error as DistributionError: self.init(.databaseUnavailable, "\(error)")
        case let error as PostgresError where error.kind == .unsuitablePooler: self.init(.usage, "\(error)")
        case AppMoveError.isRunning, AppMoveError.isRereading: self.init(.databaseUnavailable, "\(error)")
        case let error as AppMoveError: self.init(.usage, "\(error)")
        case let error as PostgresError where error.isOfMovingApp: self.init(.databaseUnavailable, error.message)
        case let error as PostgresError where error.isReadOnly: self = .needsPrimary
        case let error as PostgresError where error.isRecoveryConflict:
            self.init(
                .databaseUnavailable,
                "the standby ended this reading, because its replay had waited long enough for it: run the command again, "
                    + "or raise max_standby_streaming_delay or set hot_standby_feedback there"
            )
        case let error as PostgresError where error.isPermissionDenied:
            self.init(
                .notPermitted,
                "\(error): this role may not do that; name the owner of the tables (tributary_owner) with --database"
            )
        case let error as PostgresError where error.isAuthenticationFailure: self.init(.notPermitted, "\(error)")
        case let error as PostgresError where error.isUnavailable || error.isMissingDatabase:
            self.init(.databaseUnavailable, "\(error)")
        case let error as PostgresError: self.init(.internalError, "\(error)")
        case ImportError.unusableMapping(let message): self.init(.usage, message)
        case ImportError.unusableInput(let message): self.init(.badData, message)
        case let error as ReadingRulesError: self.init(.badData, "\(error)")
        case let error as PageWordsError: self.init(.badData, "\(error)")
        case let error as EventWriterError where error.isUnavailable: self.init(.databaseUnavailable, "\(error)")
        case let error as EventWriterError: self.init(.internalError, "\(error)")
        case AppStoreError.exists(let id): self.init(.usage, "the app '\(id)' already exists")
        case AppStoreError.forgotten(let id):
            self.init(
                .usage,
                "workers have an app '\(id)' that the coordinator has forgotten; docs/scaling.md says how to remove it"
            )
        case AppStoreError.hostTaken(let host, let id):
            self.init(
                .usage,
                "the host '\(host)' belongs to the app '\(id)', or there are links of that app on it: choose another"
            )
        case AppStoreError.unknown(let id, let known):
            self.init(.usage, "there is no app '\(id)'" + Suggestion.sentence(for: id, among: known))
        case AppStoreError.moved(let id):
            self.init(.usage, "the app '\(id)' has moved to another database: name that one with --database")
        case AppStoreError.unnamed(known: []):
            self.init(.usage, "there is no app yet; 'tributary app create --id ID --name NAME' creates one")
        case AppStoreError.unnamed(let known):
            self.init(.usage, "--app is required, because there are several apps: \(known.joined(separator: ", "))")
        case let error as UserStoreError: self.init(.usage, "\(error)")
        case let error as ShareStoreError: self.init(.usage, "\(error)")
        case SpoolError.notPermitted(let path):
            self.init(
                .notPermitted,
                "the spool '\(path)' belongs to another user: run this command as the daemon's user or as root"
            )
        case SpoolError.unusable(let reason), SpoolError.badFolder(let reason):
            self.init(.badData, "the spool cannot be used: \(reason)")
        case let error as RetentionError: self.init(.databaseUnavailable, "\(error)")
        case let error as RewriteError: self.init(.databaseUnavailable, "\(error)")
        case TimelineError.overtaken: self.init(.databaseUnavailable, "\(TimelineError.overtaken)")
        case let error as CocoaError: self.init(.badData, error.localizedDescription)
        default: return nil
        }
    }
}
