import Events
import InboundLinks
import RandomTesting
import Redirects
@testable import Reporting
@testable import Storage
import Testing
import Time

/// docs/in-your-app.md, *iOS: the person carries the click*: it does not matter when the click arrives, when the
/// app asks for it, and what the app has sent by then.
@Suite("Installs whose visitors carried their click")
struct CarriedInstallTests {
    private enum Step: CaseIterable {
        /// The click arrives in the database: its visitor was long sent on, if it had to wait in a spool.
        case click
        case paste, code, install, login, conversion
    }

    /// What the app of one visitor knows and sends.
    private struct Visitor {
        let click: Event
        let device: String
        let app: App
        let testing: FigureTesting
        let started: Timestamp
        var random: SeededRandom
        /// Once the app has learnt it.
        var clickID: String?
        var hasInstalled = false
        var hasToldClick = false

        mutating func take(_ step: Step) async throws {
            switch step {
            case .click: try await send(click)
            case .paste:
                let text = "https://go.example/sale?click_id=\(click.id)"
                guard let link = CarriedLink.all(in: text).first else { return }
                let id = link.clickID.description
                let found = try await StoredClick.read(id: id, of: app, on: testing.pool)
                if let found, let host = found.host, let slug = found.slug {
                    #expect(link.leads(toHost: host, slug: slug))
                    clickID = id
                }
            case .code:
                if let id = try await StoredClick.use(CarryCode(click.id), by: device, of: app, on: testing.pool) {
                    #expect(id == click.id.description)
                    clickID = id
                    let other = try await StoredClick.use(
                        CarryCode(click.id),
                        by: random.pickOrNone(["another"], percent: 50),
                        of: app,
                        on: testing.pool
                    )
                    #expect(other == nil)
                }
            case .install:
                guard !hasInstalled else { return }
                hasInstalled = true
                hasToldClick = clickID != nil
                try await send(event(.install(), after: 60, clickID: clickID))
            case .login: try await send(event(.authentication(), user: "u-\(device)", after: 90))
            case .conversion: try await send(event(OracleEvents.conversion(), after: 120))
            }
        }

        /// The app has asked until it got an answer.
        mutating func end() async throws {
            if clickID == nil { try await take(.paste) }
            if clickID == nil { try await take(.code) }
            try await take(.install)
            // What the app learns after its install, it tells with the open.
            guard !hasToldClick || random.chance(50) else { return }
            try await send(event(.inboundLink(OracleEvents.touch(.unattributed)), after: 80, clickID: clickID))
        }

        private mutating func event(
            _ content: Event.Content,
            user: String? = nil,
            after seconds: Int,
            clickID: String? = nil
        ) -> Event {
            Event(
                id: EventID(high: random.next(), low: random.next()),
                occurredAt: started.advanced(by: .seconds(seconds)),
                receivedAt: started,
                userID: user,
                deviceID: device,
                clickID: clickID,
                platform: .ios,
                properties: nil,
                content: content
            )
        }

        private func send(_ event: Event) async throws { try await testing.store([event], of: app) }
    }

    @Test(arguments: TestSeeds.seeds(6, in: 3)) func areCreditedToItInAnyOrder(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("shop")
            let started = Timestamp.now.advanced(by: .seconds(-3_600))
            for seed in seeds {
                var random = SeededRandom(seed: seed)
                var maker = EventIDMaker()
                let id = maker.makeID(at: started)
                var touch = OracleEvents.touch(refs: ["gift"])
                touch.shortLink = "go.example/sale"
                let click = Event(
                    id: id,
                    occurredAt: started,
                    receivedAt: started,
                    clickID: id.description,
                    platform: .ios,
                    properties: #"{"link":"sale","host":"go.example","outcome":"get_app_page","shows_code":true}"#,
                    content: .linkClick(touch)
                )
                let device = "phone-\(seed)"
                var visitor = Visitor(
                    click: click,
                    device: device,
                    app: app,
                    testing: testing,
                    started: started,
                    random: random
                )
                for step in (Step.allCases + [.paste, .code]).shuffled(using: &random) { try await visitor.take(step) }
                try await visitor.end()
                #expect(visitor.clickID == id.description, "seed \(seed)")
                for event in ["install", "conversion"] {
                    let question = try AttributionQuestion(parameters: [("device_id", device), ("event", event)])
                    let answer = try #require(try await question.answer(for: app, on: testing.pool))
                    #expect(answer.credits.map(\.refs) == [["gift"]], "seed \(seed): \(event)")
                    #expect(answer.credits.map(\.link) == ["go.example/sale"], "seed \(seed): \(event)")
                }
            }
        }
    }
}
