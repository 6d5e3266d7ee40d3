import Events
import Redirects
import Storage
import Time

/// Visits of the days before the last, when another program served the links.
extension DemoVisits {
    /// The events that are brought in from it: its clicks, as the daemon stores them, and what those did next who came
    /// into the app.
    func past(on day: DemoDay, of app: App, seed: UInt64) -> [DemoRequest] {
        var random = DemoRandom(seed: seed ^ 0xA5A5_A5A5)
        var lines: [String] = []
        for visit in visits where visit.visitor.kind == .click {
            let (clickID, moment) = (random.uuid(), DemoDay.moment(&random))
            let waits = (random.wait(minutes: 4), random.wait(minutes: 6))
            let time = day.time(at: moment)
            let link = visit.link.link
            let visitor = Visitor(method: "GET", target: "/\(link.slug)", headers: visit.visitor.headers)
            let redirect = Redirect.decide(visitor, link: link, app: app.linkApp, clickID: clickID, now: time)
            let landing = DemoLanding(location: redirect.location, page: redirect.html(nonce: "") ?? "")
            lines.append(Self.click(on: link, redirect, id: clickID, at: time))
            // Who clicked at the end of the day comes into the app on the next one.
            lines += Self.events(
                after: visit,
                landing,
                from: time.advanced(by: .milliseconds(waits.0)),
                every: .milliseconds(waits.1)
            )
        }
        return Self.requests(lines)
    }

    private static func click(on link: Link, _ redirect: Redirect, id: String, at time: Timestamp) -> String {
        var fields: [String: DemoValue] = [
            "type": .text(DemoEvent.Kind.linkClick.rawValue), "event_id": .text(id), "click_id": .text(id),
            "occurred_at": .text(time.rfc3339), "url": .text("https://\(link.host)/\(link.slug)"),
            "ref": .list(link.refs),
            "properties": .object([
                "host": .text(link.host), "link": .text(link.slug), "outcome": .text(redirect.outcome.rawValue),
            ]),
        ]
        fields["target_url"] = link.targetURL.map { .text($0) }
        fields["platform"] = redirect.platform.map { .text($0.rawValue) }
        fields["referer_app"] = redirect.refererApp.map { .text($0) }
        fields["referer_url"] = redirect.refererURL.map { .text($0) }
        return DemoJSON.text(.object(fields))
    }
}
