import Redirects
import Storage
import Synchronization
import Time

/// Counts requests for links that are no clicks, in memory, until they are added to the database.
final class HitCounter: Sendable {
    private struct Key: Hashable {
        var address: LinkAddress
        var day: CivilDate
    }

    /// Days of links that are counted at the same time. Whatever comes beyond is not counted, so that programs which
    /// try all links cannot fill the memory while the database is unavailable.
    private static let limit = 100_000

    private let counts = Mutex<[Key: LinkHits]>([:])

    func count(_ hit: Hit, of address: LinkAddress, on time: Timestamp) {
        var hits = LinkHits(address, on: time.date)
        switch hit {
        case .preview: hits.preview = 1
        case .bot: hits.bot = 1
        case .head: hits.head = 1
        case .prefetch: hits.prefetch = 1
        case .embed: hits.embed = 1
        case .click, .none: return
        }
        add([hits])
    }

    /// Takes all counts out.
    func take() -> [LinkHits] {
        counts.withLock { counts in
            defer { counts = [:] }
            return Array(counts.values)
        }
    }

    /// Adds counts, maybe some that were taken out and could not be stored.
    func add(_ hits: [LinkHits]) {
        counts.withLock { counts in
            for hit in hits {
                let key = Key(address: hit.address, day: hit.day)
                if let known = counts[key] {
                    counts[key] = known + hit
                } else if counts.count < Self.limit {
                    counts[key] = hit
                }
            }
        }
    }
}
