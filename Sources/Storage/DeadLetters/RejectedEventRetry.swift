import Events

/// Reads dead letters again and stores what is valid now: after the rules have changed, or an app's settings.
///
/// What is stored, now or before, leaves the dead letters after its commit. So a crash in between loses nothing, and the
/// event ids see to it that nothing is stored twice.
package struct RejectedEventRetry: Sendable {
    /// What became of the dead letters.
    package struct Outcome: Equatable, Sendable {
        package var stored = 0
        /// Their ids had been stored before.
        package var duplicates = 0
        /// Still rejected, by code.
        package var rejected: [String: Int] = [:]

        package init() {}

        package var rejectedCount: Int { rejected.values.reduce(0, +) }
    }

    private static let lettersAtOnce = 500

    private let letters: RejectedEventStore
    private let writer: EventWriter
    private let retention: Duration

    /// - Parameters:
    ///   - writer: must be running.
    ///   - retention: events older than this at their receipt stay rejected.
    package init(
        letters: RejectedEventStore,
        writer: EventWriter,
        retention: Duration = EventLimits.defaultRetention
    ) {
        self.letters = letters
        self.writer = writer
        self.retention = retention
    }

    /// - Parameter onFailure: told of each that is still rejected.
    package func run(
        _ filter: RejectedEventFilter,
        onFailure: (RejectedEvent, RejectedEvent.Failure) -> Void = { _, _ in }
    ) async throws -> Outcome {
        var outcome = Outcome()
        var last: RejectedEvent?
        // What PostgreSQL refuses once more becomes a new dead letter, which must not be taken for another one.
        var refused: Set<String> = []
        while true {
            let page = try await letters.page(filter, after: last, limit: Self.lettersAtOnce)
            guard let end = page.last else { return outcome }
            last = end
            var valid: [(letter: RejectedEvent, event: Event)] = []
            for letter in page where letter.encodedEvent == nil || !refused.contains(letter.eventID ?? "") {
                do throws(RejectedEvent.Failure) {
                    valid.append((letter, try letter.readAgain(retention: retention)))
                } catch {
                    outcome.rejected[error.code, default: 0] += 1
                    onFailure(letter, error)
                }
            }
            guard !valid.isEmpty else { continue }
            let submissions = valid.map(Self.submission)
            let receipts = try await writer.store(contentsOf: submissions)
            var done: [EventID] = []
            for (((letter, event), submission), receipt) in zip(zip(valid, submissions), receipts) {
                // One that is refused again is the same letter, unless an earlier version of this program has kept it.
                let isStill =
                    !receipt.refused.isEmpty && letter.id == DeadLetterWriter.id(ofRefused: event, of: submission)
                if !isStill { done.append(letter.id) }
                if !receipt.refused.isEmpty {
                    refused.insert(event.id.description)
                    let code = Rejection.Code.refused.rawValue
                    outcome.rejected[code, default: 0] += 1
                    onFailure(letter, .init(code: code, message: "the database refused this event"))
                } else if receipt.duplicates > 0 {
                    outcome.duplicates += 1
                } else {
                    outcome.stored += 1
                }
            }
            var filter = RejectedEventFilter()
            filter.ids = done
            try await letters.delete(filter)
        }
    }

    private static func submission(_ letter: RejectedEvent, _ event: Event) -> EventWriter.Submission {
        EventWriter.Submission(
            appNumber: letter.appNumber,
            keyPrefix: letter.keyPrefix,
            receivedAt: letter.receivedAt,
            events: [event]
        )
    }
}
