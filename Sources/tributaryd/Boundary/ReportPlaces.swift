import Storage
import Synchronization

/// Keeps the reports of one worker's apps, on a Citus cluster, to half of the places for reports. A report of an
/// app whose worker hangs keeps its place until its time is up, and those of other apps go on meanwhile.
final class ReportPlaces: Sendable {
    /// All places of the worker are taken.
    struct Full: Error {}

    private struct Lane {
        var taken = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let lanes = Mutex<[StoringServer: Lane]>([:])

    /// - Parameter limit: for each worker.
    init(limit: Int) {
        self.limit = limit
    }

    /// Runs `body` in a place of a server.
    ///
    /// - Parameter waits: whether to wait for a place.
    /// - Throws: ``Full`` if it does not wait and there is none.
    func withPlace<R: Sendable>(
        of server: StoringServer,
        waits: Bool,
        _ body: () async throws -> R
    ) async throws -> R {
        if server == .only { return try await body() }
        if waits {
            await withCheckedContinuation { continuation in
                if take(server, orWait: continuation) { continuation.resume() }
            }
        } else if !take(server) {
            throw Full()
        }
        defer { give(server) }
        return try await body()
    }

    private func take(_ server: StoringServer, orWait continuation: CheckedContinuation<Void, Never>? = nil) -> Bool {
        lanes.withLock { lanes in
            if lanes[server, default: Lane()].taken < limit {
                lanes[server, default: Lane()].taken += 1
                return true
            }
            if let continuation { lanes[server]?.waiting.append(continuation) }
            return false
        }
    }

    /// Gives the place to the first who waits.
    private func give(_ server: StoringServer) {
        let next = lanes.withLock { lanes -> CheckedContinuation<Void, Never>? in
            if let waiting = lanes[server]?.waiting, !waiting.isEmpty { return lanes[server]?.waiting.removeFirst() }
            lanes[server]?.taken -= 1
            return nil
        }
        next?.resume()
    }
}
