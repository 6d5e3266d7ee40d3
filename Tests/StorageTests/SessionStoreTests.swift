import Postgres
import PostgresTesting
import Testing

@testable import Storage

@Suite("Sessions of the dashboard")
struct SessionStoreTests {
    private typealias Base = StorageTesting

    private static func user(_ base: Base, _ email: String = "ann@example.com") async throws -> User {
        let user = try await UserStore(pool: base.pool).invite(email, as: .analyst, to: base.app).user
        try await base.run("update dashboard_role set accepted_at = now()")
        return user
    }

    @Test func areThoseOfAReadKey() async throws {
        try await Base.with { base in
            let store = SessionStore(pool: base.pool)
            let apps = AppStore(pool: base.pool)
            let key = try await apps.addKey(of: base.app, scope: .read, label: "", lifetime: nil)
            let session = try #require(try await store.begin(key: key))
            let prefix = AppKey.prefix(of: key)
            #expect(try await store.session(session) == StoredSession(holder: .key(prefix: prefix), appID: "shop"))
            #expect(try await store.session(session)?.appID == "shop")
            // A key has one app.
            #expect(try await !store.choose("shop", in: session))
            _ = try await apps.revokeKey(of: base.app, named: .whole(key))
            #expect(try await store.session(session) == nil)
            #expect(try await store.begin(key: key) == nil)
        }
    }

    @Test func areThoseOfAUser() async throws {
        try await Base.with { base in
            let store = SessionStore(pool: base.pool)
            let user = try await Self.user(base)
            let session = try await store.begin(user: user, browser: "Firefox on Linux")
            #expect(try await store.session(session) == StoredSession(holder: .user(user), appID: "shop"))
            #expect(try await base.count("select count(*) from dashboard_session") == 1)
            let stored = try await base.texts("select s::text from dashboard_session s")
            #expect(!stored[0].contains(session))
            #expect(try await store.session("x") == nil)
            // A role that was not accepted counts if a proxy vouches for the user.
            try await base.run("update dashboard_role set accepted_at = null")
            #expect(try await store.session(session) == nil)
            let vouched = try await store.begin(user: user, browser: "", isVouched: true)
            let expected = StoredSession(holder: .user(user), appID: "shop", isVouched: true)
            #expect(try await store.session(vouched) == expected)
            try await store.end(session)
            #expect(try await store.session(session) == nil)
            await #expect(throws: UserStoreError.self) {
                try await store.begin(
                    user: User(number: 99, email: "eve@example.com", hasPassword: true, roles: user.roles),
                    browser: ""
                )
            }
        }
    }

    @Test func endAfterADay() async throws {
        try await Base.with { base in
            let store = SessionStore(pool: base.pool)
            let user = try await Self.user(base)
            let session = try await store.begin(user: user, browser: "")
            try await base.run("update dashboard_session set created_at = now() - interval '12 hours'")
            #expect(try await store.session(session) == nil)
            #expect(try await store.sessions(of: user).isEmpty)
            _ = try await store.begin(user: user, browser: "")
            #expect(try await base.count("select count(*) from dashboard_session") == 1)
        }
    }

    @Test func areListedAndEndedByTheirUser() async throws {
        try await Base.with { base in
            let store = SessionStore(pool: base.pool)
            let (ann, bob) = (try await Self.user(base), try await Self.user(base, "bob@example.com"))
            let first = try await store.begin(user: ann, browser: "first")
            let second = try await store.begin(user: ann, browser: "second")
            let bobs = try await store.begin(user: bob, browser: "")
            let sessions = try await store.sessions(of: ann)
            #expect(sessions.map(\.browser) == ["second", "first"])
            #expect(sessions.map { $0.isCurrent(first) } == [false, true])
            // Not by somebody else.
            try await store.end(number: sessions[0].number, of: bob)
            #expect(try await store.session(second) != nil)
            try await store.end(number: sessions[0].number, of: ann)
            #expect(try await store.session(second) == nil)
            #expect(try await store.session(first) != nil)
            try await store.endAll(of: ann)
            #expect(try await store.sessions(of: ann).isEmpty)
            #expect(try await store.session(bobs) != nil)
        }
    }

    /// A program that a proxy lets in may begin one with each request.
    @Test func areAtMostFiftyOfAUser() async throws {
        try await Base.with { base in
            let store = SessionStore(pool: base.pool)
            let (ann, bob) = (try await Self.user(base), try await Self.user(base, "bob@example.com"))
            let bobs = try await store.begin(user: bob, browser: "")
            for number in 1...SessionStore.userLimit { _ = try await store.begin(user: ann, browser: "\(number)") }
            #expect(try await store.sessions(of: ann).last?.browser == "1")
            let newest = try await store.begin(user: ann, browser: "new")
            let browsers = try await store.sessions(of: ann).map(\.browser)
            #expect(browsers.count == 50 && browsers.first == "new" && browsers.last == "2")
            for session in [newest, bobs] { #expect(try await store.session(session) != nil) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try await store.begin(user: ann, browser: "") } }
                try await group.waitForAll()
            }
            #expect(try await store.sessions(of: ann).count == 50)
        }
    }

    @Test func sayWhenTheyWereSeen() async throws {
        try await Base.with { base in
            let store = SessionStore(pool: base.pool)
            let user = try await Self.user(base)
            let session = try await store.begin(user: user, browser: "")
            let seen = """
                select count(*) from dashboard_session, dashboard_user
                where dashboard_session.last_seen_at > now() - interval '1 minute'
                    and dashboard_user.last_seen_at > now() - interval '1 minute'
                """
            #expect(try await base.count(seen) == 1)
            try await base.run(
                "update dashboard_session set last_seen_at = now() - interval '4 minutes'; update dashboard_user set last_seen_at = null"
            )
            _ = try await store.session(session)
            #expect(try await base.count(seen) == 0, "not at each request")
            let old = "update dashboard_session set last_seen_at = now() - interval '6 minutes'"
            try await base.run(old)
            _ = try await store.session(session)
            #expect(try await base.count(seen) == 1)
            // A standby, or a server that takes no writes, still knows who is signed in.
            try await base.run(old)
            let database = base.database.address.database
            try await base.run("alter database \"\(database)\" set default_transaction_read_only = on")
            let pool = PostgresPool(address: base.database.address, size: 1, options: TestDatabases.options)
            #expect(try await SessionStore(pool: pool).session(session)?.appID == "shop")
            await pool.close()
            #expect(try await base.count(seen) == 0)
        }
    }

    @Test(arguments: [
        ("Firefox\u{0}\u{1B}[31m 🦊\u{202E} on Linux", "Firefox[31m  on Linux"),
        (String(repeating: "x", count: 5_000), String(repeating: "x", count: 100)),
        ("https://a.example/?access_token=EAAB123", "https://a.example/?access_token=REDACTED"), ("", ""),
    ])
    func keepAFewWordsOfTheBrowser(browser: String, expected: String) async throws {
        try await Base.with { base in
            let store = SessionStore(pool: base.pool)
            let user = try await Self.user(base)
            _ = try await store.begin(user: user, browser: browser)
            #expect(try await store.sessions(of: user).map(\.browser) == [expected])
        }
    }

    @Test func haveOneHolder() async throws {
        try await Base.with { base in
            for values in ["null, null", "(select key_hash from api_key limit 1), 1"] {
                await #expect(throws: PostgresError.self) {
                    try await base.run(
                        "insert into dashboard_session (session_hash, key_hash, user_number) select 'x', \(values)"
                    )
                }
            }
        }
    }
}
