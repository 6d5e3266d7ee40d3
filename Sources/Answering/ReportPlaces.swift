package import Storage
import Synchronization

/// Shares the places for reports between apps, so that slow reports of a few leave room for others.
///
/// An app may have half of the places that its own leave free, rounded up: of four the first app two, the next two one
/// each. Its other reports wait for a place. The apps of one worker, on a Citus cluster, have half of all together: a
/// report of an app whose worker hangs keeps its place until its time is up.
package final class ReportPlaces: Sendable {
    /// All places of the worker are taken.
    package struct Full: Error {
        package init() {}
    }

    private struct Waiter {
        let id: UInt64
        let app: Int32
        /// Gets whether the waiter has a place.
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct LaneWaiter {
        let id: UInt64
        /// Gets whether the waiter has a place.
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// The places of a worker.
    private struct Lane {
        var taken = 0
        /// In the order in which they came.
        var waiting: [LaneWaiter] = []
    }

    private struct State {
        var free: Int
        var apps: [Int32: Int] = [:]
        var lanes: [StoringServer: Lane] = [:]
        /// In the order in which they came.
        var waiting: [Waiter] = []
        var lastID: UInt64 = 0

        mutating func makeID() -> UInt64 {
            lastID += 1
            return lastID
        }

        mutating func take(_ app: Int32) -> Bool {
            guard apps[app, default: 0] < (free + 1) / 2 else { return false }
            free -= 1
            apps[app, default: 0] += 1
            return true
        }

        /// - Returns: those who have places now.
        mutating func give(_ app: Int32) -> [Waiter] {
            free += 1
            apps[app] = apps[app].flatMap { $0 > 1 ? $0 - 1 : nil }
            var served: [Waiter] = []
            for waiter in waiting where take(waiter.app) { served.append(waiter) }
            let ids = Set(served.map(\.id))
            waiting.removeAll { ids.contains($0.id) }
            return served
        }
    }

    private let workerLimit: Int
    private let state: Mutex<State>

    /// - Parameter count: how many places there are, at least 1.
    package init(count: Int) {
        workerLimit = max(1, count / 2)
        state = Mutex(State(free: count))
    }

    /// Runs `body` in a place of an app, for which it waits.
    ///
    /// - Parameters:
    ///   - server: where the app's events are.
    ///   - waits: whether to wait for a place of the worker, too.
    /// - Throws: ``Full`` if it does not wait and there is none; `CancellationError`.
    package func withPlace<R: Sendable>(
        of app: Int32,
        on server: StoringServer,
        waits: Bool,
        _ body: () async throws -> R
    ) async throws -> R {
        try await withPlace(of: server, waits: waits) {
            guard await takePlace(of: app) else { throw CancellationError() }
            defer { givePlace(of: app) }
            return try await body()
        }
    }

    /// - Returns: false if the task was cancelled.
    private func takePlace(of app: Int32) async -> Bool {
        let id = state.withLock { $0.makeID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasPlace: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.take(app) { return true }
                    state.waiting.append(Waiter(id: id, app: app, continuation: continuation))
                    return nil
                }
                if let hasPlace { continuation.resume(returning: hasPlace) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func givePlace(of app: Int32) {
        for waiter in state.withLock({ $0.give(app) }) { waiter.continuation.resume(returning: true) }
    }

    /// Runs `body` in a place of a worker. The only server of a database has no such places.
    ///
    /// - Throws: ``Full`` if it does not wait and there is none; `CancellationError`.
    package func withPlace<R: Sendable>(
        of server: StoringServer,
        waits: Bool,
        _ body: () async throws -> R
    ) async throws -> R {
        if server == .only { return try await body() }
        if waits {
            guard await awaitPlace(of: server) else { throw CancellationError() }
        } else if !take(server) {
            throw Full()
        }
        defer { give(server) }
        return try await body()
    }

    /// - Returns: false if the task was cancelled.
    private func awaitPlace(of server: StoringServer) async -> Bool {
        let id = state.withLock { $0.makeID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasPlace: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if take(server, in: &state) { return true }
                    state.lanes[server]?.waiting.append(LaneWaiter(id: id, continuation: continuation))
                    return nil
                }
                if let hasPlace { continuation.resume(returning: hasPlace) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> LaneWaiter? in
                guard let place = state.lanes[server]?.waiting.firstIndex(where: { $0.id == id }) else { return nil }
                return state.lanes[server]?.waiting.remove(at: place)
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func take(_ server: StoringServer) -> Bool {
        state.withLock { take(server, in: &$0) }
    }

    private func take(_ server: StoringServer, in state: inout State) -> Bool {
        guard state.lanes[server, default: Lane()].taken < workerLimit else { return false }
        state.lanes[server, default: Lane()].taken += 1
        return true
    }

    /// Gives the place to the first who waits.
    private func give(_ server: StoringServer) {
        let next = state.withLock { state -> LaneWaiter? in
            if let waiting = state.lanes[server]?.waiting, !waiting.isEmpty {
                return state.lanes[server]?.waiting.removeFirst()
            }
            state.lanes[server]?.taken -= 1
            return nil
        }
        next?.continuation.resume(returning: true)
    }
}
