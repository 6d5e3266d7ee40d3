package import Answering
package import Postgres
import Reporting
import Storage
import Time

/// What the dashboard keeps in the database, and reads from it.
package struct DashboardStores: Sendable {
    /// On the database that takes writes: for users and sessions.
    let accounts: PostgresPool
    let users: UserStore
    /// On the same database, for the rest.
    let pool: PostgresPool
    let reader: ReportReader
    /// The setting `webhook.allow.private`.
    let allowsPrivate: Bool
    let failures: FailureTable

    var sessions: SessionStore { SessionStore(pool: accounts) }
    var changes: ChangeLog { ChangeLog(pool: pool) }
    /// Not on the pool of answers, so that no search in many links delays what apps wait for.
    var links: LinkStore { LinkStore(pool: pool) }
    var notes: Notes { Notes(pool: pool) }
    var costs: CostStore { CostStore(pool: pool) }
    var rates: RateStore { RateStore(pool: pool) }
    var questions: SavedQuestions { SavedQuestions(pool: pool) }
    var schedules: ScheduledQuestions { ScheduledQuestions(pool: pool) }
    var shares: ShareStore { ShareStore(pool: pool) }

    /// Asks a store, and says what its error means to the person at the browser.
    func ask<Answer>(_ question: (Self) async throws -> Answer) async throws(DashboardFailure) -> Answer {
        try await failures.onPage { try await question(self) }
    }
}

extension DashboardStores {
    /// - Parameter pool: on the database that takes writes.
    package init(pool: PostgresPool, reader: ReportReader, allowsPrivate: Bool, failures: FailureTable) {
        self.init(
            accounts: pool,
            users: UserStore(pool: pool),
            pool: pool,
            reader: reader,
            allowsPrivate: allowsPrivate,
            failures: failures
        )
    }
}
