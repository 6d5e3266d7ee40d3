package import Answering
import InboundLinks
import Ingest
import Reporting
import Storage

extension FailureTable {
    /// Runs an operation on the database for a page, and translates its errors.
    package func onPage<Value>(_ operation: () async throws -> Value) async throws(DashboardFailure) -> Value {
        do {
            return try await operation()
        } catch {
            throw page(error)
        }
    }

    package func page(_ error: any Error) -> DashboardFailure {
        switch error {
        case UserStoreError.busy: return .overloaded(Self.sentence(error))
        case is UserStoreError, is ShareStoreError: return .invalid(Self.sentence(error))
        case is ReportError, is QuestionError: return .invalid(Redaction.redact("\(error)"))
        case AppStoreError.moved: return .invalid("The app has moved to another database; see the dashboard there.")
        case is AppStoreError: return .invalid("The app was deleted meanwhile.")
        case let failure as DashboardFailure: return failure
        default: break
        }
        return switch answer(error) {
        case .unavailable, .overloaded: .unavailable
        case .timedOut: .timedOut
        case .unknownReport, .unknownApp, .movedApp, .invalidParameter, .unknownEvent, .internalError: .internalError
        }
    }

    private static func sentence(_ error: any Error) -> String {
        let words = Redaction.redact("\(error)")
        return "\(words.prefix(1).uppercased())\(words.dropFirst())."
    }
}
