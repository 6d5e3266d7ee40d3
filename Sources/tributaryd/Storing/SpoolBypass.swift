import Events
import Storage

/// Stores what waits in a spool behind requests whose worker is away. It stays in the spool until its turn comes, and
/// is stored once.
struct SpoolBypass {
    /// The time between two tries of the spool's first requests, and of apps that were passed over: each reads the
    /// spool again.
    private let pause: Duration
    private var nextTry = ContinuousClock.now
    private var nextHead = ContinuousClock.now
    /// Every request up to here was tried.
    private var position: Int64 = 0
    /// The apps that were passed over, with a position before the first request of each.
    private var passed: [Int32: Int64] = [:]

    init(pause: Duration = .seconds(5)) {
        self.pause = pause
    }

    /// Whether the spool's first requests are to be tried in their order. If a worker keeps them back, those of others
    /// that are read with them are stored again by each try.
    var shouldRetryHead: Bool { nextHead <= .now }

    mutating func headFailed() {
        nextHead = .now.advanced(by: pause)
    }

    /// Tries the requests that were not tried yet, and those of apps that were passed over and are not refused any
    /// more.
    ///
    /// - Parameters:
    ///   - refuses: whether requests of an app would be refused at once.
    ///   - read: the requests after a position, some at a time; nil at the end.
    ///   - store: throws `EventWriterError.partlyUnavailable` if the app has to wait.
    mutating func run(
        refuses: (Int32) -> Bool,
        read: (Int64) async throws -> Spool.Batch?,
        store: ([Submission]) async throws -> Void
    ) async throws {
        var again = nextTry <= .now ? passed.filter { !refuses($0.key) } : [:]
        if !again.isEmpty { nextTry = .now.advanced(by: pause) }
        var start = min(position, again.values.min() ?? position)
        while !Task.isCancelled, let batch = try await read(start) {
            for (app, submissions) in Dictionary(grouping: batch.submissions, by: \.appNumber)
            where passed[app] == nil ? batch.position > position : again[app] != nil {
                do {
                    try await store(submissions)
                } catch EventWriterError.partlyUnavailable {
                    passed[app] = passed[app] ?? start
                    again[app] = nil
                }
            }
            position = max(position, batch.position)
            // The old requests are read only for those apps.
            start = again.isEmpty ? position : batch.position
        }
        for app in again.keys { passed[app] = nil }
    }
}
