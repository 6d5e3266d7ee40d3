import Answering
import Ingest
import Postgres
import Redirects
import Storage

/// Keeps short links in the database, for HTTP. The daemon serves what it has changed when it answers.
struct LinkService: LinkSource {
    let pool: PostgresPool
    let live: LiveLinks
    let failures: FailureTable

    private var store: LinkStore { LinkStore(pool: pool, observer: live) }

    /// Changes links. While the daemon does not know those of the database, it could not serve what it has changed.
    private func changing<Value>(
        _ operation: () async throws -> Value
    ) async throws(AnswerFailure) -> Value {
        guard live.revision != nil else { throw .unavailable(retryAfter: .seconds(1)) }
        return try await failures.translating(operation)
    }

    func create(
        _ links: [Link],
        reuse: Bool,
        for principal: Principal
    ) async throws(AnswerFailure) -> [LinkCreation] {
        try await changing {
            try await store.create(links, of: principal.app(on: pool), reuse: reuse).map { result in
                switch result {
                case .created(let link): .created(link)
                case .reused(let link): .reused(link)
                case .faults(let faults): .faults(faults)
                }
            }
        }
    }

    func links(
        _ choice: LinkChoice,
        after address: (host: String, slug: String)?,
        limit: Int,
        for principal: Principal
    ) async throws(AnswerFailure) -> [Link] {
        try await failures.translating {
            var filter = LinkFilter()
            filter.host = choice.host
            filter.ref = choice.ref
            filter.text = choice.text
            return try await store.list(
                of: principal.app(on: pool),
                filter,
                after: address.map { LinkAddress(host: $0.host, slug: $0.slug) },
                limit: limit
            )
        }
    }

    func link(host: String?, slug: String, for principal: Principal) async throws(AnswerFailure) -> Link? {
        try await failures.translating {
            try await store.link(of: principal.app(on: pool), host: host, slug: slug)
        }
    }

    func update(
        host: String?,
        slug: String,
        for principal: Principal,
        change: @escaping @Sendable (inout Link) throws(LinkFault) -> Void
    ) async throws(AnswerFailure) -> LinkChange? {
        try await changing {
            let result = try await store.update(of: principal.app(on: pool), host: host, slug: slug) { link in
                try change(&link)
            }
            return switch result {
            case .updated(let link): .updated(link)
            case .faults(let faults): .faults(faults)
            case .notFound: nil
            }
        }
    }

    func delete(host: String?, slug: String, for principal: Principal) async throws(AnswerFailure) -> Bool {
        try await changing {
            try await store.delete(of: principal.app(on: pool), host: host, slug: slug) != nil
        }
    }
}
