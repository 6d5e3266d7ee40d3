import Foundation
import NIOCore
import NIOHTTP1
import Time

/// Visitors who follow short links on a day, and what those do next who come into the app.
///
/// On the last day they go through the daemon, now, for the daemon gives a click its time. Who follows which link and
/// goes on is drawn beforehand, so the same seed gives the same figures.
struct DemoVisits: Sendable {
    struct Visit: Sendable {
        let link: DemoShortLink
        let visitor: DemoVisitor
        let person: DemoPerson
        /// Whether a person with the choice opens the app, which is installed.
        let hasApp: Bool
        let installs: Bool
        let logsIn: Bool
        /// Nil: buys nothing.
        let cents: Int?
        /// For the events that may follow.
        let eventIDs: [String]
    }

    private static let visitsInFlight = 8
    /// A part of the people of a day.
    private static let part = 20

    let visits: [Visit]

    /// - Parameter people: of a day.
    init(people: Int, seed: UInt64) {
        var random = DemoRandom(seed: seed ^ 0x5A5A_5A5A)
        visits = (0..<max(20, people / Self.part)).map { number in
            let link = DemoShortLink.all[random.index(weights: DemoShortLink.all.map(\.draw))]
            let visitor = random.pick(DemoVisitor.self) { $0.weight }
            let person = DemoPerson(number: number, on: visitor.platform, &random)
            let logsIn = random.chance(link.quality.logIn)
            let buys = logsIn && random.chance(link.quality.purchase)
            return Visit(
                link: link,
                visitor: visitor,
                person: person,
                hasApp: random.chance(0.3),
                installs: random.chance(link.quality.install),
                logsIn: logsIn,
                cents: buys ? random.integer(in: link.quality.cents) : nil,
                eventIDs: (0..<3).map { _ in random.uuid() }
            )
        }
    }

    /// How many visits there are of each kind.
    var counts: [DemoVisitor.Kind: Int] {
        Dictionary(visits.map { ($0.visitor.kind, 1) }, uniquingKeysWith: +)
    }

    /// Follows the links.
    ///
    /// - Returns: the events of those who have come into the app, which its backend sends.
    func follow(at daemon: URL) async throws -> [DemoRequest] {
        Self.requests(try await lines(after: DaemonClient(daemon: daemon)))
    }

    static func requests(_ lines: [String]) -> [DemoRequest] {
        stride(from: 0, to: lines.count, by: 100).map { start in
            let batch = lines[start..<min(start + 100, lines.count)]
            let text = batch.map { $0 + "\n" }.joined()
            return DemoRequest(
                path: .events,
                format: .ndjson,
                body: .fixed(Array(text.utf8)),
                eventCount: batch.count
            )
        }
    }

    private func lines(after client: DaemonClient) async throws -> [String] {
        try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            var waiting = visits.enumerated().makeIterator()
            func start(_ number: Int, _ visit: Visit) {
                group.addTask {
                    let landing = try await Self.follow(visit, with: client)
                    // After the click, and before the reports are made.
                    let time = Timestamp.now.advanced(by: .milliseconds(1))
                    let events = landing.map { Self.events(after: visit, $0, from: time, every: .milliseconds(1)) }
                    return (number, events ?? [])
                }
            }
            for _ in 0..<Self.visitsInFlight {
                if let (number, visit) = waiting.next() { start(number, visit) }
            }
            var lines = [[String]](repeating: [], count: visits.count)
            while let (number, events) = try await group.next() {
                lines[number] = events
                if let (number, visit) = waiting.next() { start(number, visit) }
            }
            return lines.flatMap { $0 }
        }
    }

    /// - Returns: nil if nobody is anywhere afterwards: a crawler, or a browser that asks in advance.
    private static func follow(
        _ visit: Visit,
        with client: DaemonClient
    ) async throws -> DemoLanding? {
        let answer = try await client.ask(
            visit.link.slug,
            method: visit.visitor.kind == .head ? .HEAD : .GET,
            headers: HTTPHeaders([("Host", DemoShortLink.host)] + visit.visitor.headers.map { ($0.0, $0.1) }),
            within: .seconds(60)
        )
        let isRefused = visit.visitor.kind == .prefetch
        guard [200, 302].contains(answer.status.code) || isRefused && answer.status == .serviceUnavailable else {
            throw CommandFailure(
                .internalError,
                "the daemon answered \(answer.status.code) at the short link '\(visit.link.slug)'"
            )
        }
        guard visit.visitor.kind == .click else { return nil }
        return DemoLanding(location: answer.headers.first(name: "Location"), page: String(buffer: answer.body))
    }

    /// What the app, or its web page, reports then: the first event at a time, the others one after the other.
    static func events(
        after visit: Visit,
        _ landing: DemoLanding,
        from start: Timestamp,
        every gap: Duration
    ) -> [String] {
        var lines: [String] = []
        var time = start
        func add(_ kind: DemoEvent.Kind, _ fields: [String: DemoValue]) {
            var fields = fields
            fields["type"] = .text(kind.rawValue)
            fields["occurred_at"] = .text(time.rfc3339)
            fields["event_id"] = .text(visit.eventIDs[lines.count])
            lines.append(DemoJSON.text(.object(fields)))
            time = time.advanced(by: gap)
        }
        let device = visit.person.fields(.device)
        func open(_ address: String) {
            var fields = device.with("url", address)
            if let id = DemoLanding.clickID(in: address) { fields["click_id"] = .text(id) }
            add(.inboundLink, fields)
        }
        if visit.hasApp, let place = landing.app {
            open(place)
        } else if visit.installs, landing.hasStore {
            // The App Store hands nothing over.
            add(.install, landing.installReferrer.map { device.with("install_referrer", $0) } ?? device)
        } else if !landing.hasStore, let page = landing.web {
            open(page)
        }
        guard !lines.isEmpty, visit.logsIn else { return lines }
        add(.authentication, visit.person.fields(.user, .device))
        if let cents = visit.cents {
            var fields = visit.person.fields(.user)
            fields["name"] = "premium"
            fields["value"] = .amount(cents: cents)
            fields["currency"] = "USD"
            add(.conversion, fields)
        }
        return lines
    }
}
