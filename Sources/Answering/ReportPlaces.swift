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

    private enum Place: Hashable {
        case app(Int32)
        case worker(StoringServer)
    }

    private struct Waiter {
        let id: UInt64
        let place: Place
        /// Gets whether the waiter has a place.
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// Nobody waits for a place that is free.
    private struct State {
        var free: Int
        let workerLimit: Int
        var taken: [Place: Int] = [:]
        /// In the order in which they came.
        var waiting: [Waiter] = []
        var lastID: UInt64 = 0

        init(count: Int) {
            free = count
            workerLimit = max(1, count / 2)
        }

        mutating func makeID() -> UInt64 {
            lastID += 1
            return lastID
        }

        mutating func take(_ place: Place) -> Bool {
            switch place {
            case .app:
                guard taken[place, default: 0] < (free + 1) / 2 else { return false }
                free -= 1
            case .worker:
                guard taken[place, default: 0] < workerLimit else { return false }
            }
            taken[place, default: 0] += 1
            return true
        }

        /// - Returns: those who have places now.
        mutating func give(_ place: Place) -> [Waiter] {
            if case .app = place { free += 1 }
            taken[place] = taken[place].flatMap { $0 > 1 ? $0 - 1 : nil }
            var served: [Waiter] = []
            for waiter in waiting where take(waiter.place) { served.append(waiter) }
            let ids = Set(served.map(\.id))
            waiting.removeAll { ids.contains($0.id) }
            return served
        }
    }

    private let state: Mutex<State>

    /// - Parameter count: how many places there are, at least 1.
    package init(count: Int) {
        state = Mutex(State(count: count))
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
            try await holding(.app(app), waits: true, body)
        }
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
        return try await holding(.worker(server), waits: waits, body)
    }

    private func holding<R: Sendable>(
        _ place: Place,
        waits: Bool,
        _ body: () async throws -> R
    ) async throws -> R {
        if waits {
            guard await wait(for: place) else { throw CancellationError() }
        } else {
            guard state.withLock({ $0.take(place) }) else { throw Full() }
        }
        defer {
            for waiter in state.withLock({ $0.give(place) }) { waiter.continuation.resume(returning: true) }
        }
        return try await body()
    }

    /// - Returns: false if the task was cancelled.
    private func wait(for place: Place) async -> Bool {
        let id = state.withLock { $0.makeID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasPlace: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.take(place) { return true }
                    state.waiting.append(Waiter(id: id, place: place, continuation: continuation))
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
}
