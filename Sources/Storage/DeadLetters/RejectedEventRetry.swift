import Events
package import InboundLinks
package import Redirects

/// Reads dead letters again and stores the events that are valid now, because rules or an app's settings have changed.
///
/// A dead letter is deleted after its event's commit, also if the event was stored before. So a crash loses nothing,
/// and the event ids keep an event from being stored twice.
package struct RejectedEventRetry: Sendable {
    /// What became of the dead letters.
    package struct Outcome: Equatable, Sendable {
        package var stored = 0
        /// Events whose ids were stored before.
        package var duplicates = 0
        /// Dead letters that are still rejected, by code.
        package var rejected: [String: Int] = [:]

        package init() {}

        package var rejectedCount: Int { rejected.values.reduce(0, +) }
    }

    private static let lettersAtOnce = 500

    private let letters: RejectedEventStore
    private let writer: EventWriter
    private let links: LinkTable
    private let rules: [String: ReadingRules]
    private let retention: Duration

    /// - Parameters:
    ///   - writer: must be running (``EventWriter/run()``).
    ///   - links: the short links that touches may have come through.
    ///   - rules: those that apps add, by the app's id.
    ///   - retention: the retention period. Events that were older than this at their receipt stay rejected.
    package init(
        letters: RejectedEventStore,
        writer: EventWriter,
        links: LinkTable = LinkTable(),
        rules: [String: ReadingRules] = [:],
        retention: Duration = EventLimits.defaultRetention
    ) {
        self.letters = letters
        self.writer = writer
        self.links = links
        self.rules = rules
        self.retention = retention
    }

    /// - Parameter onFailure: called for each dead letter that is still rejected.
    package func run(
        _ filter: RejectedEventFilter,
        onFailure: (RejectedEvent, RejectedEvent.Failure) -> Void = { _, _ in }
    ) async throws -> Outcome {
        var outcome = Outcome()
        var last: RejectedEvent?
        // An event that PostgreSQL refuses again becomes a new dead letter. A later page may hold it; it is skipped.
        var refused: Set<String> = []
        while true {
            let page = try await letters.page(filter, after: last, limit: Self.lettersAtOnce)
            guard let end = page.last else { return outcome }
            last = end
            var valid: [(letter: RejectedEvent, event: Event)] = []
            for letter in page where letter.encodedEvent == nil || !refused.contains(letter.eventID ?? "") {
                do throws(RejectedEvent.Failure) {
                    let links = ShortLinkJoin(links, appID: letter.appID)
                    let rereading = rules[letter.appID].map { TouchRereading(rules: $0, links: links) }
                    let event = try letter.readAgain(retention: retention, by: rereading)
                    valid.append((letter, links.joined(event)))
                } catch {
                    outcome.rejected[error.code, default: 0] += 1
                    onFailure(letter, error)
                }
            }
            guard !valid.isEmpty else { continue }
            let submissions = valid.map(submission)
            let receipts = try await writer.store(contentsOf: submissions)
            var done: [EventID] = []
            for (((letter, event), submission), receipt) in zip(zip(valid, submissions), receipts) {
                // An event that is refused again keeps its dead letter, unless an earlier version of this program made
                // it.
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

    private func submission(_ letter: RejectedEvent, _ event: Event) -> Submission {
        Submission(
            appNumber: letter.appNumber,
            keyPrefix: letter.keyPrefix,
            receivedAt: letter.receivedAt,
            events: [event],
            rulesVersion: rules[letter.appID]?.version ?? 0
        )
    }
}
