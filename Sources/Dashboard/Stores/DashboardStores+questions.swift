import Reporting
import Storage
import Time

/// Saved questions, when they are sent, and what is shared.
extension DashboardStores {
    func questions(of app: App) async throws(DashboardFailure) -> [SavedQuestion] {
        try await ask { try await $0.questions.all(of: app) }
    }

    /// - Throws: `DashboardFailure.invalid` for a schedule that is refused.
    func schedule(_ draft: ScheduledQuestions.Draft, of app: App, now: Timestamp) async throws(DashboardFailure) {
        _ = try await ask { stores in
            _ = try SendingTarget(draft.target, allowsPrivate: allowsPrivate)
            return try await stores.schedules.save(draft, of: app, now: now)
        }
    }

    /// What is at a secret address; nil if nothing is, or not any more.
    func sharedQuestion(_ secret: String) async throws(DashboardFailure) -> (app: App, question: SavedQuestion)? {
        try await ask { stores in
            guard let page = try await stores.shares.page(secret), let app = try await app(page.appID, on: pool),
                let question = try await stores.questions.question(named: page.question, of: app)
            else { return nil }
            return (app, question)
        }
    }
}
