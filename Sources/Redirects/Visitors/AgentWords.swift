import Text

/// The words that user agents are searched for, in lower case, and what each says.
enum AgentWords {
    /// Stands before the first character of an agent.
    static let start = UInt8(ascii: "^")

    static let automaton = WordAutomaton(all)

    private static let all: [WordAutomaton.Word] =
        lines(RedirectFiles.previewersTXT).map { .init($0, .previewer) }
        + lines(RedirectFiles.botWordsTXT).map { .init($0, .bot) }
        + lines(RedirectFiles.crawlersTXT).map { .init($0, .bot) }
        + notBots.map { .init($0, [], isException: true) }
        + devices.map { .init($0.text, $0.marks) }
        + [.init("like android", [], isException: true)]
        + browsers.map { .init($0.text, $0.marks) }

    /// Makers of phones and television sets whose names end like a bot's.
    private static let notBots = ["cubot"]

    private static let devices: [(text: String, marks: AgentMarks)] = [
        ("compatible", .noDevice), ("://", .noDevice), ("www.", .noDevice),
        ("windows phone", .windowsPhone), ("ipad", .iPad), ("iphone", .iPhone), ("ipod", .iPhone),
        ("macintosh", .macintosh),
        ("crios", .iOSOnly), ("fxios", .iOSOnly), ("edgios", .iOSOnly), ("opios", .iOSOnly), ("mobile/", .iOSOnly),
        ("fban/fbios", .iOSOnly), (" gsa/", .iOSOnly),
        ("linux", .linux), ("android", .android), ("; adr ", .android),
        ("silk/", .withoutPlay), ("; kf", .withoutPlay), ("; aft", .withoutPlay), ("kindle", .withoutPlay),
        ("harmonyos", .withoutPlay),
        ("openharmony", .withoutPlay), ("kaios", .withoutPlay),
        ("mobile", .phone), ("blackberry", .phone), ("bb10", .phone), ("symbian", .phone), ("opera mini", .phone),
        ("midp", .phone), ("windows ce", .phone), ("wpdesktop", .phone), ("up.browser", .phone), ("docomo/", .phone),
    ]

    private static let browsers: [(text: String, marks: AgentMarks)] = [
        ("version/", .version), ("safari/", .safari), ("chrome/", .chrome), ("chromium/", .chrome),
        ("; wv)", .webView),
        ("fban/messenger", .messenger), ("messengerforios", .messenger), ("messengerliteforios", .messenger),
        ("fb_iab/orca", .messenger), ("fb_iab/messenger", .messenger),
        ("fban/", .facebook), ("fbav/", .facebook), ("fb_iab", .facebook), ("metaiab", .facebook),
        ("instagram", .instagram), ("barcelona", .threads), ("twitter", .twitter), ("linkedinapp", .linkedIn),
        ("snapchat", .snapchat), ("pinterest", .pinterest), ("musical_ly", .tikTok), ("bytedancewebview", .tikTok),
        ("trill_", .tikTok), ("tiktok", .tikTok), ("micromessenger", .weChat), (" line/", .line),
        ("kakaotalk", .kakaoTalk), ("naver", .naver), ("viber", .viber), (" gsa/", .google), ("outlook", .outlook),
    ]

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }
}
