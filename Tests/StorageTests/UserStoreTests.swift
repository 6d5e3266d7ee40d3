import Postgres
import PostgresTesting
import RandomTesting
import Testing

@testable import Storage

@Suite("Users")
struct UserStoreTests {
    private typealias Base = StorageTesting

    private static let (email, password) = ("ann@example.com", "correct mule cell pin")

    /// A user as a test needs them: with a password, and roles in the apps `shop` and `other`.
    private struct Fixture: Sendable {
        let base: StorageTesting
        let store: UserStore
        let work: PasswordWork
        let other: App

        var shop: App { base.app }
        var sessions: SessionStore { SessionStore(pool: base.pool) }

        @discardableResult
        func join(_ email: String, as role: AppRole = .viewer, of app: App? = nil) async throws -> User {
            let invitation = try await store.invite(email, as: role, to: app ?? shop, settingPassword: true)
            let token = try #require(invitation.token)
            return try #require(try await accept(token))
        }

        /// Nil if the invitation is not accepted.
        func accept(_ token: String, _ password: String = UserStoreTests.password) async throws -> User? {
            guard case .accepted(let user, _) = try await store.accept(token, password: password) else { return nil }
            return user
        }

        func invite(_ email: String, to app: App, settingPassword: Bool = false) async throws -> String {
            let invited = try await store.invite(email, as: .viewer, to: app, settingPassword: settingPassword)
            return try #require(invited.token)
        }

        func signIn(_ email: String = UserStoreTests.email) async throws -> String {
            let user = try #require(try await store.user(email: email, password: UserStoreTests.password))
            return try await sessions.begin(user: user, browser: "Firefox")
        }
    }

    private static func with(_ body: @Sendable (Fixture) async throws -> Void) async throws {
        try await Base.with { base in
            let apps = AppStore(pool: base.pool)
            _ = try await apps.create(AppProfile(id: "other", name: "Other Shop"))
            let work = PasswordWork()
            let store = UserStore(pool: base.pool, cost: PasswordTests.cheap, work: work)
            try await body(Fixture(base: base, store: store, work: work, other: try await apps.app(id: "other")))
        }
    }

    @Test func chooseAPasswordByTheirInvitation() async throws {
        try await Self.with { fixture in
            let store = fixture.store
            #expect(try await !store.hasUsers())
            let invitation = try await store.invite(Self.email, as: .analyst, to: fixture.shop)
            let roles = [User.Role(appID: "shop", appName: "Shop", role: .analyst)]
            #expect(invitation.user.email == Self.email && !invitation.user.hasPassword)
            #expect(invitation.user.roles == roles)
            let token = try #require(invitation.token)
            #expect(try await !fixture.base.database.hasText(token))
            let shown = try #require(try await store.invitation(token))
            #expect(shown.email == Self.email && shown.role == roles[0] && !shown.asksPassword)
            #expect(shown.invitedBy == Actor.commandLine)
            #expect(try await store.invitation(token + "x") == nil)
            // Before it is accepted, the role counts only for somebody for whom a proxy vouches.
            #expect(try await store.user(email: Self.email)?.roles == roles)
            #expect(try await store.users(of: fixture.shop).map(\.isAccepted) == [false])
            await #expect(throws: UserStoreError.self) { try await store.accept(token, password: "too short") }
            await #expect(throws: UserStoreError.self) { try await store.accept(token, password: "password1234") }
            #expect(try await store.accept("x", password: Self.password) == .unknown)
            let user = try #require(try await fixture.accept(token))
            #expect(user.hasPassword && user.roles == roles)
            #expect(try await store.users(of: fixture.shop).map(\.isAccepted) == [true])
            #expect(try await store.invitation(token) == nil)
            #expect(try await store.accept(token, password: "another mule cell") == .unknown)
            #expect(try await store.invite(Self.email, as: .analyst, to: fixture.shop).token == nil)
            #expect(try await store.user(email: Self.email, password: Self.password) == user)
            #expect(try await store.hasUsers())
            #expect(try await !fixture.base.database.hasText(Self.password))
        }
    }

    /// A link that went to somebody else is made good by another one.
    @Test(arguments: [false, true]) func areInvitedToAnAppByTheNewestLink(settingPassword: Bool) async throws {
        try await Self.with { fixture in
            let elsewhere = try await fixture.invite(Self.email, to: fixture.other)
            let old = try await fixture.invite(Self.email, to: fixture.shop, settingPassword: settingPassword)
            let new = try await fixture.invite(Self.email, to: fixture.shop)
            #expect(try await fixture.store.invitation(old) == nil)
            #expect(try await fixture.store.accept(old, password: "another mule cell") == .unknown)
            #expect(try await fixture.accept(new)?.roles.map(\.appID) == ["shop"])
            #expect(try await fixture.accept(elsewhere)?.roles.count == 2)
        }
    }

    @Test func areInvitedForADay() async throws {
        try await Self.with { fixture in
            let store = fixture.store
            let token = try #require(try await store.invite(Self.email, as: .viewer, to: fixture.shop).token)
            try await fixture.base.run("update dashboard_invitation set created_at = now() - interval '86399 seconds'")
            #expect(try await store.invitation(token) != nil)
            try await fixture.base.run("update dashboard_invitation set created_at = now() - interval '86400 seconds'")
            #expect(try await store.invitation(token) == nil)
            #expect(try await store.accept(token, password: Self.password) == .unknown)
            // The next invitation, to any app, removes the old ones.
            _ = try await store.invite(Self.email, as: .viewer, to: fixture.other)
            #expect(try await fixture.base.count("select count(*) from dashboard_invitation") == 1)
        }
    }

    @Test func acceptAnInvitationOnceOnAllDaemons() async throws {
        try await Self.with { fixture in
            let address = fixture.base.database.address
            let other = PostgresPool(address: address, size: 2, options: TestDatabases.options)
            let token = try #require(try await fixture.store.invite(Self.email, as: .viewer, to: fixture.shop).token)
            let stores = [fixture.store, UserStore(pool: other, cost: PasswordTests.cheap, work: fixture.work)]
            let answers = try await withThrowingTaskGroup(of: Acceptance.self) { group in
                for number in 0..<6 {
                    group.addTask { try await stores[number % 2].accept(token, password: "mule cell pin \(number)") }
                }
                return try await group.reduce(into: [Acceptance]()) { $0.append($1) }
            }
            #expect(answers.filter { $0 == .unknown }.count == 5)
            await other.close()
        }
    }

    /// A manager of one app who chose the password of an address is in no other app to which it is invited later.
    @Test func acceptEachAppByItsOwnInvitation() async throws {
        try await Self.with { fixture in
            let (store, shop, other) = (fixture.store, fixture.shop, fixture.other)
            // Whoever manages the shop opens the link to it.
            #expect(try await fixture.accept(try await fixture.invite(Self.email, to: shop)) != nil)
            let session = try await fixture.signIn()
            _ = try await fixture.invite(Self.email, to: other)
            #expect(try await store.user(email: Self.email, password: Self.password)?.roles.map(\.appID) == ["shop"])
            #expect(try await !fixture.sessions.choose("other", in: session))
            #expect(try await store.users(of: other).map(\.isAccepted) == [false])
            // Neither another invitation nor another role accepts it.
            let token = try await fixture.invite(Self.email, to: other)
            try await store.setRole(.manager, of: Self.email, in: other)
            #expect(try await store.user(email: Self.email, password: Self.password)?.roles.map(\.appID) == ["shop"])
            // Who has the link of the other app enters the password; to choose one, they need the owner.
            #expect(try await store.invitation(token)?.asksPassword == true)
            #expect(try await store.accept(token, password: "another mule cell") == .wrongPassword)
            #expect(try await store.user(email: Self.email, password: "another mule cell") == nil)
            #expect(try await fixture.accept(token)?.roles.map(\.role) == [.manager, .viewer])
            // The password is the same, and so is the session.
            #expect(try await fixture.sessions.choose("other", in: session))
        }
    }

    /// The owner's link leads out of it if somebody else has chosen the password.
    @Test func getAnotherPasswordByTheOwner() async throws {
        try await Self.with { fixture in
            let (store, shop, other) = (fixture.store, fixture.shop, fixture.other)
            try await fixture.join(Self.email, of: shop)
            let session = try await fixture.signIn()
            let pending = try await fixture.invite(Self.email, to: other)
            let token = try await fixture.invite(Self.email, to: other, settingPassword: true)
            #expect(try await store.invitation(token)?.asksPassword == false)
            #expect(try await fixture.accept(token, "another mule cell")?.roles.count == 2)
            #expect(try await store.user(email: Self.email, password: Self.password) == nil)
            #expect(try await fixture.sessions.session(session) == nil)
            #expect(try await store.invitation(pending) == nil)
        }
    }

    /// A password that opens nothing protects nobody.
    @Test func chooseAPasswordWhereTheyHaveAcceptedNothing() async throws {
        try await Self.with { fixture in
            let (store, shop, other) = (fixture.store, fixture.shop, fixture.other)
            try await fixture.join(Self.email, of: shop)
            let session = try await fixture.signIn()
            let token = try await fixture.invite(Self.email, to: other)
            try await store.remove(Self.email, from: shop)
            #expect(try await store.user(email: Self.email, password: Self.password) == nil)
            #expect(try await fixture.sessions.session(session) == nil)
            #expect(try await store.invitation(token)?.asksPassword == false)
            #expect(try await fixture.accept(token, "another mule cell")?.roles.map(\.appID) == ["other"])
            #expect(try await store.user(email: Self.email, password: Self.password) == nil)
        }
    }

    /// Of two links that choose a password, the second asks for that of the first.
    @Test func chooseOnePassword() async throws {
        try await Self.with { fixture in
            let (shop, other) = (fixture.shop, fixture.other)
            let first = try await fixture.invite(Self.email, to: shop)
            let second = try await fixture.invite(Self.email, to: other)
            #expect(try await fixture.accept(first)?.roles.map(\.appID) == ["shop"])
            #expect(try await fixture.store.accept(second, password: "another mule cell") == .wrongPassword)
            #expect(try await fixture.accept(second)?.roles.count == 2)
        }
    }

    /// A manager of one app, who has a link, must not get into the next app with it. Nor is a link of the next app one
    /// into the first.
    @Test(arguments: [false, true]) func getIntoOneAppByALink(settingPassword: Bool) async throws {
        try await Self.with { fixture in
            let (store, shop, other) = (fixture.store, fixture.shop, fixture.other)
            for (first, second) in [(shop, other), (other, shop)] {
                let email = "\(first.profile.id)@example.com"
                let old = try await fixture.invite(email, to: first, settingPassword: settingPassword)
                let new = try await fixture.invite(email, to: second)
                // A manager of the next app cannot end it, and it opens its own app alone.
                #expect(try await fixture.accept(old)?.roles.map(\.appID) == [first.profile.id])
                #expect(try await store.users(of: second).first { $0.email == email }?.isAccepted == false)
                #expect(try await fixture.accept(new)?.roles.count == 2)
            }
        }
    }

    /// A link to another password must not lead into an app whose role was accepted after it was made.
    @Test func endLinksToAPasswordByAccepting() async throws {
        try await Self.with { fixture in
            let old = try await fixture.invite(Self.email, to: fixture.shop, settingPassword: true)
            let new = try await fixture.invite(Self.email, to: fixture.other)
            #expect(try await fixture.accept(new)?.roles.map(\.appID) == ["other"])
            #expect(try await fixture.store.accept(old, password: "another mule cell") == .unknown)
            #expect(try await fixture.store.user(email: Self.email, password: Self.password) != nil)
        }
    }

    /// A manager must not become somebody whom a proxy signs in: a password opens what its own link has accepted.
    @Test func haveAllRolesOnlyWhereAProxyVouches() async throws {
        try await Self.with { fixture in
            let (store, sessions) = (fixture.store, fixture.sessions)
            _ = try await store.invite(Self.email, as: .manager, to: fixture.other)
            let proxied = try #require(try await store.user(email: Self.email))
            let vouched = try await sessions.begin(user: proxied, browser: "", isVouched: true)
            #expect(try await sessions.session(vouched)?.isVouched == true)
            // Whoever manages the shop has a link, too.
            #expect(try await fixture.accept(try await fixture.invite(Self.email, to: fixture.shop)) != nil)
            let session = try await fixture.signIn()
            guard case .user(let user) = try await sessions.session(session)?.holder else {
                Issue.record("no session")
                return
            }
            #expect(user.roles.map(\.appID) == ["shop"])
            #expect(try await !sessions.choose("other", in: session))
            // A new password ended the sessions; the proxy begins another one.
            let again = try #require(try await store.user(email: Self.email))
            #expect(again.roles.map(\.appID) == ["other", "shop"])
            let next = try await sessions.begin(user: again, browser: "", isVouched: true)
            #expect(try await sessions.choose("shop", in: next))
            #expect(try await sessions.session(next)?.holder == .user(again))
        }
    }

    /// Also in an app that is being deleted, or with a role of a later version.
    @Test func enterTheirPasswordWithARoleThatIsNotShown() async throws {
        try await Self.with { fixture in
            try await fixture.join(Self.email, of: fixture.other)
            try await fixture.base.run("update dashboard_role set role = 'auditor'")
            let token = try await fixture.invite(Self.email, to: fixture.shop)
            #expect(try await fixture.store.invitation(token)?.asksPassword == true)
            #expect(try await fixture.accept(token)?.roles.map(\.appID) == ["shop"])
        }
    }

    @Test func areNoInvitationToAnAppThatTheyLeft() async throws {
        try await Self.with { fixture in
            let (store, shop) = (fixture.store, fixture.shop)
            try await fixture.join(Self.email, of: fixture.other)
            let token = try await fixture.invite(Self.email, to: shop)
            try await store.remove(Self.email, from: shop)
            #expect(try await store.accept(token, password: Self.password) == .unknown)
            let next = try await fixture.invite(Self.email, to: shop)
            try await fixture.base.run("insert into deleted_app (app_number) values (\(shop.number))")
            #expect(try await store.accept(next, password: Self.password) == .unknown)
        }
    }

    @Test func keepTheirRoleWhenTheyAreInvitedAgain() async throws {
        try await Self.with { fixture in
            let store = fixture.store
            for isAccepted in [false, true] {
                _ = try await store.invite(Self.email, as: .viewer, to: fixture.shop)
                if isAccepted { try await fixture.join(Self.email) }
                for settingPassword in [false, true] {
                    await #expect(throws: UserStoreError.isUser(Self.email, "viewer", app: "shop")) {
                        _ = try await store.invite(
                            Self.email,
                            as: .manager,
                            to: fixture.shop,
                            settingPassword: settingPassword
                        )
                    }
                }
            }
            #expect(try await store.users(of: fixture.shop).map(\.role) == [.viewer])
        }
    }

    @Test func doNotLowerTheirOwnRole() async throws {
        try await Self.with { fixture in
            let store = fixture.store
            try await fixture.join(Self.email, as: .manager)
            try await Actor.$current.withValue(Self.email) {
                await #expect(throws: UserStoreError.ownRole) {
                    try await store.setRole(.viewer, of: "Ann@example.com", in: fixture.shop)
                }
                try await store.setRole(.manager, of: Self.email, in: fixture.shop)
            }
            #expect(try await store.users(of: fixture.shop).map(\.role) == [.manager])
        }
    }

    @Test func areInTheLogWithTheirPasswords() async throws {
        try await Self.with { fixture in
            try await fixture.join(Self.email)
            let user = try await fixture.join(Self.email)
            _ = try await fixture.store.changePassword(of: user, from: Self.password, to: "another mule cell")
            let changes = try await ChangeLog(pool: fixture.base.pool).changes(of: nil, limit: 9)
            let passwords = changes.filter { $0.what == "user.password" }
            #expect(passwords.map(\.subject) == [Self.email, Self.email])
            #expect(passwords.allSatisfy { $0.appID == nil && $0.before == nil && $0.after == nil })
            // The link was opened by somebody who is not signed in.
            #expect(passwords.last?.who == Self.email)
            let accepted = try #require(changes.first { $0.what == "user.accept" })
            #expect(accepted.who == Self.email && accepted.appID == "shop" && accepted.after == #"{"role":"viewer"}"#)
        }
    }

    /// Whoever has a link to another password may become the user in each app.
    @Test func areInTheLogWithLinksThatSetAPassword() async throws {
        try await Self.with { fixture in
            for settingPassword in [false, true] {
                _ = try await fixture.invite(Self.email, to: fixture.shop, settingPassword: settingPassword)
            }
            let changes = try await ChangeLog(pool: fixture.base.pool).changes(of: fixture.shop, limit: 9)
            let invitations = changes.filter { $0.what == "user.invite" }.map(\.after)
            #expect(invitations == [#"{"link":true,"new_password":true}"#, #"{"role":"viewer","link":true}"#])
        }
    }

    @Test(arguments: TestSeeds.seeds(20, in: 2)) func areTheSameInAnySpelling(seeds: Range<UInt64>) async throws {
        try await Self.with { fixture in
            let user = try await fixture.join("ann.b+x@mail.example.com")
            for seed in seeds {
                var random = SeededRandom(seed: seed)
                let letters = user.email.map { random.chance(30) ? $0.uppercased() : String($0) }
                let blanks = [" ", "\t", "\n", "\u{a0}", ""]
                let spelling =
                    (blanks.randomElement(using: &random) ?? "") + letters.joined()
                    + (blanks.randomElement(using: &random) ?? "")
                #expect(EmailAddress(spelling)?.text == user.email, "seed \(seed)")
                #expect(try await fixture.store.user(email: spelling, password: Self.password) == user, "seed \(seed)")
                let invited = try await fixture.store.invite(spelling, as: .viewer, to: fixture.shop).user
                #expect(invited == user, "seed \(seed)")
            }
            #expect(try await fixture.base.count("select count(*) from dashboard_user") == 1)
        }
    }

    @Test(arguments: [
        "", " ", "ann", "@", "ann@", "@example.com", "ann@b@example.com", "ann b@example.com", "ann@exam\u{0}ple.com",
        "ann@exa\nmple.com", "\"ann\"@example.com", "ann@example.com,bob@example.com", "<ann@example.com>",
        "änn@example.com", "ann@\u{212A}elvin.example", "ann@example.com\u{202E}",
        String(repeating: "a", count: 243) + "@example.com",
    ])
    func haveAnAddress(email: String) async throws {
        try await Self.with { fixture in
            await #expect(throws: UserStoreError.invalidEmail(email)) {
                _ = try await fixture.store.invite(email, as: .viewer, to: fixture.shop)
            }
            let found = try await fixture.store.user(email: email)
            #expect(found == nil)
            #expect(try await fixture.store.user(email: email, password: Self.password) == nil)
            await #expect(throws: UserStoreError.unknownUser(email, app: "shop")) {
                try await fixture.store.remove(email, from: fixture.shop)
            }
        }
    }

    /// A stranger must not learn from the time of an answer who is a user.
    @Test func costAHashWhetherTheyExistOrNot() async throws {
        try await Self.with { fixture in
            try await fixture.join(Self.email)
            _ = try await fixture.store.invite("bob@example.com", as: .viewer, to: fixture.shop)
            try await fixture.join("eve@example.com")
            try await fixture.base.run("update dashboard_user set password = 'x' where email = 'eve@example.com'")
            for email in [Self.email, "bob@example.com", "eve@example.com", "nobody@example.com", "no address", ""] {
                let before = fixture.work.total
                #expect(try await fixture.store.user(email: email, password: "wrong mule cell") == nil, "\(email)")
                #expect(fixture.work.total == before + 1, "\(email)")
            }
        }
    }

    @Test func changeTheirPassword() async throws {
        try await Self.with { fixture in
            let (store, sessions) = (fixture.store, fixture.sessions)
            let user = try await fixture.join(Self.email)
            let bob = try await fixture.join("bob@example.com")
            let (here, elsewhere) = (try await fixture.signIn(), try await fixture.signIn())
            let bobs = try await sessions.begin(user: bob, browser: "")
            let token = try await fixture.invite(Self.email, to: fixture.shop, settingPassword: true)
            let new = "another mule cell"
            #expect(try await !store.changePassword(of: user, from: "wrong mule cell", to: new, keeping: here))
            await #expect(throws: UserStoreError.self) {
                try await store.changePassword(of: user, from: Self.password, to: Self.email, keeping: here)
            }
            #expect(try await sessions.sessions(of: user).count == 2)
            #expect(try await store.changePassword(of: user, from: Self.password, to: new, keeping: here))
            for session in [here, bobs] { #expect(try await sessions.session(session) != nil) }
            #expect(try await sessions.session(elsewhere) == nil)
            #expect(try await store.invitation(token) == nil)
            #expect(try await store.user(email: Self.email, password: Self.password) == nil)
            #expect(try await store.user(email: Self.email, password: new) != nil)
            #expect(try await store.changePassword(of: user, from: new, to: Self.password))
            #expect(try await sessions.session(here) == nil)
            // Somebody whom a proxy signs in has none to change.
            let proxied = try await store.invite("eve@example.com", as: .viewer, to: fixture.shop).user
            #expect(try await !store.changePassword(of: proxied, from: "", to: new))
        }
    }

    @Test func endTheirSessionsWithANewPassword() async throws {
        try await Self.with { fixture in
            try await fixture.join(Self.email)
            let session = try await fixture.signIn()
            try await fixture.join(Self.email)
            #expect(try await fixture.sessions.session(session) == nil)
        }
    }

    @Test func haveAnotherRoleAtTheNextRequest() async throws {
        try await Self.with { fixture in
            let (store, sessions) = (fixture.store, fixture.sessions)
            try await fixture.join(Self.email, as: .analyst)
            try await fixture.join(Self.email, as: .manager, of: fixture.other)
            // Sessions begin in the first app by id.
            let (inOther, inShop) = (try await fixture.signIn(), try await fixture.signIn())
            #expect(try await sessions.session(inOther)?.appID == "other")
            #expect(try await sessions.choose("shop", in: inShop))
            try await store.setRole(.analyst, of: Self.email, in: fixture.shop)
            #expect(try await sessions.session(inShop)?.appID == "shop", "the role is the one that it was")
            try await store.setRole(.viewer, of: "ANN@example.com", in: fixture.shop)
            #expect(try await sessions.session(inShop) == nil)
            let left = try #require(try await sessions.session(inOther))
            let user = try #require(try await store.user(email: Self.email))
            #expect(left.holder == .user(user))
            #expect(user.role(in: "shop") == .viewer && user.role(in: "other") == .manager)
            try await store.setRole(.viewer, of: Self.email, in: fixture.other)
            #expect(try await sessions.session(inOther) == nil)
            #expect(try await store.users(of: fixture.shop).map(\.role) == [.viewer])
            for email in ["nobody@example.com", "no address"] {
                await #expect(throws: UserStoreError.unknownUser(email, app: "shop")) {
                    try await store.setRole(.viewer, of: email, in: fixture.shop)
                }
            }
        }
    }

    @Test func areRemovedFromOneApp() async throws {
        try await Self.with { fixture in
            let store = fixture.store
            try await fixture.join(Self.email)
            try await fixture.join("bob@example.com")
            try await fixture.join(Self.email, as: .manager, of: fixture.other)
            let (inOther, inShop) = (try await fixture.signIn(), try await fixture.signIn())
            #expect(try await fixture.sessions.choose("shop", in: inShop))
            // Another daemon.
            let address = fixture.base.database.address
            let pool = PostgresPool(address: address, size: 1, options: TestDatabases.options)
            let others = SessionStore(pool: pool)
            #expect(try await others.session(inShop)?.appID == "shop")
            try await store.remove(Self.email, from: fixture.shop)
            #expect(try await others.session(inShop) == nil)
            #expect(try await others.session(inOther)?.appID == "other")
            #expect(try await !others.choose("shop", in: inOther))
            await #expect(throws: UserStoreError.unknownUser(Self.email, app: "shop")) {
                try await store.remove(Self.email, from: fixture.shop)
            }
            #expect(try await store.users(of: fixture.shop).map(\.email) == ["bob@example.com"])
            try await store.remove(Self.email, from: fixture.other)
            #expect(try await others.session(inOther) == nil)
            #expect(try await store.user(email: Self.email) == nil)
            #expect(try await fixture.base.texts("select email from dashboard_user") == ["bob@example.com"])
            #expect(try await !fixture.base.database.hasText(Self.email))
            await pool.close()
        }
    }

    /// An invitation and a removal at the same time: who is invited stays a user.
    @Test func stayWhereTheyAreInvitedMeanwhile() async throws {
        try await Self.with { fixture in
            for number in 0..<20 {
                let email = "user\(number)@example.com"
                _ = try await fixture.store.invite(email, as: .viewer, to: fixture.shop)
                async let removed: Void = fixture.store.remove(email, from: fixture.shop)
                async let invited = fixture.store.invite(email, as: .analyst, to: fixture.other)
                _ = try await (removed, invited)
                #expect(try await fixture.store.user(email: email)?.roles.map(\.appID) == ["other"])
            }
        }
    }

    @Test func areGoneWithTheirLastApp() async throws {
        try await Self.with { fixture in
            try await fixture.join(Self.email)
            try await fixture.join("bob@example.com")
            try await fixture.join(Self.email, as: .manager, of: fixture.other)
            let (session, bobs) = (try await fixture.signIn(), try await fixture.signIn("bob@example.com"))
            #expect(try await fixture.sessions.choose("shop", in: session))
            try await AppStore(pool: fixture.base.pool).delete(fixture.shop)
            for session in [session, bobs] { #expect(try await fixture.sessions.session(session) == nil) }
            #expect(try await fixture.store.user(email: Self.email)?.roles.map(\.appID) == ["other"])
            #expect(try await fixture.base.texts("select email from dashboard_user") == [Self.email])
        }
    }

    /// Deleting an app takes its time. Nobody looks at it meanwhile.
    @Test func haveNoRoleInAnAppThatIsBeingDeleted() async throws {
        try await Self.with { fixture in
            try await fixture.join(Self.email)
            let session = try await fixture.signIn()
            try await fixture.base.run("insert into deleted_app (app_number) values (\(fixture.shop.number))")
            #expect(try await fixture.sessions.session(session) == nil)
            #expect(try await fixture.store.user(email: Self.email) == nil)
        }
    }

    /// A row that a later version has written, or that is damaged, is no failure of others.
    @Test func areLeftOutIfTheyCannotBeRead() async throws {
        try await Self.with { fixture in
            let store = fixture.store
            for email in [Self.email, "bob@example.com", "eve@example.com"] { try await fixture.join(email) }
            try await fixture.join(Self.email, as: .manager, of: fixture.other)
            let session = try await fixture.signIn()
            let bobs = try await fixture.signIn("bob@example.com")
            #expect(try await fixture.sessions.choose("shop", in: session))
            try await fixture.base.run(
                """
                update dashboard_role set role = 'auditor of tomorrow'
                where app_number = \(fixture.shop.number)
                    and user_number in (select user_number from dashboard_user where email !~ 'eve');
                update dashboard_user set password = 'scrypt 99 8 1 00 zz' where email ~ 'eve'
                """
            )
            #expect(try await store.users(of: fixture.shop).map(\.email) == ["eve@example.com"])
            let user = try #require(try await store.user(email: Self.email, password: Self.password))
            #expect(user.roles.map(\.role) == [.manager])
            #expect(try await fixture.sessions.session(session)?.appID == "other")
            // A user without any role that is known.
            #expect(try await fixture.sessions.session(bobs) == nil)
            #expect(try await store.user(email: "bob@example.com") == nil)
            #expect(try await store.user(email: "bob@example.com", password: Self.password) == nil)
            // A damaged hash is no password; a new one mends it.
            #expect(try await store.user(email: "eve@example.com", password: Self.password) == nil)
            try await fixture.join("eve@example.com")
            #expect(try await store.user(email: "eve@example.com", password: Self.password) != nil)
            try await store.setRole(.analyst, of: "bob@example.com", in: fixture.shop)
            #expect(try await store.user(email: "bob@example.com")?.role(in: "shop") == .analyst)
        }
    }

    @Test(arguments: ["manager ", " manager", "viewer manager", "manager\n", "Manager", "", " ", "manager viewer Shop"])
    func haveNoRoleByADamagedWord(word: String) async throws {
        try await Self.with { fixture in
            _ = try await fixture.store.invite(Self.email, as: .analyst, to: fixture.other)
            _ = try await fixture.store.invite(Self.email, as: .viewer, to: fixture.shop)
            try await fixture.base.run(
                "update dashboard_role set role = '\(word)' where app_number = \(fixture.shop.number)"
            )
            let roles = [User.Role(appID: "other", appName: "Other Shop", role: .analyst)]
            #expect(try await fixture.store.user(email: Self.email)?.roles == roles)
        }
    }

    @Test func haveRolesInOrder() {
        #expect(AppRole.allCases.sorted() == [.viewer, .analyst, .manager])
        #expect(AppRole.viewer < .analyst && AppRole.analyst < .manager && !(AppRole.manager < .manager))
    }
}

extension TestDatabase {
    /// Whether a text stands anywhere in the tables of users.
    fileprivate func hasText(_ text: String) async throws -> Bool {
        try await pool.withConnection { connection in
            for table in ["dashboard_user", "dashboard_role", "dashboard_invitation", "dashboard_session"] {
                let rows = try connection.query("select t::text from \(table) as t").map { try $0.text(0) }
                let hexadecimal = text.utf8.map { String($0, radix: 16) }.joined()
                if rows.contains(where: { $0.contains(text) || $0.contains(hexadecimal) }) { return true }
            }
            return false
        }
    }
}
