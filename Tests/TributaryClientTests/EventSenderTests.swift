import Foundation
import Logging
import Synchronization
import Testing

@testable import TributaryClient

@Suite("The event sender", .timeLimit(.minutes(30)))
struct EventSenderTests {
    /// The delays and the rejections of a sender.
    final class Record: Sendable {
        let delays = Mutex<[Duration]>([])
        let rejected = Mutex<[RejectedEvent]>([])
    }

    private static func with(
        _ answers: [Delivery],
        change: (inout EventSender.Configuration) -> Void = { _ in },
        _ body: (EventSender, ScriptedTransport, Record) async throws -> Void
    ) async throws {
        let record = Record()
        var configuration = EventSender.Configuration()
        // Only a full batch, a flush or the shutdown sends.
        configuration.lingerTime = .seconds(3600)
        configuration.retry = RetryPolicy(firstDelay: .zero)
        configuration.sleep = { delay in record.delays.withLock { $0.append(delay) } }
        configuration.onRejection = { event in record.rejected.withLock { $0.append(event) } }
        change(&configuration)
        let transport = ScriptedTransport(answers)
        let sender = EventSender(configuration: configuration, transport: transport, logger: Logger(label: "test"))
        async let running: Void = sender.run()
        try await body(sender, transport, record)
        sender.shutDown()
        try await running
    }

    private static func install(_ user: Int) -> TributaryEvent { .install(by: .user("user-\(user)")) }

    @Test func sendsOneRequestForManyEvents() async throws {
        let events = (1...20).map(Self.install)
        try await Self.with([]) { sender, transport, _ in
            for event in events { try sender.send(event) }
            await sender.flush()
            #expect(transport.sent == [events.map(\.id)])
            #expect(sender.pendingCount == 0)
        }
    }

    @Test func sendsFullBatchesWithoutWaiting() async throws {
        let events = (1...7).map(Self.install)
        try await Self.with([], change: { $0.batch = BatchLimits(events: 3) }) { sender, transport, _ in
            for event in events { try sender.send(event) }
            await sender.flush()
            #expect(transport.sent.map(\.count).max() == 3)
            #expect(transport.sent.flatMap(\.self) == events.map(\.id))
        }
    }

    @Test func sendsTheSameIdsAgainUntilTheyAreAnswered() async throws {
        let event = Self.install(1)
        let answers: [Delivery] = [
            .failed("reset", retryAfter: nil), .failed("unavailable", retryAfter: .seconds(7)), .stored([]),
        ]
        try await Self.with(answers) { sender, transport, record in
            try sender.send(event)
            await sender.flush()
            #expect(transport.sent == [[event.id], [event.id], [event.id]])
            #expect(record.delays.withLock { $0 } == [.zero, .seconds(7)])
        }
    }

    @Test func tellsOfRejectedEvents() async throws {
        let events = (1...3).map(Self.install)
        let answer = Delivery.stored([Rejection(index: 1, code: "too_old", message: "older than the retention")])
        try await Self.with([answer]) { sender, transport, record in
            for event in events { try sender.send(event) }
            await sender.flush()
            #expect(transport.sent.count == 1)
            #expect(record.rejected.withLock { $0 }.map(\.id) == [events[1].id])
            #expect(record.rejected.withLock { $0 }.map(\.code) == ["too_old"])
        }
    }

    @Test func dropsWhatIsRefusedForGood() async throws {
        let events = (1...2).map(Self.install)
        try await Self.with([.refused("401 unknown_key")]) { sender, transport, record in
            try sender.send(events[0])
            await sender.flush()
            try sender.send(events[1])
            await sender.flush()
            #expect(transport.sent.count == 2)
            #expect(record.rejected.withLock { $0 }.map(\.id) == [events[0].id])
        }
    }

    @Test func halvesABatchThatIsTooLarge() async throws {
        let events = (1...4).map(Self.install)
        try await Self.with([.tooLarge, .tooLarge, .tooLarge]) { sender, transport, record in
            for event in events { try sender.send(event) }
            await sender.flush()
            #expect(transport.sent.map(\.count) == [4, 2, 1, 1, 2])
            #expect(record.rejected.withLock { $0 }.map(\.code) == ["too_large"])
            #expect(record.rejected.withLock { $0 }.map(\.id) == [events[0].id])
        }
    }

    @Test func takesNoMoreThanItsBuffer() async throws {
        let transport = ScriptedTransport()
        var configuration = EventSender.Configuration()
        configuration.bufferedEvents = 2
        let sender = EventSender(configuration: configuration, transport: transport, logger: Logger(label: "test"))
        try sender.send(Self.install(1))
        try sender.send(Self.install(2))
        #expect(throws: SendError.bufferFull) { try sender.send(Self.install(3)) }
        #expect(sender.pendingCount == 2)
    }

    @Test func refusesAnEventThatIsTooLarge() async throws {
        try await Self.with([]) { sender, _, _ in
            var event = Self.install(1)
            event.properties = ["text": .text(String(repeating: "x", count: 40_000))]
            #expect(throws: SendError.self) { try sender.send(event) }
        }
    }

    @Test func sendsWhatWaitsAtTheEnd() async throws {
        let events = (1...5).map(Self.install)
        let transport = ScriptedTransport()
        var configuration = EventSender.Configuration()
        configuration.lingerTime = .seconds(3600)
        configuration.shutdownTimeout = .seconds(3600)
        let sender = EventSender(configuration: configuration, transport: transport, logger: Logger(label: "test"))
        for event in events { try sender.send(event) }
        sender.shutDown()
        try await sender.run()
        #expect(transport.sent.flatMap(\.self) == events.map(\.id))
        #expect(throws: SendError.shutDown) { try sender.send(events[0]) }
    }

    @Test func tellsWhatCouldNotBeSentAtTheEnd() async throws {
        let transport = ScriptedTransport(Array(repeating: .failed("away", retryAfter: nil), count: 1_000_000))
        var configuration = EventSender.Configuration()
        configuration.shutdownTimeout = .zero
        configuration.retry = RetryPolicy(firstDelay: .seconds(3600), longestDelay: .seconds(3600))
        let sender = EventSender(configuration: configuration, transport: transport, logger: Logger(label: "test"))
        for number in 1...5 { try sender.send(Self.install(number)) }
        sender.shutDown()
        await #expect(throws: UnsentEvents(count: 5)) { try await sender.run() }
        await sender.flush()
    }
}
