/// Who asks for a link (docs/redirects.md, *Who asks*).
package enum Asker: Equatable, Sendable {
    /// The browser asks in advance. It asks again when the person goes there.
    case prefetch
    /// A program that shows a preview of the link.
    case previewer
    case bot
    case person(Device, InAppBrowser?)

    /// The first that applies.
    package init(_ visitor: Visitor) {
        if visitor.isPrefetch {
            self = .prefetch
            return
        }
        let agent = AgentReading(visitor.agent)
        if agent.marks.contains(.previewer) {
            self = .previewer
        } else if agent.isEmpty || agent.marks.contains(.bot) {
            self = .bot
        } else {
            let device = Device(
                agent,
                saysAndroid: visitor.headers.saysAndroid,
                saysMobile: visitor.headers.saysMobile
            )
            self = .person(device, InAppBrowser(agent, device))
        }
    }

    var device: Device? {
        if case .person(let device, _) = self { device } else { nil }
    }

    var inAppBrowser: InAppBrowser? {
        if case .person(_, let browser) = self { browser } else { nil }
    }
}
