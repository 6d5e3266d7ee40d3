public import AsyncHTTPClient
import Foundation
public import Logging
import NIOCore
public import ServiceLifecycle
import Synchronization

/// Sends events to Tributary in the background, in batches and within bounded memory. A batch is sent again, with the
/// same event ids, until the server answers.
///
/// ``send(_:)`` never waits. Events are sent only while `run()` runs; on graceful shutdown, it sends the waiting events
/// and returns. Put the sender into a `ServiceGroup`, before the services that send events:
///
/// ```swift
/// let events = EventSender(url: "https://events.example.com", writeKey: key, logger: logger)
/// let group = ServiceGroup(services: [events, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
///
/// Rejected events are logged and given to ``Configuration/onRejection``. If events could not be sent before the end,
/// `run()` throws ``UnsentEvents``.
public final class EventSender: Service {
    let configuration: Configuration
    private let transport: any EventTransport
    private let logger: Logger
    private let buffer: Mutex<EventBuffer>
    /// Notified whenever something changes that `run()` or ``flush()`` may wait for.
    private let signal = Signal()

    /// - Parameters:
    ///   - url: the daemon's URL without a path, such as `https://events.example.com`.
    ///   - writeKey: a write key of the app (`trib_w_…`).
    ///   - httpClient: the client that sends the requests.
    public convenience init(
        url: String,
        writeKey: String,
        configuration: Configuration = Configuration(),
        httpClient: HTTPClient = .shared,
        logger: Logger
    ) {
        self.init(
            configuration: configuration,
            transport: HTTPTransport(
                client: httpClient,
                url: url,
                writeKey: writeKey,
                timeout: configuration.requestTimeout
            ),
            logger: logger
        )
    }

    init(configuration: Configuration, transport: any EventTransport, logger: Logger) {
        self.configuration = configuration
        self.transport = transport
        self.logger = logger
        buffer = Mutex(EventBuffer(byteLimit: configuration.bufferedBytes, eventLimit: configuration.bufferedEvents))
    }

    /// Adds an event to the buffer and returns immediately.
    ///
    /// - Throws: `SendError` if the buffer is full, the event is too large or not encodable, or the sender has been
    ///   shut down.
    public func send(_ event: TributaryEvent) throws(SendError) {
        let encoded = try EncodedEvent(event)
        try buffer.withLock { buffer throws(SendError) in try buffer.append(encoded) }
        signal.notify()
    }

    /// Returns when all earlier events have been answered or given up, or `run()` has ended.
    public func flush() async {
        let target = buffer.withLock { $0.requestFlush() }
        signal.notify()
        await signal.wait { self.buffer.withLock { $0.endedCount >= target || $0.isStopped } }
    }

    /// How many events have not been answered yet.
    public var pendingCount: Int { buffer.withLock { $0.pendingCount } }

    /// Accepts no more events. `run()` sends the waiting events and returns.
    public func shutDown() {
        buffer.withLock { $0.close() }
        signal.notify()
    }

    /// Sends until graceful shutdown, ``shutDown()`` or cancellation.
    ///
    /// - Throws: `UnsentEvents` if some could not be sent within ``Configuration/shutdownTimeout``.
    public func run() async throws {
        await withGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.sendAll() }
                group.addTask {
                    await self.signal.wait { self.buffer.withLock { $0.isClosed } }
                    try? await Task.sleep(for: self.configuration.shutdownTimeout)
                }
                // Everything has been sent, or the time for it is over.
                await group.next()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.shutDown()
        }
        let unsent = buffer.withLock { $0.stop() }
        signal.notify()
        if unsent > 0 { throw UnsentEvents(count: unsent) }
    }

    private func sendAll() async {
        while !Task.isCancelled {
            await signal.wait { self.buffer.withLock { !$0.isEmpty || $0.isClosed } }
            await lingerForMore()
            guard let batch = buffer.withLock({ $0.takeBatch(configuration.batch) }) else {
                if buffer.withLock({ $0.isClosed }) { return }
                continue
            }
            if await deliver(batch) {
                buffer.withLock { $0.ended(batch) }
            } else {
                buffer.withLock { $0.putBack(batch) }
            }
            signal.notify()
        }
    }

    /// Waits until a batch is urgent, at most ``Configuration/lingerTime``.
    private func lingerForMore() async {
        let batch = configuration.batch
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: self.configuration.lingerTime) }
            group.addTask {
                await self.signal.wait { self.buffer.withLock { $0.isUrgent(batch) } }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// - Returns: false if the task was cancelled before there was an answer.
    private func deliver(_ batch: [EncodedEvent]) async -> Bool {
        var pending = [batch]
        var attempt = 0
        while let next = pending.last {
            guard !Task.isCancelled else { return false }
            switch await transport.send(next, at: Date()) {
            case .stored(let rejections):
                pending.removeLast()
                attempt = 0
                report(rejections, of: next)
            case .tooLarge where next.count > 1:
                pending.removeLast()
                pending.append(Array(next[(next.count / 2)...]))
                pending.append(Array(next[..<(next.count / 2)]))
            case .tooLarge:
                pending.removeLast()
                report(
                    [Rejection(index: 0, code: "too_large", message: "the event is larger than the server accepts")],
                    of: next
                )
            case .refused(let reason):
                pending.removeLast()
                logger.error(
                    "Tributary refused events; they are dropped",
                    metadata: ["events": "\(next.count)", "reason": "\(reason)"]
                )
                report(next.indices.map { Rejection(index: $0, code: "refused", message: reason) }, of: next)
            case .failed(let reason, let retryAfter):
                attempt += 1
                let delay = configuration.retry.delay(attempt: attempt, retryAfter: retryAfter)
                logger.warning(
                    "events could not be sent; trying again",
                    metadata: [
                        "events": "\(next.count)", "reason": "\(reason)", "attempt": "\(attempt)", "delay": "\(delay)",
                    ]
                )
                do { try await configuration.sleep(delay) } catch { return false }
            }
        }
        return true
    }

    private func report(_ rejections: [Rejection], of batch: [EncodedEvent]) {
        for rejection in rejections where batch.indices.contains(rejection.index) {
            let id = batch[rejection.index].id
            logger.error(
                "Tributary rejected an event",
                metadata: ["event_id": "\(id)", "code": "\(rejection.code)", "message": "\(rejection.message)"]
            )
            configuration.onRejection(
                RejectedEvent(id: id, code: rejection.code, message: rejection.message)
            )
        }
    }
}
