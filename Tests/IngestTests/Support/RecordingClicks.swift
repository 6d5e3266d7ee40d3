import Events
import Redirects
import Synchronization
import Time

@testable import Ingest

/// Remembers the clicks and the counts.
final class RecordingClicks: ClickSink {
    struct Count: Equatable {
        var hit: Hit
        var host: String
        var slug: String
    }

    private let place: StoreReceipt.Place?
    private let state = Mutex<(clicks: [Submission], sought: [Bool], counts: [Count], losses: [String])>(
        ([], [], [], [])
    )

    /// - Parameter place: where clicks are stored; nil: they are lost.
    init(_ place: StoreReceipt.Place? = .database) {
        self.place = place
    }

    var clicks: [Submission] { state.withLock { $0.clicks } }
    /// Of each click, whether its visitor gets something that is looked up.
    var sought: [Bool] { state.withLock { $0.sought } }
    var events: [Event] { clicks.flatMap(\.events) }
    /// The reasons.
    var losses: [String] { state.withLock { $0.losses } }
    var counts: [Count] { state.withLock { $0.counts } }

    func store(
        _ click: Submission,
        isSought: Bool,
        sendOn: @escaping @Sendable () -> Void,
        end: @escaping @Sendable (StoreReceipt.Place?) -> Void
    ) {
        state.withLock {
            $0.clicks.append(click)
            $0.sought.append(isSought)
        }
        end(place)
        sendOn()
    }

    func lose(because reason: String) {
        state.withLock { $0.losses.append(reason) }
    }

    func count(_ hit: Hit, ofHost host: String, slug: String, at time: Timestamp) {
        state.withLock { $0.counts.append(Count(hit: hit, host: host, slug: slug)) }
    }
}

extension LinkDirectory {
    /// A directory that has been read from the database. The apps have the numbers 1, 2, … in the order of `apps`.
    convenience init(loaded table: LinkTable, apps: [String] = []) {
        self.init()
        var contents = Contents()
        contents.table = table
        for (index, app) in apps.enumerated() { contents.appNumbers[app] = Int32(index + 1) }
        contents.isLoaded = true
        contents.confirmedAt = .now.advanced(by: .seconds(86_400))
        replace(with: contents)
    }
}

extension RedirectEndpoint {
    init(_ daemon: Daemon) {
        self.init(
            apps: [daemon.apps] + daemon.otherApps,
            proxies: daemon.proxies,
            countryHeader: daemon.countryHeader,
            limiter: nil,
            metrics: RedirectMetrics(daemon.metrics),
            ids: ClickIDs(),
            now: { [now = daemon.now] in now }
        )
    }
}
