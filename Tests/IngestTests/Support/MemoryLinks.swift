import Ingest
import Redirects
import Synchronization

/// Keeps the links of each app in memory, all on one host. The slugs of links without one are numbers.
final class MemoryLinks: LinkSource {
    private let apps = Mutex<[Int32: [Link]]>([:])
    let failure: AnswerFailure?
    let changers = ActingKeys()

    init(failure: AnswerFailure? = nil) {
        self.failure = failure
    }

    private func with<Value>(_ principal: Principal, _ body: (inout [Link]) -> Value) -> Value {
        apps.withLock { body(&$0[principal.appNumber, default: []]) }
    }

    func create(
        _ links: [Link],
        reuse: Bool,
        for principal: Principal
    ) async throws(AnswerFailure) -> [LinkCreation] {
        changers.note()
        if let failure { throw failure }
        return with(principal) { kept in
            links.map { link in
                var link = link
                link.host = "go.example"
                if link.slug.isEmpty { link.slug = String(kept.count) }
                if let known = kept.first(where: { $0.slug == link.slug }) {
                    return reuse && known == link
                        ? .reused(known) : .faults([LinkFault(.slugTaken, "slug", "the slug is taken")])
                }
                kept.append(link)
                return .created(link)
            }
        }
    }

    func links(
        _ choice: LinkChoice,
        after address: (host: String, slug: String)?,
        limit: Int,
        for principal: Principal
    ) async throws(AnswerFailure) -> [Link] {
        if let failure { throw failure }
        let all = with(principal) { $0 }.sorted { $0.slug < $1.slug }
        return Array(all.filter { $0.slug > address?.slug ?? "" }.prefix(limit))
    }

    func link(host: String?, slug: String, for principal: Principal) async throws(AnswerFailure) -> Link? {
        if let failure { throw failure }
        return with(principal) { $0.first { $0.slug == slug } }
    }

    func update(
        host: String?,
        slug: String,
        for principal: Principal,
        change: @escaping @Sendable (inout Link) throws(LinkFault) -> Void
    ) async throws(AnswerFailure) -> LinkChange? {
        changers.note()
        if let failure { throw failure }
        return with(principal) { kept in
            guard let position = kept.firstIndex(where: { $0.slug == slug }) else { return nil }
            do throws(LinkFault) {
                try change(&kept[position])
                return .updated(kept[position])
            } catch {
                return .faults([error])
            }
        }
    }

    func delete(host: String?, slug: String, for principal: Principal) async throws(AnswerFailure) -> Bool {
        changers.note()
        if let failure { throw failure }
        return with(principal) { kept in
            let count = kept.count
            kept.removeAll { $0.slug == slug }
            return kept.count < count
        }
    }
}
