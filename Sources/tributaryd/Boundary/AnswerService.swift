import Answering
import Events
import InboundLinks
import Ingest
import Postgres
import Redirects
import Reporting
import Storage

/// Answers questions about single people and clicks, from the database.
struct AnswerService: AnswerSource {
    let pool: PostgresPool
    /// Whether the worker of an app, on a Citus cluster, is known not to respond. Its answers would take the
    /// connections of others.
    let isAway: @Sendable (Int32) -> Bool
    let failures: FailureTable

    func attribution(
        parameters: [(String, String)],
        for principal: Principal
    ) async throws(AnswerFailure) -> (json: String, notice: String?)? {
        try refuseIfAway(principal)
        return try await failures.translating {
            let question = try AttributionQuestion(parameters: parameters.map { (name: $0.0, value: $0.1) })
            let app = try await principal.app(on: pool)
            let notice = await AppStore(pool: pool).historyNotice(of: app)
            if let answer = try await question.answer(for: app, on: pool) { return (answer.json, notice) }
            guard let unknown = try await question.unknownGoal(of: app, on: pool) else { return nil }
            throw AnswerFailure.unknownEvent(
                message: Redaction.redact(unknown.message),
                field: "goal",
                nearest: unknown.nearest
            )
        }
    }

    func deferredLink(
        _ question: DeferredLinkQuestion,
        for principal: Principal
    ) async throws(AnswerFailure) -> DeferredLink? {
        try refuseIfAway(principal)
        return try await failures.translating {
            let app = try await principal.app(on: pool)
            guard let (clickID, click) = try await click(question, of: app) else { return nil }
            var link: Link?
            var address: String?
            if let host = click.host, let slug = click.slug {
                address = LinkAddress(host: host, slug: slug).name
                link = try await LinkStore(pool: pool).link(of: app, host: host, slug: slug)
            }
            return DeferredLink(
                clickID: clickID,
                link: address,
                targetURL: click.targetURL,
                appURL: link?.appURL(ofClick: clickID),
                clickedAt: click.occurredAt,
                refs: click.refs
            )
        }
    }

    private func click(
        _ question: DeferredLinkQuestion,
        of app: App
    ) async throws -> (id: String, click: StoredClick)? {
        func click(_ id: String) async throws -> (id: String, click: StoredClick)? {
            try await StoredClick.read(id: id, of: app, on: pool).map { (id, $0) }
        }
        switch question {
        case .click(let id): return try await click(id)
        case .code(let code, let deviceID):
            guard let id = try await StoredClick.use(code, by: deviceID, of: app, on: pool) else { return nil }
            return try await click(id)
        case .links(let links):
            for link in links {
                guard let found = try await click(link.clickID.description), let host = found.click.host,
                    let slug = found.click.slug, link.leads(toHost: host, slug: slug)
                else { continue }
                return found
            }
            return nil
        }
    }

    private func refuseIfAway(_ principal: Principal) throws(AnswerFailure) {
        if isAway(principal.appNumber) { throw .unavailable(retryAfter: .seconds(5)) }
    }
}
