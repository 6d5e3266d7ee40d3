import Postgres
import PostgresTesting
import RandomTesting
import Testing

@testable import Storage

@Suite("Users")
struct UserStoreTests {
    @Test func keepTheirRoleWhenTheyAreInvitedAgain() async throws {
        try await UserTesting.with { fixture in
            let store = fixture.store
            for isAccepted in [false, true] {
                _ = try await store.invite(UserTesting.email, as: .viewer, to: fixture.shop)
                if isAccepted { try await fixture.join(UserTesting.email) }
                for settingPassword in [false, true] {
                    await #expect(throws: UserStoreError.isUser(UserTesting.email, "viewer", app: "shop")) {
                        _ = try await store.invite(
                            UserTesting.email,
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
        try await UserTesting.with { fixture in
            let store = fixture.store
            try await fixture.join(UserTesting.email, as: .manager)
            try await Actor.$current.withValue(UserTesting.email) {
                await #expect(throws: UserStoreError.ownRole) {
                    try await store.setRole(.viewer, of: "Ann@example.com", in: fixture.shop)
                }
                try await store.setRole(.manager, of: UserTesting.email, in: fixture.shop)
            }
            #expect(try await store.users(of: fixture.shop).map(\.role) == [.manager])
        }
    }

    @Test func areInTheLogWithTheirPasswords() async throws {
        try await UserTesting.with { fixture in
            try await fixture.join(UserTesting.email)
            let user = try await fixture.join(UserTesting.email)
            _ = try await fixture.store.changePassword(of: user, from: UserTesting.password, to: "another mule cell")
            let changes = try await ChangeLog(pool: fixture.base.pool).changes(of: nil, limit: 9)
            let passwords = changes.filter { $0.what == "user.password" }
            #expect(passwords.map(\.subject) == [UserTesting.email, UserTesting.email])
            #expect(passwords.allSatisfy { $0.appID == nil && $0.before == nil && $0.after == nil })
            // The link was opened by somebody who is not signed in.
            #expect(passwords.last?.who == UserTesting.email)
            let accepted = try #require(changes.first { $0.what == "user.accept" })
            #expect(
                accepted.who == UserTesting.email && accepted.appID == "shop" && accepted.after == #"{"role":"viewer"}"#
            )
        }
    }

    /// Whoever has a link to another password may become the user in each app.
    @Test func areInTheLogWithLinksThatSetAPassword() async throws {
        try await UserTesting.with { fixture in
            for settingPassword in [false, true] {
                _ = try await fixture.invite(UserTesting.email, to: fixture.shop, settingPassword: settingPassword)
            }
            let changes = try await ChangeLog(pool: fixture.base.pool).changes(of: fixture.shop, limit: 9)
            let invitations = changes.filter { $0.what == "user.invite" }.map(\.after)
            #expect(invitations == [#"{"link":true,"new_password":true}"#, #"{"role":"viewer","link":true}"#])
        }
    }

    @Test(arguments: TestSeeds.seeds(20, in: 2)) func areTheSameInAnySpelling(seeds: Range<UInt64>) async throws {
        try await UserTesting.with { fixture in
            let user = try await fixture.join("ann.b+x@mail.example.com")
            for seed in seeds {
                var random = SeededRandom(seed: seed)
                let letters = user.email.map { random.chance(30) ? $0.uppercased() : String($0) }
                let blanks = [" ", "\t", "\n", "\u{a0}", ""]
                let spelling =
                    (blanks.randomElement(using: &random) ?? "") + letters.joined()
                    + (blanks.randomElement(using: &random) ?? "")
                #expect(EmailAddress(spelling)?.text == user.email, "seed \(seed)")
                #expect(
                    try await fixture.store.user(email: spelling, password: UserTesting.password) == user,
                    "seed \(seed)"
                )
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
        try await UserTesting.with { fixture in
            await #expect(throws: UserStoreError.invalidEmail(email)) {
                _ = try await fixture.store.invite(email, as: .viewer, to: fixture.shop)
            }
            let found = try await fixture.store.user(email: email)
            #expect(found == nil)
            #expect(try await fixture.store.user(email: email, password: UserTesting.password) == nil)
            await #expect(throws: UserStoreError.unknownUser(email, app: "shop")) {
                try await fixture.store.remove(email, from: fixture.shop)
            }
        }
    }

    /// A stranger must not learn from the time of an answer who is a user.
    @Test func costAHashWhetherTheyExistOrNot() async throws {
        try await UserTesting.with { fixture in
            try await fixture.join(UserTesting.email)
            _ = try await fixture.store.invite("bob@example.com", as: .viewer, to: fixture.shop)
            try await fixture.join("eve@example.com")
            try await fixture.base.run("update dashboard_user set password = 'x' where email = 'eve@example.com'")
            for email in [
                UserTesting.email, "bob@example.com", "eve@example.com", "nobody@example.com", "no address", "",
            ] {
                let before = fixture.work.total
                #expect(try await fixture.store.user(email: email, password: "wrong mule cell") == nil, "\(email)")
                #expect(fixture.work.total == before + 1, "\(email)")
            }
        }
    }

    @Test func changeTheirPassword() async throws {
        try await UserTesting.with { fixture in
            let (store, sessions) = (fixture.store, fixture.sessions)
            let user = try await fixture.join(UserTesting.email)
            let bob = try await fixture.join("bob@example.com")
            let (here, elsewhere) = (try await fixture.signIn(), try await fixture.signIn())
            let bobs = try await sessions.begin(user: bob, browser: "")
            let token = try await fixture.invite(UserTesting.email, to: fixture.shop, settingPassword: true)
            let new = "another mule cell"
            #expect(try await !store.changePassword(of: user, from: "wrong mule cell", to: new, keeping: here))
            await #expect(throws: UserStoreError.self) {
                try await store.changePassword(
                    of: user,
                    from: UserTesting.password,
                    to: UserTesting.email,
                    keeping: here
                )
            }
            #expect(try await sessions.sessions(of: user).count == 2)
            #expect(try await store.changePassword(of: user, from: UserTesting.password, to: new, keeping: here))
            for session in [here, bobs] { #expect(try await sessions.session(session) != nil) }
            #expect(try await sessions.session(elsewhere) == nil)
            #expect(try await store.invitation(token) == nil)
            #expect(try await store.user(email: UserTesting.email, password: UserTesting.password) == nil)
            #expect(try await store.user(email: UserTesting.email, password: new) != nil)
            #expect(try await store.changePassword(of: user, from: new, to: UserTesting.password))
            #expect(try await sessions.session(here) == nil)
            // Somebody whom a proxy signs in has none to change.
            let proxied = try await store.invite("eve@example.com", as: .viewer, to: fixture.shop).user
            #expect(try await !store.changePassword(of: proxied, from: "", to: new))
        }
    }

    @Test func endTheirSessionsWithANewPassword() async throws {
        try await UserTesting.with { fixture in
            try await fixture.join(UserTesting.email)
            let session = try await fixture.signIn()
            try await fixture.join(UserTesting.email)
            #expect(try await fixture.sessions.session(session) == nil)
        }
    }

    @Test func haveAnotherRoleAtTheNextRequest() async throws {
        try await UserTesting.with { fixture in
            let (store, sessions) = (fixture.store, fixture.sessions)
            try await fixture.join(UserTesting.email, as: .analyst)
            try await fixture.join(UserTesting.email, as: .manager, of: fixture.other)
            // Sessions begin in the first app by id.
            let (inOther, inShop) = (try await fixture.signIn(), try await fixture.signIn())
            #expect(try await sessions.session(inOther)?.appID == "other")
            #expect(try await sessions.choose("shop", in: inShop))
            try await store.setRole(.analyst, of: UserTesting.email, in: fixture.shop)
            #expect(try await sessions.session(inShop)?.appID == "shop", "the role is the one that it was")
            try await store.setRole(.viewer, of: "ANN@example.com", in: fixture.shop)
            #expect(try await sessions.session(inShop) == nil)
            let left = try #require(try await sessions.session(inOther))
            let user = try #require(try await store.user(email: UserTesting.email))
            #expect(left.holder == .user(user))
            #expect(user.role(in: "shop") == .viewer && user.role(in: "other") == .manager)
            try await store.setRole(.viewer, of: UserTesting.email, in: fixture.other)
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
        try await UserTesting.with { fixture in
            let store = fixture.store
            try await fixture.join(UserTesting.email)
            try await fixture.join("bob@example.com")
            try await fixture.join(UserTesting.email, as: .manager, of: fixture.other)
            let (inOther, inShop) = (try await fixture.signIn(), try await fixture.signIn())
            #expect(try await fixture.sessions.choose("shop", in: inShop))
            // Another daemon.
            let address = fixture.base.database.address
            let pool = PostgresPool(address: address, size: 1, options: TestDatabases.options)
            let others = SessionStore(pool: pool)
            #expect(try await others.session(inShop)?.appID == "shop")
            try await store.remove(UserTesting.email, from: fixture.shop)
            #expect(try await others.session(inShop) == nil)
            #expect(try await others.session(inOther)?.appID == "other")
            #expect(try await !others.choose("shop", in: inOther))
            await #expect(throws: UserStoreError.unknownUser(UserTesting.email, app: "shop")) {
                try await store.remove(UserTesting.email, from: fixture.shop)
            }
            #expect(try await store.users(of: fixture.shop).map(\.email) == ["bob@example.com"])
            try await store.remove(UserTesting.email, from: fixture.other)
            #expect(try await others.session(inOther) == nil)
            #expect(try await store.user(email: UserTesting.email) == nil)
            #expect(try await fixture.base.texts("select email from dashboard_user") == ["bob@example.com"])
            #expect(try await !fixture.base.database.hasText(UserTesting.email))
            await pool.close()
        }
    }

    /// An invitation and a removal at the same time: who is invited stays a user.
    @Test func stayWhereTheyAreInvitedMeanwhile() async throws {
        try await UserTesting.with { fixture in
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
        try await UserTesting.with { fixture in
            try await fixture.join(UserTesting.email)
            try await fixture.join("bob@example.com")
            try await fixture.join(UserTesting.email, as: .manager, of: fixture.other)
            let (session, bobs) = (try await fixture.signIn(), try await fixture.signIn("bob@example.com"))
            #expect(try await fixture.sessions.choose("shop", in: session))
            try await AppStore(pool: fixture.base.pool).delete(fixture.shop)
            for session in [session, bobs] { #expect(try await fixture.sessions.session(session) == nil) }
            #expect(try await fixture.store.user(email: UserTesting.email)?.roles.map(\.appID) == ["other"])
            #expect(try await fixture.base.texts("select email from dashboard_user") == [UserTesting.email])
        }
    }

    /// Deleting an app takes its time. Nobody looks at it meanwhile.
    @Test func haveNoRoleInAnAppThatIsBeingDeleted() async throws {
        try await UserTesting.with { fixture in
            try await fixture.join(UserTesting.email)
            let session = try await fixture.signIn()
            try await fixture.base.run("insert into deleted_app (app_number) values (\(fixture.shop.number))")
            #expect(try await fixture.sessions.session(session) == nil)
            #expect(try await fixture.store.user(email: UserTesting.email) == nil)
        }
    }

    /// A row that a later version has written, or that is damaged, is no failure of others.
    @Test func areLeftOutIfTheyCannotBeRead() async throws {
        try await UserTesting.with { fixture in
            let store = fixture.store
            for email in [UserTesting.email, "bob@example.com", "eve@example.com"] { try await fixture.join(email) }
            try await fixture.join(UserTesting.email, as: .manager, of: fixture.other)
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
            let user = try #require(try await store.user(email: UserTesting.email, password: UserTesting.password))
            #expect(user.roles.map(\.role) == [.manager])
            #expect(try await fixture.sessions.session(session)?.appID == "other")
            // A user without any role that is known.
            #expect(try await fixture.sessions.session(bobs) == nil)
            #expect(try await store.user(email: "bob@example.com") == nil)
            #expect(try await store.user(email: "bob@example.com", password: UserTesting.password) == nil)
            // A damaged hash is no password; a new one mends it.
            #expect(try await store.user(email: "eve@example.com", password: UserTesting.password) == nil)
            try await fixture.join("eve@example.com")
            #expect(try await store.user(email: "eve@example.com", password: UserTesting.password) != nil)
            try await store.setRole(.analyst, of: "bob@example.com", in: fixture.shop)
            #expect(try await store.user(email: "bob@example.com")?.role(in: "shop") == .analyst)
        }
    }

    @Test(arguments: ["manager ", " manager", "viewer manager", "manager\n", "Manager", "", " ", "manager viewer Shop"])
    func haveNoRoleByADamagedWord(word: String) async throws {
        try await UserTesting.with { fixture in
            _ = try await fixture.store.invite(UserTesting.email, as: .analyst, to: fixture.other)
            _ = try await fixture.store.invite(UserTesting.email, as: .viewer, to: fixture.shop)
            try await fixture.base.run(
                "update dashboard_role set role = '\(word)' where app_number = \(fixture.shop.number)"
            )
            let roles = [User.Role(appID: "other", appName: "Other Shop", role: .analyst)]
            #expect(try await fixture.store.user(email: UserTesting.email)?.roles == roles)
        }
    }

    @Test func haveRolesInOrder() {
        #expect(AppRole.allCases.sorted() == [.viewer, .analyst, .manager])
        #expect(AppRole.viewer < .analyst && AppRole.analyst < .manager && !(AppRole.manager < .manager))
    }
}
