import Answering
import Dashboard
import Ingest
import Logging
import Postgres
import Reporting
import Storage
import Synchronization
import Testing

@testable import tributaryd

@Suite("Failures")
struct FailureTableTests {
    private static func server(_ sqlState: String) -> PostgresError {
        PostgresError(.server, "said by the server", sqlState: sqlState)
    }

    /// What HTTP and the dashboard say, and whether somebody must act.
    @Test(
        arguments: [
            (server("57P01"), AnswerFailure.unavailable(retryAfter: .seconds(2)), DashboardFailure.unavailable),
            (PostgresError(.connectionFailed, "refused"), .unavailable(retryAfter: .seconds(2)), .unavailable),
            (server("25006"), .unavailable(retryAfter: .seconds(2)), .unavailable),
            (ReportReader.Away(), .unavailable(retryAfter: .seconds(5)), .unavailable),
            (KeyRingError.tookTooLong, .unavailable(retryAfter: .seconds(2)), .unavailable),
            (CancellationError(), .unavailable(retryAfter: .seconds(2)), .unavailable),
            (server("55P03"), .timedOut, .timedOut), (server("40001"), .timedOut, .timedOut),
            (AppStoreError.unknown(id: "x", known: []), .unknownApp, .invalid("The app was deleted meanwhile.")),
            (
                AppStoreError.moved(id: "x"), .movedApp,
                .invalid("The app has moved to another database; see the dashboard there.")
            ),
            // A missing table, a missing right, a wrong password, a row of another type, a fault of the program.
            (server("42P01"), .internalError, .internalError), (server("42501"), .internalError, .internalError),
            (PostgresError(.connectionFailed, "no", sqlState: "28P01"), .internalError, .internalError),
            (PostgresError(.unexpectedResult, "null"), .internalError, .internalError),
            (Unforeseen(), .internalError, .internalError),
        ] as [(any Error & Sendable, AnswerFailure, DashboardFailure)]
    )
    func areNamedForWhatTheyAre(failure: any Error & Sendable, answer: AnswerFailure, page: DashboardFailure) async {
        let log = CollectedLog()
        let failures = FailureTable(logger: Logger(label: "test") { _ in log })
        do throws(AnswerFailure) {
            try await failures.translating { throw failure }
            Issue.record("not thrown")
        } catch {
            #expect(error == answer)
        }
        do throws(DashboardFailure) {
            try await failures.onPage { throw failure }
            Issue.record("not thrown")
        } catch {
            #expect(error == page)
        }
        // Both are of one kind, so they are one line.
        #expect(log.lines.count == (answer == .internalError ? 1 : 0))
    }

    private struct Unforeseen: Error {}

    @Test func areLoggedOnceAMinuteForEachKindWithTheRequest() async {
        let log = CollectedLog()
        let failures = FailureTable(logger: Logger(label: "test") { _ in log })
        await CurrentRequest.$id.withValue("abc") {
            for _ in 0..<3 {
                for error in [Self.server("42P01"), Self.server("42501")] {
                    _ = try? await failures.translating { throw error }
                }
            }
        }
        #expect(log.lines.count == 2)
        #expect(log.lines.allSatisfy { $0.hasPrefix("error a request failed") && $0.contains("abc") })
    }

    /// A worker that tries again every five seconds, for 200 s, while the reason changes with each try.
    @Test func ofWorkersAreLoggedOnceAMinute() {
        let log = CollectedLog()
        let time = Mutex(ContinuousClock.now)
        let complaints = Complaints("packing failed", Logger(label: "test") { _ in log }) { time.withLock { $0 } }
        for turn in 0..<40 {
            complaints.record("reason \(turn)")
            complaints.record(turn % 2 == 0 ? nil : "another reason")
            complaints.record(Complaints.reason(of: PostgresError(.connectionLost, "gone")))
            time.withLock { $0 += .seconds(5) }
        }
        #expect(log.lines.count == 4)
    }

    @Test func ofWorkersAreSaidOnceWhileTheyLast() {
        let log = CollectedLog()
        let time = Mutex(ContinuousClock.now)
        let complaints = Complaints("packing failed", Logger(label: "test") { _ in log }) { time.withLock { $0 } }
        for turn in 0..<40 {
            complaints.record(turn < 30 ? "no right" : nil, ["app": "a"])
            complaints.record("no right", ["app": "b"])
            time.withLock { $0 += .seconds(60) }
        }
        #expect(log.lines.count == 2)
    }
}
