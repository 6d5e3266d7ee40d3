/// What the words of a user agent say.
struct AgentMarks: OptionSet, Sendable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }
    private init(bit: UInt64) { rawValue = 1 << bit }

    // Who asks.
    static let previewer = AgentMarks(bit: 0)
    static let bot = AgentMarks(bit: 1)
    /// `compatible`, or a URL: a comment with one does not describe a device.
    static let noDevice = AgentMarks(bit: 2)

    // Devices.
    static let windowsPhone = AgentMarks(bit: 8)
    static let iPad = AgentMarks(bit: 9)
    static let iPhone = AgentMarks(bit: 10)
    static let macintosh = AgentMarks(bit: 11)
    /// A name that browsers have on iOS only.
    static let iOSOnly = AgentMarks(bit: 12)
    static let linux = AgentMarks(bit: 13)
    static let android = AgentMarks(bit: 14)
    /// Android, or a system like it, without Google Play.
    static let withoutPlay = AgentMarks(bit: 15)
    static let phone = AgentMarks(bit: 16)

    // Browsers.
    static let version = AgentMarks(bit: 20)
    static let safari = AgentMarks(bit: 21)
    static let chrome = AgentMarks(bit: 22)
    static let webView = AgentMarks(bit: 23)

    // Browsers inside of apps.
    static let messenger = AgentMarks(bit: 32)
    static let facebook = AgentMarks(bit: 33)
    static let instagram = AgentMarks(bit: 34)
    static let threads = AgentMarks(bit: 35)
    static let twitter = AgentMarks(bit: 36)
    static let linkedIn = AgentMarks(bit: 37)
    static let snapchat = AgentMarks(bit: 38)
    static let pinterest = AgentMarks(bit: 39)
    static let tikTok = AgentMarks(bit: 40)
    static let weChat = AgentMarks(bit: 41)
    static let line = AgentMarks(bit: 42)
    static let kakaoTalk = AgentMarks(bit: 43)
    static let naver = AgentMarks(bit: 44)
    static let viber = AgentMarks(bit: 45)
    static let google = AgentMarks(bit: 46)
    static let outlook = AgentMarks(bit: 47)
}
