import InboundLinks
package import Ingest
package import Logging
import Postgres
import Reporting
import Storage

/// What an error means to somebody who waits for an answer: over HTTP, at the dashboard, and while a key is looked up.
///
/// What is not named here is the program's fault or the operator's: it is logged, and nobody is told that the database
/// is unavailable.
package struct FailureTable: Sendable {
    private let log: RareLog

    package init(logger: Logger) {
        log = RareLog("a request failed", counting: "requests", logger: logger)
    }

    /// Runs an operation on the database, and translates its errors.
    package func translating<Value>(_ operation: () async throws -> Value) async throws(AnswerFailure) -> Value {
        do {
            return try await operation()
        } catch {
            throw answer(error)
        }
    }

    package func answer(_ error: any Error) -> AnswerFailure {
        switch error {
        case let failure as AnswerFailure: return failure
        case ReportError.usage(let message, let field, let allowed):
            return .invalidParameter(
                message: Redaction.redact(message.text(for: .http)),
                field: Redaction.redact(field),
                allowed: allowed
            )
        case AppStoreError.moved: return .movedApp
        // The app was deleted after its key was looked up.
        case is AppStoreError: return .unknownApp
        case is ReportPlaces.Full: return .overloaded(retryAfter: .seconds(1))
        case is ReportReader.Away: return .unavailable(retryAfter: .seconds(5))
        // A standby ends a query that its replay has waited for: the query took too long.
        case let error as PostgresError where error.isStatementTimeout || error.isRetryable: return .timedOut
        case _ where Self.isAway(error): return .unavailable(retryAfter: .seconds(2))
        default:
            let kind = (error as? PostgresError)?.sqlState ?? "\(type(of: error))"
            log.record(
                Redaction.redact("\(error)"),
                kind: kind,
                CurrentRequest.id.map { ["hb.request.id": "\($0)"] } ?? [:]
            )
            return .internalError
        }
    }

    package func sink(_ error: any Error) -> SinkError {
        switch answer(error) {
        case .unavailable(let pause), .overloaded(let pause): .unavailable(retryAfter: pause)
        case .timedOut: .timedOut
        case .unknownReport, .unknownApp, .movedApp, .invalidParameter, .unknownEvent, .internalError: .internalError
        }
    }

    /// Whether the database cannot be reached, or the daemon stops.
    private static func isAway(_ error: any Error) -> Bool {
        switch error {
        case let error as PostgresError:
            error.isUnavailable || error.kind == .closed || error.kind == .cancelled || error.isCancelled
        case is CancellationError, is KeyRingError: true
        default: false
        }
    }
}
