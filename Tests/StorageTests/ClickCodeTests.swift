import Events
import InboundLinks
import Postgres
import Redirects
@testable import Storage
import Testing
import Time

/// docs/redirects.md, *Carried by the visitor*.
@Suite("Codes of clicks in the database")
struct ClickCodeTests {
    private typealias Base = StorageTesting

    /// A click of a visitor who got a page, by default with a code.
    ///
    /// - Parameter low: of its id. Its last 40 bits are the code.
    private static func click(
        _ low: UInt64,
        high: UInt64 = 1,
        age: Duration = .seconds(60),
        outcome: String = "get_app_page",
        showsCode: Bool = true
    ) -> Event {
        let id = EventID(high: high, low: low)
        let code = showsCode ? #","shows_code":true"# : ""
        let time = Timestamp.now.advanced(by: .zero - age)
        return Event(
            id: id,
            occurredAt: time,
            receivedAt: time,
            clickID: id.description,
            platform: .ios,
            properties: #"{"link":"sale","host":"go.example","outcome":"\#(outcome)"\#(code)}"#,
            content: .linkClick(Touch(link: InboundLink()))
        )
    }

    private func use(_ click: Event, by device: String?, _ base: StorageTesting) async throws -> String? {
        try await StoredClick.use(CarryCode(click.id), by: device, of: base.app, on: base.pool)
    }

    @Test func standForOneInstallation() async throws {
        try await Base.with { base in
            let clicks = [Self.click(1 << 40 | 7), Self.click(8, outcome: "open_app_interstitial"), Self.click(9)]
            try await base.store(clicks)
            for _ in 0..<2 { #expect(try await use(clicks[0], by: "phone", base) == clicks[0].id.description) }
            for other in ["tablet", nil] { #expect(try await use(clicks[0], by: other, base) == nil) }
            #expect(try await use(clicks[1], by: nil, base) == clicks[1].id.description)
            for other in ["phone", nil] { #expect(try await use(clicks[1], by: other, base) == nil) }
            // Of two at once, one gets it.
            let answers = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<8 { group.addTask { try await use(clicks[2], by: "device-\(number)", base) } }
                return try await group.compactMap { $0 }.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(answers == [clicks[2].id.description])
        }
    }

    @Test func areUnknownOtherwise() async throws {
        try await Base.with { base in
            let old = Self.click(1, age: CarryCode.lifetime + .seconds(60))
            let young = Self.click(2, age: CarryCode.lifetime - .seconds(60))
            let without = Self.click(3, outcome: "open_app_interstitial", showsCode: false)
            let twins = [Self.click(4), Self.click(4, high: 2)]
            try await base.store([old, young, without] + twins)
            #expect(try await use(old, by: "phone", base) == nil)
            #expect(try await use(young, by: "phone", base) == young.id.description)
            #expect(try await use(without, by: "phone", base) == nil)
            // Rather nobody than a stranger.
            for twin in twins { #expect(try await use(twin, by: "phone", base) == nil) }
            #expect(try await use(Self.click(5), by: "phone", base) == nil)
            let apps = AppStore(pool: base.pool)
            _ = try await apps.create(AppProfile(id: "other", name: "Other"))
            let other = try await apps.app(id: "other")
            #expect(try await StoredClick.use(CarryCode(young.id), by: "phone", of: other, on: base.pool) == nil)
        }
    }

    @Test func goWithTheirClickAndByAge() async throws {
        try await Base.with { base in
            let clicks = [Self.click(1), Self.click(2), Self.click(3)]
            var install = Base.event(9, at: .now, device: "phone", click: clicks[0].id.description, .install())
            install.receivedAt = .now
            try await base.store(clicks + [install])
            for click in clicks { #expect(try await use(click, by: "phone", base) != nil) }
            func rows() async throws -> Int { try await base.count("select count(*) from click_code_use") }
            #expect(try await rows() == 3)
            _ = try await base.people().erase(PersonKey(.device, "phone"), in: base.app)
            #expect(try await rows() == 2)
            try await base.run(
                "update click_code_use set used_at = now() - interval '8 days' where click_id::text like '%2'"
            )
            _ = try await RetentionStore(pool: base.pool, packed: NothingPacked()).run(
                RetentionPolicy(),
                app: nil,
                isThorough: false,
                now: .now
            )
            #expect(try await rows() == 1)
            try await AppStore(pool: base.pool).delete(base.app)
            #expect(try await rows() == 0)
        }
    }
}
