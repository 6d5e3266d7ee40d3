import Events
import InboundLinks
import Postgres
import Redirects
@testable import Storage
import Testing
import Time

/// docs/changes.md.
@Suite("The log of changes")
struct ChangeLogTests {
    typealias Base = StorageTesting

    private static let token = "EAABwzLixnjYBAJZCZBpZAexampleexampleexample"
    private static let slack = "slack:https://hooks.slack.example/services/T000/B000/hiddenpath"
    private static let weekly = QuestionName("weekly")

    private static func links(_ base: Base) -> LinkStore { LinkStore(pool: base.pool) }

    private static func link(_ slug: String) -> Link {
        var link = Link(host: "go.example", slug: slug)
        link.targetURL = "https://shop.example/"
        return link
    }

    private static func schedule(_ base: Base, to target: String, watching column: String? = nil) -> StoredSchedule {
        StoredSchedule(
            number: 0,
            appNumber: base.app.number,
            appID: "shop",
            question: "weekly",
            watch: column.map { StoredSchedule.Watch(column: $0, row: nil) },
            period: "week",
            day: 0,
            minute: 480,
            format: "csv",
            target: target,
            createdAt: Base.noon
        )
    }

    private static func cost(_ base: Base, _ amount: String = "12", from day: String = "2026-01-01") throws -> Cost {
        try Cost(
            names: [.ref: "mail"],
            from: day,
            to: nil,
            amount: amount,
            currency: nil,
            ownCurrency: "USD"
        )
    }

    private static func retention(_ base: Base, thorough: Bool = true) async throws -> DeletionReceipt? {
        try await RetentionStore(pool: base.pool, packed: NothingPacked())
            .run(RetentionPolicy(), app: nil, isThorough: thorough, now: .now)
    }

    private typealias Step = (kind: ChangeKind, subject: String, act: @Sendable (Base) async throws -> Void)

    /// One change of each kind, in an order in which each is possible.
    private static let steps: [Step] = [
        (.createApp, "other", { _ = try await AppStore(pool: $0.pool).create(AppProfile(id: "other", name: "Other")) }),
        (.deleteApp, "other", { try await AppStore(pool: $0.pool).delete(AppStore(pool: $0.pool).app(id: "other")) }),
        (
            .updateApp, "shop",
            { base in
                _ = try await AppStore(pool: base.pool).update(base.app) { $0.linkHosts = ["go.example"] }
            }
        ),
        (
            .setMetaReferrerKey, "shop",
            { base in
                let key = try #require(MetaReferrerKey(hexadecimal: String(repeating: "ab", count: 32)))
                try await AppStore(pool: base.pool).setMetaReferrerKey(key, ofApp: "shop")
            }
        ),
        (
            .addKey, "trib_",
            { base in
                _ = try await AppStore(pool: base.pool).addKey(of: base.app, scope: .manage, label: "bi", lifetime: nil)
            }
        ),
        (
            .rotateKey, "trib_",
            { base in
                _ = try await AppStore(pool: base.pool).rotateKey(of: base.app, scope: .read, label: "", overlap: .zero)
            }
        ),
        (
            .revokeKey, "trib_",
            { base in
                let store = AppStore(pool: base.pool)
                let key = try #require(try await store.keys(of: base.app).first { $0.scope == .write })
                #expect(try await store.revokeKey(of: base.app, named: .prefix(key.prefix)) == .revoked)
            }
        ),
        (
            .setRules, "",
            { base in
                _ = try await AppStore(pool: base.pool).setRules("refs: [utm_campaign]", of: base.app)
            }
        ),
        (
            .declareProperty, "plan",
            { base in
                try await AppStore(pool: base.pool).declare(AppProperty("plan", of: .person), of: base.app)
            }
        ),
        (.removeProperty, "plan", { try await AppStore(pool: $0.pool).removeProperty("plan", of: $0.app) }),
        (
            .createLink, "go.example/sale",
            { base in
                _ = try await links(base).create([link("sale")], of: base.app, reuse: false)
            }
        ),
        (
            .updateLink, "go.example/sale",
            { base in
                _ = try await links(base).update(of: base.app, slug: "sale") { $0.note = "spring" }
            }
        ),
        (.deleteLink, "go.example/sale", { _ = try await links($0).delete(of: $0.app, slug: "sale") }),
        (
            .saveQuestion, "weekly",
            { base in
                let name = try #require(weekly)
                _ = try await QuestionStore(pool: base.pool).add(name, report: "refs", parameters: [], of: base.app)
            }
        ),
        (
            .saveSchedule, "weekly",
            { base in
                _ = try await ScheduleStore(pool: base.pool).save(schedule(base, to: slack), isSigned: false)
            }
        ),
        (
            .deleteSchedule, "weekly",
            { base in
                let count = try await ScheduleStore(pool: base.pool)
                    .delete(of: "weekly", watching: false, target: nil, in: base.app)
                #expect(count == 1)
            }
        ),
        (
            .saveWatch, "weekly",
            { base in
                let watch = schedule(base, to: "https://user@in.example/hook", watching: "touches")
                _ = try await ScheduleStore(pool: base.pool).save(watch, isSigned: true)
            }
        ),
        (
            .rotateScheduleSecret, "https://in.example/…",
            { base in
                let target = "https://user@in.example/hook"
                _ = try #require(try await ScheduleStore(pool: base.pool).rotateSecret(of: target, in: base.app))
            }
        ),
        (
            .deleteWatch, "weekly",
            { base in
                let store = ScheduleStore(pool: base.pool)
                let number = try #require(try await store.list(of: base.app).first?.number)
                #expect(try await store.delete(number, in: base.app))
            }
        ),
        (
            .deleteQuestion, "weekly",
            { base in
                let name = try #require(weekly)
                try #require(try await QuestionStore(pool: base.pool).delete(name, of: base.app))
            }
        ),
        (
            .restoreQuestion, "weekly",
            { base in
                let store = QuestionStore(pool: base.pool)
                let deletion = try #require(try await store.deleted(of: base.app).first?.deletion)
                _ = try #require(try await store.restore(deletion, of: base.app))
            }
        ),
        (
            .addNote, "1",
            { base in
                let day = CivilDate(number: 20_000)
                _ = try await NoteStore(pool: base.pool).add("out with access_token=\(token)", on: day, of: base.app)
            }
        ),
        (
            .redact, "",
            { base in
                // As an earlier version left it.
                let found = try await RedactionStore(pool: base.pool, spools: nil).run(app: nil, isDryRun: false)
                #expect(found.counts.keys.map(\.table) == ["note"])
            }
        ),
        (.deleteNote, "1", { _ = try #require(try await NoteStore(pool: $0.pool).delete(1, of: $0.app)) }),
        (
            .storeCosts, "ref mail",
            { base in
                let costs = [try cost(base)]
                #expect(try await CostStore(pool: base.pool).store(costs, of: base.app, replaces: false) == .stored(1))
            }
        ),
        (.removeCost, "ref mail", { _ = try #require(try await CostStore(pool: $0.pool).remove(1, of: $0.app)) }),
        (
            .storeRates, "CHF",
            { base in
                let day = CivilDate(number: 20_000)
                let rates = (0..<3).map { number in
                    ExchangeRate(
                        currency: "CHF",
                        day: CivilDate(number: day.number + number),
                        numerator: 1,
                        denominator: 2
                    )
                }
                try #require(try await RateStore(pool: base.pool).store(rates, of: base.app) == 3)
            }
        ),
        (.clearRates, "CHF", { try #require(try await RateStore(pool: $0.pool).clear("CHF", of: $0.app) == 3) }),
        (
            .purgeRejected, "",
            { base in
                try await base.store([], rejections: [Base.rejection("{}")])
                #expect(try await RejectedEventStore(pool: base.pool).delete(RejectedEventFilter()) == 1)
            }
        ),
        (
            .deletePerson, "",
            { base in
                try await base.store([Base.event(1, user: "alice", device: "phone")])
                _ = try #require(try await base.people().erase(PersonKey(.user, "alice"), in: base.app))
            }
        ),
        (
            .prune, "",
            { base in
                let old = Timestamp.now.advanced(by: .zero - Base.day * 500)
                try await base.store([Base.event(2, at: old, user: "bob")])
                _ = try #require(try await retention(base))
            }
        ),
        (
            .reread, "",
            { base in
                _ = try await RereadStore(app: base.app, pool: base.pool).run(from: nil, to: nil) {}
            }
        ),
        (
            .inviteUser, "bob@shop.example",
            { base in
                _ = try await UserStore(pool: base.pool).invite("bob@shop.example", as: .viewer, to: base.app)
            }
        ),
        (
            .setRole, "bob@shop.example",
            { base in
                try await UserStore(pool: base.pool).setRole(.manager, of: "Bob@shop.example", in: base.app)
            }
        ),
        (
            .removeUser, "bob@shop.example",
            { base in
                try await UserStore(pool: base.pool).remove("bob@shop.example", from: base.app)
            }
        ),
        (
            .acceptRole, "ann@shop.example",
            { base in
                // An invitation that somebody makes is an entry of its own.
                _ = try await base.pool.withConnection { connection in
                    try connection.execute(
                        """
                        with ann as (
                            insert into dashboard_user (email) values ('ann@shop.example') returning user_number
                        ),
                        given as (
                            insert into dashboard_role (user_number, app_number, role)
                            select user_number, $1, 'viewer' from ann
                            returning user_number, app_number
                        )
                        insert into dashboard_invitation (
                            token_hash, user_number, app_number, sets_password, created_by
                        )
                        select $2, user_number, app_number, false, 'x' from given
                        """,
                        [.int(Int64(base.app.number)), .bytes(AppKey.hash("token"))]
                    )
                }
                let accepted = try await UserStore(pool: base.pool).accept("token", password: "correct mule cell pin")
                #expect(accepted != .unknown)
            }
        ),
        (
            .setPassword, "ann@shop.example",
            { base in
                let store = UserStore(pool: base.pool)
                let user = try #require(try await store.user(email: "ann@shop.example"))
                let isRight = try await store.changePassword(
                    of: user,
                    from: "correct mule cell pin",
                    to: "another mule cell"
                )
                #expect(isRight)
            }
        ),
        (
            .sharePage, "shared 1",
            { base in
                // A question that is saved is an entry of its own.
                _ = try await base.pool.withConnection { connection in
                    try connection.execute(
                        """
                        insert into question (app_number, name, report, parameter_names, parameter_values)
                        values ($1, 'shared', 'refs', '{}', '{}')
                        """,
                        [.int(Int64(base.app.number))]
                    )
                }
                _ = try await ShareStore(pool: base.pool).share("shared", of: base.app, days: 7)
            }
        ),
        (
            .revokePage, "shared 1",
            { base in
                let isRevoked = try await ShareStore(pool: base.pool).revoke(1, of: base.app)
                #expect(isRevoked)
            }
        ),
        (.pauseOutgoing, "", { try await $0.pool.withConnection { try OutgoingGate.pause(on: $0) } }),
        (.resumeOutgoing, "", { try await $0.pool.withConnection { try OutgoingGate.resume(on: $0) } }),
    ]

    private static func all(_ base: Base) async throws -> [Change] {
        try await ChangeLog(pool: base.pool).changes(of: nil, limit: 1_000)
    }

    @Test func hasOneEntryOfEachChange() async throws {
        // Those of webhooks are tried in `WebhookLogTests`, and a move, which needs two databases, in `AppMoveTests`.
        let kinds = ChangeKind.allCases.filter { !$0.rawValue.hasPrefix("webhook.") && $0 != .moveApp }
        #expect(Set(Self.steps.map(\.kind)) == Set(kinds) && Self.steps.count == kinds.count)
        try await Base.with { base in
            for (kind, subject, act) in Self.steps {
                let before = try await Self.all(base)
                try await Actor.$current.withValue("ann@shop.example") { try await act(base) }
                let new = try await Self.all(base).filter { change in !before.contains { $0.number == change.number } }
                #expect(new.map(\.what) == [kind.rawValue])
                #expect(new.first?.who == "ann@shop.example")
                #expect(new.first?.subject.hasPrefix(subject) == true && new.first?.subject.isEmpty == subject.isEmpty)
            }
            let text = try await Self.all(base).map { "\($0)" }.joined(separator: "\n")
            for secret in [Self.token, "hiddenpath", "whsec_", "alice", "phone", "abababab", "mule"] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }

    @Test func hasNoEntryOfAChangeThatFails() async throws {
        try await Base.with { base in
            let (apps, questions) = (AppStore(pool: base.pool), QuestionStore(pool: base.pool))
            let (schedules, name) = (ScheduleStore(pool: base.pool), try #require(Self.weekly))
            _ = try await apps.update(base.app) { $0.linkHosts = ["go.example"] }
            _ = try await Self.links(base).create([Self.link("sale")], of: base.app, reuse: false)
            _ = try await questions.add(name, report: "refs", parameters: [], of: base.app)
            _ = try await CostStore(pool: base.pool).store([Self.cost(base)], of: base.app, replaces: false)
            try await apps.declare(AppProperty("tier", of: .touch), of: base.app)
            let before = try await Self.all(base)

            struct Refusal: Error {}
            await #expect(throws: (any Error).self) { try await apps.create(AppProfile(id: "shop", name: "Again")) }
            await #expect(throws: Refusal.self) { try await apps.update(base.app) { _ in throw Refusal() } }
            #expect(try await apps.revokeKey(of: base.app, named: .prefix("trib_w_none")) == .unknown)
            await #expect(throws: (any Error).self) { try await apps.setRules("nonsense: [", of: base.app) }
            await #expect(throws: (any Error).self) { try await apps.removeProperty("plan", of: base.app) }
            await #expect(throws: AppPropertyError.self) {
                try await apps.declare(AppProperty("tier", of: .person), of: base.app)
            }
            _ = try await Self.links(base).create([Self.link("sale")], of: base.app, reuse: true)
            _ = try await Self.links(base).create([Self.link("sale")], of: base.app, reuse: false)
            _ = try await Self.links(base).update(of: base.app, slug: "sale") { $0.note = nil }
            #expect(try await Self.links(base).delete(of: base.app, slug: "none") == nil)
            #expect(try await questions.add(name, report: "refs", parameters: [], of: base.app) == nil)
            _ = try #require(try await questions.replace(name, report: "refs", parameters: [], of: base.app))
            #expect(try await questions.delete(try #require(QuestionName("none")), of: base.app) == false)
            #expect(try await questions.restore(.init(number: 99, at: Base.noon), of: base.app) == nil)
            var unknown = Self.schedule(base, to: Self.slack)
            unknown.question = "none"
            #expect(try await schedules.save(unknown, isSigned: false) == nil)
            #expect(try await schedules.rotateSecret(of: Self.slack, in: base.app) == nil)
            #expect(try await schedules.delete(of: "weekly", watching: true, target: nil, in: base.app) == 0)
            #expect(try await schedules.delete(99, in: base.app) == false)
            #expect(try await NoteStore(pool: base.pool).delete(99, of: base.app) == nil)
            _ = try await CostStore(pool: base.pool).store([Self.cost(base, "13")], of: base.app, replaces: false)
            #expect(try await CostStore(pool: base.pool).remove(99, of: base.app) == nil)
            #expect(try await RateStore(pool: base.pool).clear(nil, of: base.app) == 0)
            #expect(try await RejectedEventStore(pool: base.pool).delete(RejectedEventFilter()) == 0)
            #expect(try await base.people().erase(PersonKey(.user, "nobody"), in: base.app) == nil)
            #expect(try await Self.retention(base) == nil)
            #expect(try await Self.all(base) == before)
        }
    }

    /// A question may send to one target, and have watches of several columns that report there.
    @Test func tellsASavedWatchFromOthersWithItsTarget() async throws {
        try await Base.with { base in
            let (schedules, name) = (ScheduleStore(pool: base.pool), try #require(Self.weekly))
            _ = try await QuestionStore(pool: base.pool).add(name, report: "refs", parameters: [], of: base.app)
            for column in [nil, "touches", "people"] {
                _ = try await schedules.save(Self.schedule(base, to: Self.slack, watching: column), isSigned: false)
            }
            let kinds = [ChangeKind.saveSchedule, .saveWatch].map(\.rawValue)
            let saved = try await Self.all(base).filter { kinds.contains($0.what) }
            #expect(saved.count == 3)
            #expect(saved.allSatisfy { $0.before == nil && $0.after != nil })
        }
    }

    /// A backend may make a link for each share.
    @Test func hasNoEntryOfLinksThatABackendMakes() async throws {
        try await Base.with { base in
            _ = try await AppStore(pool: base.pool).update(base.app) { $0.linkHosts = ["go.example"] }
            let before = try await Self.all(base)
            try await Actor.$current.withValue(Actor.key("trib_w_ab12", label: "backend")) {
                _ = try await Self.links(base).create([Self.link("a")], of: base.app, reuse: false)
                #expect(try await Self.all(base) == before)
                _ = try await Self.links(base).delete(of: base.app, slug: "a")
                #expect(try await Self.all(base).count == before.count + 1)
            }
        }
    }

    @Test func saysFromWhatToWhat() async throws {
        try await Base.with { base in
            _ = try await AppStore(pool: base.pool).update(base.app) { $0.linkHosts = ["go.example"] }
            let links = Self.links(base)
            _ = try await links.create([Self.link("a"), Self.link("b")], of: base.app, reuse: false)
            let update = try await links.update(of: base.app, slug: "a") { link in
                link.refs = ["spring"]
                link.note = String(repeating: "long ", count: 180)
            }
            guard case .updated = update else {
                #expect(Bool(false), "\(update)")
                return
            }
            let cost = CostStore(pool: base.pool)
            _ = try await cost.store([Self.cost(base)], of: base.app, replaces: true)
            _ = try await cost.store([Self.cost(base, "13")], of: base.app, replaces: true)
            let changes = try await Self.all(base)
            #expect(changes[0].before == #"{"amount":"12"}"# && changes[0].after == #"{"amount":"13"}"#)
            #expect(changes[2].before == #"{"ref":[],"note":null}"#)
            #expect(changes[2].after?.hasPrefix(#"{"ref":["spring"],"note":"long long "#) == true)
            #expect(changes[2].after?.utf8.count ?? 0 < 600)
            #expect(changes[3].after == #"{"count":2}"# && changes[3].subject.isEmpty)
            #expect(changes[4].before == #"{"link_hosts":[]}"# && changes[4].who == "command line")
            let days = try ["2026-01-01", "2026-01-02"].map { try Self.cost(base, "14", from: $0) }
            _ = try await cost.store(days, of: base.app, replaces: true)
            let last = try #require(try await Self.all(base).first)
            #expect(last.after == #"{"count":2}"# && last.subject.isEmpty)
        }
    }

    @Test func keepsToItsSize() async throws {
        try await Base.with { base in
            let fields = (0..<20).map { ("field\($0)", InspectionValue.string(String(repeating: "\"", count: 900))) }
            let write: @Sendable (ChangeLog.Fields) async throws -> Void = { fields in
                try await base.pool.withConnection { connection in
                    try connection.log(.prune, in: nil, to: fields)
                }
            }
            try await write(fields)
            let after = try #require(try await Self.all(base).first?.after)
            #expect(after.utf8.count <= 4_096 && after.hasSuffix(#","…":true}"#))
        }
    }

    /// A row that is damaged, or that another program wrote.
    @Test func cutsWhatIsTooLong() async throws {
        try await Base.with { base in
            _ = try await NoteStore(pool: base.pool).add("", on: CivilDate(number: 20_000), of: base.app)
            let columns = ["actor", "kind", "subject", "before", "after"]
            let values = columns.map { "\($0) = repeat('ä', 100000)" }.joined(separator: ", ")
            try await base.run("update change_log set \(values)")
            for change in try await Self.all(base) {
                #expect([change.who, change.what, change.subject].map(\.count) == [501, 501, 501])
                #expect([change.before, change.after].map { $0?.count } == [4_096, 4_096])
            }
        }
    }

    @Test func isPagedAndDeletedWithAge() async throws {
        try await Base.with { base in
            let notes = NoteStore(pool: base.pool)
            for number in 0..<5 { _ = try await notes.add("\(number)", on: CivilDate(number: 20_000), of: base.app) }
            let log = ChangeLog(pool: base.pool)
            let first = try await log.changes(of: base.app, limit: 3)
            let second = try await log.changes(of: base.app, before: first[2].number, limit: 9)
            #expect((first + second).map(\.subject) == ["5", "4", "3", "2", "1", "shop"])
            #expect((first + second).allSatisfy { $0.appID == "shop" })
            try await base.run("update change_log set changed_at = now() - interval '401 days' where subject < '4'")
            let receipt = try #require(try await Self.retention(base, thorough: false))
            #expect(receipt.counts["change_log"] == 3)
            #expect(try await log.changes(of: nil, limit: 9).map(\.subject) == ["5", "4", "shop"])
        }
    }

    @Test func losesTheEntriesOfADeletedApp() async throws {
        try await Base.with { base in
            try await AppStore(pool: base.pool).delete(base.app)
            let changes = try await Self.all(base)
            #expect(changes.map(\.what) == ["app.delete"])
            #expect(changes[0].appID == nil && changes[0].subject == "shop")
        }
    }

    /// What a key does stands under its name, once a form has told it.
    @Test func namesTheKeyOfAForm() {
        Actor.$ofForm.withValue(Actor.FormKey()) {
            Actor.$current.withValue("key trib_r_aBc…") {
                #expect(Actor.name == "key trib_r_aBc…")
                Actor.ofForm?.set(Actor.key("trib_w_Xy3k", label: "backend"))
                #expect(Actor.name == "key trib_w_Xy3k… (backend)")
            }
        }
    }
}
