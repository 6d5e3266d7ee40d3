import Logging
import ServiceLifecycle
import Storage

/// Adds the counts of requests that are no clicks to the database, every few seconds and once at the end. They are
/// figures only: those of the last seconds before a crash are lost.
struct HitService: Service {
    private static let pause: Duration = .seconds(5)

    let counter: HitCounter
    let store: LinkStore
    let schema: DatabaseSchema
    let logger: Logger

    func run() async throws {
        let complaints = Complaints("requests for links cannot be counted; trying again", logger)
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                if !Task.isCancelled { await write(complaints) }
            }
        }
        await write(complaints)
    }

    private func write(_ complaints: Complaints) async {
        guard schema.isMigrated else { return }
        let hits = counter.take()
        guard !hits.isEmpty else { return }
        do {
            try await store.addHits(hits)
            complaints.record(nil)
        } catch {
            counter.add(hits)
            complaints.record(Complaints.reason(of: error))
        }
    }
}
