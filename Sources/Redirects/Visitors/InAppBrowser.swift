/// A browser inside of an app. It opens no other app by itself, so nobody knows whether the app is installed.
package enum InAppBrowser: Equatable, Sendable {
    /// The name of the app, as `referer_app` of an event has it.
    case app(String)
    case unknown

    package var name: String? {
        switch self {
        case .app(let name): name
        case .unknown: nil
        }
    }

    /// Messenger's agents have Facebook's words too, so it comes first.
    private static let apps: [(marks: AgentMarks, name: String)] = [
        (.messenger, "Messenger"), (.facebook, "Facebook"), (.instagram, "Instagram"), (.threads, "Threads"),
        (.twitter, "Twitter"), (.linkedIn, "LinkedIn"), (.snapchat, "Snapchat"), (.pinterest, "Pinterest"),
        (.tikTok, "TikTok"), (.weChat, "WeChat"), (.line, "LINE"), (.kakaoTalk, "KakaoTalk"), (.naver, "NAVER"),
        (.viber, "Viber"), (.google, "Google"), (.outlook, "Outlook"),
    ]

    /// Nil for a browser that stands alone.
    init?(_ agent: AgentReading, _ device: Device) {
        if let app = Self.apps.first(where: { agent.marks.contains($0.marks) }) {
            self = .app(app.name)
            return
        }
        // Browsers of iOS name Safari; web views do not.
        let isWebView = (device == .iPhone || device == .iPad) && !agent.marks.contains(.safari)
        guard isWebView || agent.marks.contains(.webView) else { return nil }
        self = .unknown
    }
}
