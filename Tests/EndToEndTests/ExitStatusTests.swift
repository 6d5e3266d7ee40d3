import ArgumentParser
import Foundation
import Postgres
import Storage
import Testing

@testable import tributary

/// docs/command-line.md, *Exit status*.
@Suite("Exit statuses")
struct ExitStatusTests {
    private struct Surprise: Error, CustomStringConvertible { var description: String { "a surprise" } }

    private func failure(_ error: any Error) -> CommandFailure? { CommandFailure(error, of: TributaryCommand.self) }

    /// The argument parser would end with 1, without a word of its own.
    @Test func anErrorThatNobodyExpectedIsInternal() {
        let errors: [any Error] = [
            Surprise(), CancellationError(), POSIXError(.ECONNRESET),
            DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "x")),
            DaemonClient.Failure.noAnswer(within: .seconds(1)),
        ]
        for error in errors {
            #expect(failure(error)?.status == .internalError, "\(error)")
            #expect(failure(error)?.message.isEmpty == false, "\(error)")
        }
    }

    @Test func theParsersOwnErrorsStayItsOwn() {
        for error in [ExitCode(65), ExitCode.validationFailure, ExitCode.success] { #expect(failure(error) == nil) }
        #expect(failure(ValidationError("x")) == nil)
        #expect(failure(CleanExit.helpRequest()) == nil)
    }

    @Test func errorsOfTheDatabaseSayWhatToDo() {
        let denied = failure(PostgresError(.server, "permission denied for table app", sqlState: "42501"))
        #expect(denied?.status == .notPermitted)
        #expect(denied?.message.contains("owner of the tables") == true)
        #expect(failure(PostgresError(.unsuitablePooler, "x"))?.status == .usage)
        #expect(failure(CommandFailure.readOnly(.role("tributary_reader")))?.status == .notPermitted)
        #expect(failure(CommandFailure.readOnly(.standby))?.status == .databaseUnavailable)
    }
}
