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
        /// How many of them are stored with warnings.
        package var warned = 0
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
    private let rules: [String: Result<ReadingRules, ReadingRulesError>]
    private let retention: Duration

    /// - Parameters:
    ///   - writer: must be running (``EventWriter/run()``).
    ///   - links: the short links that touches may have come through.
    ///   - rules: those that apps add, by the app's id. The events of an app whose rules cannot be read stay rejected.
    ///   - retention: the retention period. Events that were older than this at their receipt stay rejected.
    package init(
        letters: RejectedEventStore,
        writer: EventWriter,
        links: LinkTable = LinkTable(),
        rules: [String: Result<ReadingRules, ReadingRulesError>] = [:],
        retention: Duration = EventLimits.defaultRetention
    ) {
        self.letters = letters
        self.writer = writer
        self.links = links
        self.rules = rules
        self.retention = retention
    }

    /// - Parameter onFailure: called for each dead letter that is still rejected; of those that fail because the rules
    ///   of their app cannot be read, for the first one of the app.
    package func run(
        _ filter: RejectedEventFilter,
        onFailure: (RejectedEvent, RejectedEvent.Failure) -> Void = { _, _ in }
    ) async throws -> Outcome {
        var outcome = Outcome()
        var last: RejectedEvent?
        // An event that PostgreSQL refuses again becomes a new dead letter. A later page may hold it; it is skipped.
        var refused: Set<String> = []
        var appsWithoutRules: Set<String> = []
        while true {
            let page = try await letters.page(filter, after: last, limit: Self.lettersAtOnce)
            guard let end = page.last else { return outcome }
            last = end
            var valid: [(letter: RejectedEvent, event: Event, hasWarnings: Bool)] = []
            for letter in page where letter.encodedEvent == nil || !refused.contains(letter.eventID ?? "") {
                let rules: ReadingRules?
                do throws(ReadingRulesError) {
                    rules = try self.rules[letter.appID]?.get()
                } catch {
                    outcome.rejected[letter.code, default: 0] += 1
                    guard appsWithoutRules.insert(letter.appID).inserted else { continue }
                    let message = "no event of app '\(letter.appID)' is retried: its rules cannot be read: \(error)"
                    onFailure(letter, .init(code: letter.code, message: message))
                    continue
                }
                do throws(RejectedEvent.Failure) {
                    let links = ShortLinkJoin(links, appID: letter.appID)
                    let rereading = rules.map { TouchRereading(rules: $0, links: links) }
                    let decoded = try letter.readAgain(retention: retention, by: rereading)
                    valid.append((letter, links.joined(decoded.event), !decoded.warnings.isEmpty))
                } catch {
                    outcome.rejected[error.code, default: 0] += 1
                    onFailure(letter, error)
                }
            }
            guard !valid.isEmpty else { continue }
            let submissions = valid.map { submission($0.letter, $0.event) }
            let receipts = try await writer.store(contentsOf: submissions)
            var done: [EventID] = []
            for (((letter, event, hasWarnings), submission), receipt) in zip(zip(valid, submissions), receipts) {
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
                    if hasWarnings { outcome.warned += 1 }
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
            rulesVersion: (try? rules[letter.appID]?.get())?.version ?? 0
        )
    }
}
