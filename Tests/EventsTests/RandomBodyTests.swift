import Events
import InboundLinks
import Time
import Testing
import RandomTesting

/// Random valid events, spelled in random ways, decode to the expected events.
@Suite("Random bodies")
struct RandomBodyTests {
    /// Makes the body of an event together with the expected event.
    struct Maker {
        var events: RandomEvents
        var spelling: JSONSpelling

        init(seed: UInt64) {
            events = RandomEvents(seed: seed)
            spelling = JSONSpelling(random: SeededRandom(seed: seed &+ 1_000))
        }

        mutating func id(_ prefix: String) -> String {
            prefix + String(Int.random(in: 0..<1_000_000, using: &events.random))
                + events.random.pick(["", "é", "😀", "\"", "/"])
        }

        mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
            events.random.chance(50) ? make(&self) : nil
        }

        private mutating func time() -> Timestamp {
            Timestamp(
                microseconds: receipt.microseconds - .random(in: 0..<30_000_000_000_000, using: &events.random)
            )
        }

        mutating func make() -> (body: String, event: Event) {
            var members: [(String, String)] = []
            func add(_ key: String, _ json: String?, orNull: Bool) {
                if let json { members.append((key, json)) } else if orNull { members.append((key, "null")) }
            }
            func addText(_ key: String, _ text: String?) {
                add(key, text.map { spelling.string($0) }, orNull: events.random.chance(10))
            }
            func addFlag(_ key: String, _ flag: Bool?) {
                add(key, flag.map { $0 ? "true" : "false" }, orNull: events.random.chance(10))
            }
            let content = content()
            var event = Event(
                id: EventID(high: events.random.next(), low: events.random.next()),
                occurredAt: time(),
                receivedAt: receipt,
                userID: id("u"),
                deviceID: maybe { $0.id("d") },
                clickID: maybe { $0.id("c") },
                platform: events.maybe { $0.random.pick(Platform.allCases) },
                appVersion: maybe { $0.id("v") },
                country: events.maybe { $0.random.pick(["DE", "US"]) },
                language: events.maybe { $0.random.pick(["de", "en-US"]) },
                content: content
            )
            if events.random.chance(50) {
                event.properties = spelling.object([
                    ("k\"1", spelling.string(events.text())), ("n", "1.50"), ("", "[true,null]"),
                ])
            }
            addText("type", event.type.rawValue)
            addText("event_id", events.random.chance(50) ? event.id.description : event.id.description.uppercased())
            addText("occurred_at", event.occurredAt.rfc3339)
            addText("user_id", event.userID)
            addText("device_id", event.deviceID)
            addText("click_id", event.clickID)
            addText("platform", event.platform?.rawValue)
            addText("app_version", event.appVersion)
            addText("country", event.country)
            addText("language", event.language)
            add("properties", event.properties, orNull: false)
            switch content {
            case .inboundLink(let touch), .linkClick(let touch):
                addText("target_url", touch.link.targetURL)
                add("ref", touch.link.refs.isEmpty ? nil : refs(touch.link.refs), orNull: true)
                addText("channel", touch.link.channel.rawValue)
                addText("referer_app", touch.link.refererApp)
                addText("referer_url", touch.link.refererURL)
                addFlag("authenticated", touch.link.authenticated)
                addFlag("deferred", touch.link.deferred)
                addFlag("paid", touch.link.paid)
                addText("clicked_at", touch.link.clickedAt?.rfc3339)
                addText("post_id", touch.postID)
            case .feedPost(let post):
                addText("outcome", post.outcome.rawValue)
                addText("post_id", post.postID)
                add("ref", post.refs.isEmpty ? nil : refs(post.refs), orNull: true)
                addText("link", post.link)
                addText("composer", post.composer?.rawValue)
                addText("action_type", post.actionType)
                addText("object_id", post.objectID)
                add("error_code", post.errorCode.map(String.init), orNull: true)
                addText("error_message", post.errorMessage)
            case .install(let install):
                addFlag("limit_ad_tracking", install.limitAdTracking)
                addText("install_referrer", install.referrer)
                // The event's own id wins.
                addText("referrer_clicked_at", install.referrerClickedAt?.rfc3339)
                addText("install_began_at", install.beganAt?.rfc3339)
                if let referrer = install.referrer, event.clickID == nil, !install.isInjected {
                    event.clickID = InstallReferrer.clickID(in: referrer)
                }
            case .authentication(let login):
                addText("outcome", login.outcome.rawValue)
                add("error_code", login.errorCode.map(String.init), orNull: true)
                addText("error_message", login.errorMessage)
            case .conversion(let conversion):
                addText("name", conversion.name)
                add("value", conversion.value.map { spelling($0) }, orNull: false)
                addText("currency", conversion.currency)
            case .appOpen: break
            }
            return (spelling.object(members), event)
        }

        private mutating func content() -> Event.Content {
            switch events.random.pick(EventType.allCases) {
            case .inboundLink: return .inboundLink(touch())
            case .linkClick: return .linkClick(touch())
            case .feedPost:
                let link = maybe { "https://example.com/\($0.id("p"))" }
                return .feedPost(
                    FeedPost(
                        outcome: events.random.pick(PostOutcome.allCases),
                        postID: maybe { $0.id("7_") },
                        refs: refList(),
                        link: link,
                        storyLink: link.map { StoryLink.normalised($0) },
                        composer: events.maybe { $0.random.pick(Composer.allCases) },
                        actionType: maybe { $0.id("ns:") },
                        objectID: maybe { $0.id("o") },
                        errorCode: events.maybe { $0.integer() },
                        errorMessage: maybe { $0.id("m") }
                    )
                )
            case .install:
                return .install(
                    Install(
                        limitAdTracking: events.maybe { $0.random.chance(50) },
                        referrer: maybe { "click_id=c\($0.events.random.pick([1, 2]))&utm_source=\($0.id("s"))" },
                        referrerClickedAt: maybe { $0.time() },
                        beganAt: maybe { $0.time() }
                    )
                )
            case .authentication:
                return .authentication(
                    Login(
                        outcome: events.random.pick(LoginOutcome.allCases),
                        errorCode: events.maybe { $0.integer() },
                        errorMessage: maybe { $0.id("m") }
                    )
                )
            case .conversion:
                var conversion = Conversion(name: id("goal"))
                if events.random.chance(50) {
                    conversion.value = DecimalValue(
                        millionths: .random(in: -1_000_000_000...1_000_000_000, using: &events.random)
                    )
                    conversion.currency = events.random.pick(["USD", "EUR", "JPY"])
                }
                return .conversion(conversion)
            case .appOpen: return .appOpen
            }
        }

        private mutating func touch() -> Touch {
            var link = InboundLink()
            link.targetURL = "https://example.com/" + id("t")
            link.refs = refList()
            link.channel = events.random.pick(Channel.allCases)
            link.rule = .explicit
            if events.random.chance(50) {
                link.refererApp = id("App")
                link.refererURL = "app://" + id("r")
            }
            link.authenticated = events.random.chance(50)
            link.deferred = events.random.chance(50)
            link.paid = events.random.chance(50)
            link.clickedAt = maybe { _ in Timestamp(microseconds: receipt.microseconds - 1_234_567) }
            var stated: StatedFields = [.targetURL, .channel, .authenticated, .deferred, .paid]
            if !link.refs.isEmpty { stated.insert(.refs) }
            if link.refererApp != nil { stated.formUnion([.refererApp, .refererURL]) }
            if link.clickedAt != nil { stated.insert(.clickedAt) }
            link.stated = stated
            return Touch(
                link: link,
                postID: maybe { $0.id("7_") },
                storyLink: link.refs.isEmpty ? link.targetURL.map { StoryLink.normalised($0) } : nil
            )
        }

        private mutating func refList() -> [String] {
            (0..<Int.random(in: 0...3, using: &events.random)).map { "ref\($0)" }
        }

        private mutating func refs(_ refs: [String]) -> String {
            events.random.chance(50)
                ? spelling.string(refs.joined(separator: events.random.pick([",", " , ", ",,"])))
                : spelling.array((refs + (events.random.chance(30) ? refs.prefix(1) : [])).map { spelling.string($0) })
        }

        /// A number or a string, plain or with an exponent.
        private mutating func spelling(_ value: DecimalValue) -> String {
            let number =
                events.random.chance(30) ? "\(value.millionths)\(events.random.pick(["e", "E"]))-6" : value.description
            return events.random.chance(50) ? number : spelling.string(number)
        }
    }

    @Test(arguments: TestSeeds.seeds(4))
    func decodeToWhatWasMeant(_ seed: UInt64) throws {
        var maker = Maker(seed: seed)
        for _ in 0..<40 {
            let made = (0..<Int.random(in: 1...30, using: &maker.events.random)).map { _ in maker.make() }
            let expected = made.enumerated().map { DecodedEvent(index: $0, event: $1.event, hasMadeID: false) }
            for (body, mediaType) in [
                (maker.spelling.array(made.map(\.body)), .json),
                (maker.spelling.object([("events", maker.spelling.array(made.map(\.body)))]), .json),
                (made.map(\.body).joined(separator: "\n"), .ndjson),
            ] as [(String, BatchDecoder.MediaType)] {
                let batch = try decode(body, as: mediaType)
                #expect(batch.rejections == [])
                #expect(batch.events == expected)
            }
        }
    }
}
