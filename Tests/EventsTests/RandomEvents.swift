import Events
import InboundLinks
import Time
import RandomTesting

/// Makes random events whose fields are independent of each other. The types allow more than the decoder makes.
struct RandomEvents {
    var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func event() -> Event {
        Event(
            id: EventID(high: random.next(), low: random.next()),
            occurredAt: time(),
            receivedAt: time(),
            userID: maybe { $0.text() },
            deviceID: maybe { $0.text() },
            clickID: maybe { $0.text() },
            platform: maybe { $0.random.pick(Platform.allCases) },
            appVersion: maybe { $0.text() },
            country: maybe { $0.text() },
            language: maybe { $0.text() },
            properties: maybe { $0.text() },
            sentBy: random.pick(EventSender.allCases),
            content: content()
        )
    }

    mutating func content() -> Event.Content {
        switch random.pick(EventType.allCases) {
        case .inboundLink: .inboundLink(touch())
        case .linkClick: .linkClick(touch())
        case .feedPost: .feedPost(post())
        case .install:
            .install(
                Install(
                    limitAdTracking: maybe { $0.random.chance(50) },
                    link: maybe { $0.touch() },
                    referrer: maybe { $0.text() },
                    referrerClickedAt: maybe { $0.time() },
                    beganAt: maybe { $0.time() }
                )
            )
        case .authentication: .authentication(login())
        case .conversion:
            .conversion(
                Conversion(
                    name: text(),
                    value: maybe { DecimalValue(millionths: $0.integer() / 10) },
                    currency: maybe { $0.text() }
                )
            )
        case .appOpen: .appOpen
        }
    }

    mutating func touch() -> Touch {
        var link = InboundLink()
        link.form = random.pick([.legacyAuthorize, .appLink, .applinkArgs, .plain])
        link.appID = maybe { $0.text() }
        link.schemeSuffix = maybe { $0.text() }
        link.targetURL = maybe { $0.text() }
        link.authenticated = random.chance(50)
        link.channel = random.pick(Channel.allCases)
        link.rule = random.pick(ChannelRule.allCases + [.app(1), .app(500)])
        link.refs = texts()
        link.fbSource = maybe { $0.text() }
        link.actionIDs = texts()
        link.actionTypes = texts()
        link.requestIDs = texts()
        link.refererApp = maybe { $0.text() }
        link.refererURL = maybe { $0.text() }
        link.deferred = random.chance(50)
        link.clickedAt = maybe { $0.time() }
        link.paid = random.chance(50)
        link.testTraffic = random.chance(50)
        link.promoCode = maybe { $0.text() }
        link.fbclid = maybe { $0.text() }
        link.redactedURL = maybe { $0.text() }
        link.stated = StatedFields(rawValue: .random(in: 0..<1_024, using: &random))
        return Touch(
            link: link,
            postID: maybe { $0.text() },
            storyLink: maybe { $0.text() },
            shortLink: maybe { $0.text() }
        )
    }

    mutating func post() -> FeedPost {
        FeedPost(
            outcome: random.pick(PostOutcome.allCases),
            postID: maybe { $0.text() },
            refs: texts(),
            link: maybe { $0.text() },
            storyLink: maybe { $0.text() },
            composer: maybe { $0.random.pick(Composer.allCases) },
            actionType: maybe { $0.text() },
            objectID: maybe { $0.text() },
            errorCode: maybe { $0.integer() },
            errorMessage: maybe { $0.text() },
            redactedCallback: maybe { $0.text() }
        )
    }

    mutating func login() -> Login {
        Login(
            outcome: random.pick(LoginOutcome.allCases),
            errorCode: maybe { $0.integer() },
            errorMessage: maybe { $0.text() },
            redactedCallback: maybe { $0.text() }
        )
    }

    mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        random.chance(50) ? make(&self) : nil
    }

    mutating func integer() -> Int64 {
        random.chance(10) ? random.pick([.min, .max, 0, -1]) : .random(in: -1_000_000...1_000_000, using: &random)
    }

    mutating func time() -> Timestamp {
        Timestamp(microseconds: random.chance(5) ? integer() : receipt.microseconds &+ integer())
    }

    mutating func texts() -> [String] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in text() }
    }

    /// Letters of one to four bytes, controls and all that JSON escapes.
    mutating func text() -> String {
        let letters: [Character] = [
            "a", "Z", "7", "é", "€", "😀", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{7F}", " ", "{", "%", "=",
        ]
        return String((0..<Int.random(in: 0...20, using: &random)).map { _ in random.pick(letters) })
    }
}
