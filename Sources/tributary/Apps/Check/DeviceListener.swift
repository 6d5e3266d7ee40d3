import Events
import Postgres
import Reporting
import Storage
import Time

/// Shows the events of one device as they arrive, so that a developer sees at once what an app sends, and what its
/// install was joined with.
struct DeviceListener: Sendable {
    private static let pause = Duration.milliseconds(500)
    /// Events from shortly before are shown, too: the app may have been started first.
    private static let before = Duration.seconds(-60)

    let app: App
    let pool: PostgresPool
    /// Nil: that of the first event.
    let device: String?

    /// Ends after some minutes, or after so many events.
    ///
    /// - Returns: how many were shown.
    func run(minutes: Int, count: Int) async throws -> Int {
        var device = device
        var shown: Set<EventID> = []
        let begin = Timestamp.now.advanced(by: Self.before)
        let end = ContinuousClock.now.advanced(by: .seconds(60 * minutes))
        while shown.count < count, ContinuousClock.now < end {
            for event in try await PersonEvent.arriving(in: app, after: begin, of: device, on: pool)
            where shown.count < count && !shown.contains(event.id) {
                guard let sender = event.keys.deviceID, sender == device ?? sender else { continue }
                if device == nil { print("device \(sender)") }
                device = sender
                shown.insert(event.id)
                print(try await line(event, of: sender))
            }
            if shown.count < count { try await Task.sleep(for: Self.pause) }
        }
        return shown.count
    }

    private func line(_ event: PersonEvent, of device: String) async throws -> String {
        var words = [event.occurredAt.rfc3339, event.type]
        if let channel = event.channel { words.append(([channel] + event.refs).joined(separator: ", ")) }
        if let click = event.keys.clickID { words.append("click_id \(click)") }
        if event.isTestTraffic { words.append("(test traffic)") }
        if event.type == EventType.install.rawValue { words.append(try await credit(of: device)) }
        return words.joined(separator: "  ")
    }

    private func credit(of device: String) async throws -> String {
        let history = try await PersonHistory.read(PersonKey(.device, device), in: app, on: pool)
        switch history.entries.last(where: { $0.kind == .install || $0.kind == .reinstall })?.credit {
        case .touch(let touch):
            let words = PersonEntry.Credit.touch(touch).words
            return "← " + (touch.link.map { "\($0) (\(words))" } ?? words)
        case .direct: return "← direct: it names no click that is known, and no link was before it"
        case nil: return "(not counted: another install was shortly before)"
        }
    }
}
