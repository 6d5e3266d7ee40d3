import Postgres
import PostgresTesting
import Testing

@testable import Storage

@Suite("Users who are invited")
struct InvitedUserTests {
    @Test func chooseAPasswordByTheirInvitation() async throws {
        try await UserTesting.with { fixture in
            let store = fixture.store
            #expect(try await !store.hasUsers())
            let invitation = try await store.invite(UserTesting.email, as: .analyst, to: fixture.shop)
            let roles = [User.Role(appID: "shop", appName: "Shop", role: .analyst)]
            #expect(invitation.user.email == UserTesting.email && !invitation.user.hasPassword)
            #expect(invitation.user.roles == roles)
            let token = try #require(invitation.token)
            #expect(try await !fixture.base.database.hasText(token))
            let shown = try #require(try await store.invitation(token))
            #expect(shown.email == UserTesting.email && shown.role == roles[0] && !shown.asksPassword)
            #expect(shown.invitedBy == Actor.commandLine)
            #expect(try await store.invitation(token + "x") == nil)
            // Before it is accepted, the role counts only for somebody for whom a proxy vouches.
            #expect(try await store.user(email: UserTesting.email)?.roles == roles)
            #expect(try await store.users(of: fixture.shop).map(\.isAccepted) == [false])
            await #expect(throws: UserStoreError.self) { try await store.accept(token, password: "too short") }
            await #expect(throws: UserStoreError.self) { try await store.accept(token, password: "password1234") }
            #expect(try await store.accept("x", password: UserTesting.password) == .unknown)
            let user = try #require(try await fixture.accept(token))
            #expect(user.hasPassword && user.roles == roles)
            #expect(try await store.users(of: fixture.shop).map(\.isAccepted) == [true])
            #expect(try await store.invitation(token) == nil)
            #expect(try await store.accept(token, password: "another mule cell") == .unknown)
            #expect(try await store.invite(UserTesting.email, as: .analyst, to: fixture.shop).token == nil)
            #expect(try await store.user(email: UserTesting.email, password: UserTesting.password) == user)
            #expect(try await store.hasUsers())
            #expect(try await !fixture.base.database.hasText(UserTesting.password))
        }
    }

    /// A link that went to somebody else is made good by another one.
    @Test(arguments: [false, true]) func areInvitedToAnAppByTheNewestLink(settingPassword: Bool) async throws {
        try await UserTesting.with { fixture in
            let elsewhere = try await fixture.invite(UserTesting.email, to: fixture.other)
            let old = try await fixture.invite(UserTesting.email, to: fixture.shop, settingPassword: settingPassword)
            let new = try await fixture.invite(UserTesting.email, to: fixture.shop)
            #expect(try await fixture.store.invitation(old) == nil)
            #expect(try await fixture.store.accept(old, password: "another mule cell") == .unknown)
            #expect(try await fixture.accept(new)?.roles.map(\.appID) == ["shop"])
            #expect(try await fixture.accept(elsewhere)?.roles.count == 2)
        }
    }

    @Test func areInvitedForADay() async throws {
        try await UserTesting.with { fixture in
            let store = fixture.store
            let token = try #require(try await store.invite(UserTesting.email, as: .viewer, to: fixture.shop).token)
            try await fixture.base.run("update dashboard_invitation set created_at = now() - interval '86399 seconds'")
            #expect(try await store.invitation(token) != nil)
            try await fixture.base.run("update dashboard_invitation set created_at = now() - interval '86400 seconds'")
            #expect(try await store.invitation(token) == nil)
            #expect(try await store.accept(token, password: UserTesting.password) == .unknown)
            // The next invitation, to any app, removes the old ones.
            _ = try await store.invite(UserTesting.email, as: .viewer, to: fixture.other)
            #expect(try await fixture.base.count("select count(*) from dashboard_invitation") == 1)
        }
    }

    @Test func acceptAnInvitationOnceOnAllDaemons() async throws {
        try await UserTesting.with { fixture in
            let address = fixture.base.database.address
            let other = PostgresPool(address: address, size: 2, options: TestDatabases.options)
            let token = try #require(
                try await fixture.store.invite(UserTesting.email, as: .viewer, to: fixture.shop).token
            )
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
        try await UserTesting.with { fixture in
            let (store, shop, other) = (fixture.store, fixture.shop, fixture.other)
            // Whoever manages the shop opens the link to it.
            #expect(try await fixture.accept(try await fixture.invite(UserTesting.email, to: shop)) != nil)
            let session = try await fixture.signIn()
            _ = try await fixture.invite(UserTesting.email, to: other)
            #expect(
                try await store.user(email: UserTesting.email, password: UserTesting.password)?.roles.map(\.appID) == [
                    "shop"
                ]
            )
            #expect(try await !fixture.sessions.choose("other", in: session))
            #expect(try await store.users(of: other).map(\.isAccepted) == [false])
            // Neither another invitation nor another role accepts it.
            let token = try await fixture.invite(UserTesting.email, to: other)
            try await store.setRole(.manager, of: UserTesting.email, in: other)
            #expect(
                try await store.user(email: UserTesting.email, password: UserTesting.password)?.roles.map(\.appID) == [
                    "shop"
                ]
            )
            // Who has the link of the other app enters the password; to choose one, they need the owner.
            #expect(try await store.invitation(token)?.asksPassword == true)
            #expect(try await store.accept(token, password: "another mule cell") == .wrongPassword)
            #expect(try await store.user(email: UserTesting.email, password: "another mule cell") == nil)
            #expect(try await fixture.accept(token)?.roles.map(\.role) == [.manager, .viewer])
            // The password is the same, and so is the session.
            #expect(try await fixture.sessions.choose("other", in: session))
        }
    }

    /// The owner's link leads out of it if somebody else has chosen the password.
    @Test func getAnotherPasswordByTheOwner() async throws {
        try await UserTesting.with { fixture in
            let (store, shop, other) = (fixture.store, fixture.shop, fixture.other)
            try await fixture.join(UserTesting.email, of: shop)
            let session = try await fixture.signIn()
            let pending = try await fixture.invite(UserTesting.email, to: other)
            let token = try await fixture.invite(UserTesting.email, to: other, settingPassword: true)
            #expect(try await store.invitation(token)?.asksPassword == false)
            #expect(try await fixture.accept(token, "another mule cell")?.roles.count == 2)
            #expect(try await store.user(email: UserTesting.email, password: UserTesting.password) == nil)
            #expect(try await fixture.sessions.session(session) == nil)
            #expect(try await store.invitation(pending) == nil)
        }
    }

    /// A password that opens nothing protects nobody.
    @Test func chooseAPasswordWhereTheyHaveAcceptedNothing() async throws {
        try await UserTesting.with { fixture in
            let (store, shop, other) = (fixture.store, fixture.shop, fixture.other)
            try await fixture.join(UserTesting.email, of: shop)
            let session = try await fixture.signIn()
            let token = try await fixture.invite(UserTesting.email, to: other)
            try await store.remove(UserTesting.email, from: shop)
            #expect(try await store.user(email: UserTesting.email, password: UserTesting.password) == nil)
            #expect(try await fixture.sessions.session(session) == nil)
            #expect(try await store.invitation(token)?.asksPassword == false)
            #expect(try await fixture.accept(token, "another mule cell")?.roles.map(\.appID) == ["other"])
            #expect(try await store.user(email: UserTesting.email, password: UserTesting.password) == nil)
        }
    }

    /// Of two links that choose a password, the second asks for that of the first.
    @Test func chooseOnePassword() async throws {
        try await UserTesting.with { fixture in
            let (shop, other) = (fixture.shop, fixture.other)
            let first = try await fixture.invite(UserTesting.email, to: shop)
            let second = try await fixture.invite(UserTesting.email, to: other)
            #expect(try await fixture.accept(first)?.roles.map(\.appID) == ["shop"])
            #expect(try await fixture.store.accept(second, password: "another mule cell") == .wrongPassword)
            #expect(try await fixture.accept(second)?.roles.count == 2)
        }
    }

    /// A manager of one app, who has a link, must not get into the next app with it. Nor is a link of the next app one
    /// into the first.
    @Test(arguments: [false, true]) func getIntoOneAppByALink(settingPassword: Bool) async throws {
        try await UserTesting.with { fixture in
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
        try await UserTesting.with { fixture in
            let old = try await fixture.invite(UserTesting.email, to: fixture.shop, settingPassword: true)
            let new = try await fixture.invite(UserTesting.email, to: fixture.other)
            #expect(try await fixture.accept(new)?.roles.map(\.appID) == ["other"])
            #expect(try await fixture.store.accept(old, password: "another mule cell") == .unknown)
            #expect(try await fixture.store.user(email: UserTesting.email, password: UserTesting.password) != nil)
        }
    }

    /// A manager must not become somebody whom a proxy signs in: a password opens what its own link has accepted.
    @Test func haveAllRolesOnlyWhereAProxyVouches() async throws {
        try await UserTesting.with { fixture in
            let (store, sessions) = (fixture.store, fixture.sessions)
            _ = try await store.invite(UserTesting.email, as: .manager, to: fixture.other)
            let proxied = try #require(try await store.user(email: UserTesting.email))
            let vouched = try await sessions.begin(user: proxied, browser: "", isVouched: true)
            #expect(try await sessions.session(vouched)?.isVouched == true)
            // Whoever manages the shop has a link, too.
            #expect(try await fixture.accept(try await fixture.invite(UserTesting.email, to: fixture.shop)) != nil)
            let session = try await fixture.signIn()
            guard case .user(let user) = try await sessions.session(session)?.holder else {
                Issue.record("no session")
                return
            }
            #expect(user.roles.map(\.appID) == ["shop"])
            #expect(try await !sessions.choose("other", in: session))
            // A new password ended the sessions; the proxy begins another one.
            let again = try #require(try await store.user(email: UserTesting.email))
            #expect(again.roles.map(\.appID) == ["other", "shop"])
            let next = try await sessions.begin(user: again, browser: "", isVouched: true)
            #expect(try await sessions.choose("shop", in: next))
            #expect(try await sessions.session(next)?.holder == .user(again))
        }
    }

    /// Also in an app that is being deleted, or with a role of a later version.
    @Test func enterTheirPasswordWithARoleThatIsNotShown() async throws {
        try await UserTesting.with { fixture in
            try await fixture.join(UserTesting.email, of: fixture.other)
            try await fixture.base.run("update dashboard_role set role = 'auditor'")
            let token = try await fixture.invite(UserTesting.email, to: fixture.shop)
            #expect(try await fixture.store.invitation(token)?.asksPassword == true)
            #expect(try await fixture.accept(token)?.roles.map(\.appID) == ["shop"])
        }
    }

    @Test func areNoInvitationToAnAppThatTheyLeft() async throws {
        try await UserTesting.with { fixture in
            let (store, shop) = (fixture.store, fixture.shop)
            try await fixture.join(UserTesting.email, of: fixture.other)
            let token = try await fixture.invite(UserTesting.email, to: shop)
            try await store.remove(UserTesting.email, from: shop)
            #expect(try await store.accept(token, password: UserTesting.password) == .unknown)
            let next = try await fixture.invite(UserTesting.email, to: shop)
            try await fixture.base.run("insert into deleted_app (app_number) values (\(shop.number))")
            #expect(try await store.accept(next, password: UserTesting.password) == .unknown)
        }
    }
}
