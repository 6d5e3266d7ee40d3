import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

/// Users and shared pages on the command line.
@Suite("Users on the command line")
struct UserCommandTests {
    private static let url = ["TRIBUTARY_DASHBOARD_URL": "https://stats.example.com/"]

    private static func with(_ body: @Sendable (TestDatabase) async throws -> Void) async throws {
        try await TestDatabases.withSchema { database in
            for id in ["shop", "other"] {
                _ = try await tributary(["app", "create", "--id", id, "--name", id], database)
            }
            try await body(database)
        }
    }

    private static func tributary(
        _ arguments: [String],
        _ database: TestDatabase,
        _ environment: [String: String] = url
    ) async throws -> Programs.Outcome {
        let outcome = try await Programs.tributary(arguments, database: database.address, environment: environment)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return outcome
    }

    private static func json(_ arguments: [String], _ database: TestDatabase) async throws -> JSONDocument {
        try JSONDocument(reading: try await tributary(arguments + ["--format", "json"], database).output.utf8)
    }

    private static func invite(_ role: String, _ app: String) -> [String] {
        ["user", "invite", "Ann@Example.com", "--app", app, "--role", role]
    }

    @Test func areInvitedByALink() async throws {
        try await Self.with { database in
            let invited = try await Self.json(Self.invite("analyst", "shop"), database)
            #expect(invited.root["email"]?.string == "ann@example.com" && invited.root["role"]?.string == "analyst")
            let link = try #require(invited.root["link"]?.string)
            #expect(link.hasPrefix("https://stats.example.com/account/join?token="))
            #expect(link.count == "https://stats.example.com/account/join?token=".count + 32)
            let second = try await Self.json(Self.invite("viewer", "other"), database)
            #expect(second.root["link"]?.string != nil)
            #expect(second.root["apps"]?.elements.compactMap(\.string) == ["other", "shop"])
            let path = try await Self.tributary(Self.invite("analyst", "shop"), database, [:])
            #expect(path.output.contains("link: /account/join?token=") && path.errors.contains("dashboard.url"))
            // With a role that was accepted, only if it is asked for.
            _ = try await database.pool.withConnection { connection in
                try connection.execute("update dashboard_role set accepted_at = now()")
            }
            let known = try await Self.tributary(Self.invite("analyst", "shop"), database)
            #expect(!known.output.contains("link:") && known.errors.contains("--new-password"))
            let renewed = try await Self.tributary(Self.invite("analyst", "shop") + ["--new-password"], database)
            #expect(renewed.output.contains("link: https://stats.example.com/account/join?token="))
        }
    }

    @Test func areInvitedByMail() async throws {
        try await Self.with { database in
            let file = URL(filePath: NSTemporaryDirectory()).appending(path: "invitation-\(UUID()).eml")
            defer { try? FileManager.default.removeItem(at: file) }
            let arguments = Self.invite("analyst", "shop") + ["--mail"]
            try await Programs.expectUsageErrors([(arguments, "mail.from")], database: database.address)
            let environment = [
                "TRIBUTARY_MAIL_FROM": "reports@example.com", "TRIBUTARY_MAIL_COMMAND": "dd of=\(file.path)",
            ]
            let nowhere = try await Programs.tributary(arguments, database: database.address, environment: environment)
            #expect(nowhere.status == 64 && nowhere.errors.contains("dashboard.url"))
            #expect(try await Self.tributary(["user", "list"], database).output == "")
            let outcome = try await Self.tributary(arguments, database, environment.merging(Self.url) { $1 })
            #expect(outcome.output.contains("mailed_to: ann@example.com") && !outcome.output.contains("token="))
            let mail = try String(contentsOf: file, encoding: .utf8)
            #expect(mail.contains("To: <ann@example.com>\nSubject: Invitation to shop\n"))
            let encoded = try #require(mail.components(separatedBy: "base64\n\n").last)
            let body = try #require(Data(base64Encoded: encoded, options: .ignoreUnknownCharacters))
            #expect(String(decoding: body, as: UTF8.self).contains("https://stats.example.com/account/join?token="))
            let failing = environment.merging(Self.url) { $1 }.merging(["TRIBUTARY_MAIL_COMMAND": "false"]) { $1 }
            let failed = try await Programs.tributary(arguments, database: database.address, environment: failing)
            #expect(failed.status == 69 && failed.errors.contains("the mail was not sent"))
        }
    }

    @Test func keepTheirRoleWhenInvitedAgain() async throws {
        try await Self.with { database in
            _ = try await Self.tributary(Self.invite("analyst", "shop"), database)
            let other = Self.invite("viewer", "shop")
            let hint = "is analyst of 'shop' already; 'tributary user role'"
            try await Programs.expectUsageErrors(
                [(other, hint), (other + ["--new-password"], hint)],
                database: database.address
            )
            let users = try await Self.json(["user", "list", "--app", "shop"], database)
            #expect(users.root.elements.compactMap { $0["role"]?.string } == ["analyst"])
        }
    }

    @Test func areListedChangedAndRemoved() async throws {
        try await Self.with { database in
            let none = try await Self.tributary(["user", "list"], database)
            #expect(none.output == "" && none.errors.contains("tributary user invite"))
            for app in ["shop", "other"] { _ = try await Self.tributary(Self.invite("viewer", app), database) }
            let all = try await Self.json(["user", "list"], database)
            #expect(all.root.elements.compactMap { $0["app_id"]?.string } == ["other", "shop"])
            _ = try await Self.tributary(
                ["user", "role", "ann@example.com", "--app", "shop", "--role", "manager"],
                database
            )
            let shop = try await Self.json(["user", "list", "--app", "shop"], database)
            #expect(shop.root.elements.compactMap { $0["role"]?.string } == ["manager"])
            let text = try await Self.tributary(["user", "list", "--app", "shop"], database).output
            #expect(text.contains("ann@example.com  shop  manager  link not opened  never seen"))
            for app in ["shop", "other"] {
                _ = try await Self.tributary(["user", "remove", "ann@example.com", "--app", app], database)
            }
            #expect(try await Self.tributary(["user", "list"], database).output == "")
        }
    }

    @Test func areInTheLogWithWhatChanged() async throws {
        try await Self.with { database in
            _ = try await Self.tributary(Self.invite("viewer", "shop"), database)
            let role = ["user", "role", "ann@example.com", "--app", "shop", "--role", "manager"]
            _ = try await Self.tributary(role, database)
            let log = try await Self.json(["log", "--app", "shop"], database)
            let change = try #require(log.root.elements.first { _ in true })
            #expect(change["what"]?.string == "user.role" && change["number"]?.number != nil)
            #expect(change["before"]?["role"]?.string == "viewer" && change["after"]?["role"]?.string == "manager")
            let created = try #require(log.root.elements.first { $0["what"]?.string == "app.create" })
            #expect(created["before"]?.kind == .null && created["after"]?["name"]?.string == "shop")
        }
    }

    @Test func areSignedOut() async throws {
        try await Self.with { database in
            _ = try await Self.tributary(Self.invite("viewer", "shop"), database)
            let without = try await Self.tributary(["user", "sessions", "ann@example.com"], database)
            #expect(without.output == "" && without.errors.contains("not signed in"))
            _ = try await database.pool.withConnection { connection in
                try connection.execute(
                    """
                    insert into dashboard_session (session_hash, user_number, app_number, browser)
                    select 'x', user_number, app_number, 'Firefox' from dashboard_role
                    """
                )
            }
            let sessions = try await Self.json(["user", "sessions", "ANN@example.com"], database)
            #expect(sessions.root.elements.compactMap { $0["browser"]?.string } == ["Firefox"])
            let ended = try await Self.tributary(["user", "sessions", "ann@example.com", "--end"], database)
            #expect(ended.errors.contains("one session was ended"))
            #expect(try await Self.tributary(["user", "sessions", "ann@example.com"], database).output == "")
        }
    }

    @Test func sharePages() async throws {
        try await Self.with { database in
            let app = ["--app", "shop"]
            _ = try await Self.tributary(["question", "save", "goals"] + app + ["--", "report", "goals"], database)
            _ = try await Self.tributary(["board", "save", "monday", "goals"] + app, database)
            var secrets: [String] = []
            for name in ["goals", "monday"] {
                let shared = try await Self.json(["question", "share", name, "--days", "7"] + app, database)
                let address = try #require(shared.root["address"]?.string)
                #expect(address.hasPrefix("https://stats.example.com/shared/"))
                secrets.append(String(address.suffix(32)))
            }
            let shares = try await Self.json(["question", "shares"] + app, database)
            #expect(shares.root.elements.compactMap { $0["question"]?.string } == ["monday", "goals"])
            let number = try #require(shares.root.elements.first { _ in true }?["number"]?.number)
            _ = try await Self.tributary(["question", "unshare", "\(number)"] + app, database)
            let text = try await Self.tributary(["question", "shares"] + app, database).output
            #expect(text.contains("revoked ") && text.contains("until ") && text.contains("by command line"))
            #expect(secrets.allSatisfy { !text.contains($0) })
            #expect(try await Self.tributary(["question", "shares", "--app", "other"], database).output == "")
            try await Programs.expectUsageErrors(
                [
                    (["question", "unshare", "\(number)"] + app, "question shares"),
                    (["question", "share", "goal"] + app, "did you mean 'goals'?"),
                    (["question", "share", "goals", "--days", "0"] + app, "1 to 366 days"),
                ],
                database: database.address
            )
        }
    }

    @Test func shareNoPeople() async throws {
        try await Self.with { database in
            let app = ["--app", "shop"]
            for (name, report) in [
                ("list", ["channels", "--people", "conversions"]), ("posters", ["breakdown", "--by", "poster"]),
                ("tree", ["generations", "--below", "ann"]),
            ] {
                _ = try await Self.tributary(["question", "save", name] + app + ["--", "report"] + report, database)
            }
            _ = try await Self.tributary(["board", "save", "monday", "posters"] + app, database)
            try await Programs.expectUsageErrors(
                [
                    (["question", "share", "list"] + app, "'list' lists people"),
                    (["question", "share", "posters"] + app, "'posters' lists people"),
                    (["question", "share", "tree"] + app, "'tree' lists people"),
                    (["question", "share", "monday"] + app, "'posters' lists people"),
                ],
                database: database.address
            )
            #expect(try await Self.tributary(["question", "shares"] + app, database).output == "")
        }
    }

    @Test func saysWhatIsWrong() async throws {
        try await Self.with { database in
            try await Programs.expectUsageErrors(
                [
                    (["user", "invite", "ann", "--app", "shop", "--role", "viewer"], "is no e-mail address"),
                    (["user", "invite", "ann@example.com", "--app", "shop", "--role", "owner"], "viewer"),
                    (["user", "invite", "ann@example.com", "--role", "viewer"], "--app is required"),
                    (
                        ["user", "role", "ann@example.com", "--app", "shop", "--role", "viewer"],
                        "is no user of the app"
                    ),
                    (["user", "remove", "ann@example.com", "--app", "shop"], "is no user of the app"),
                    (["user", "sessions", "ann@example.com"], "there is no user"),
                    (["user", "list", "--app", "shopp"], "did you mean 'shop'?"),
                ],
                database: database.address
            )
        }
    }
}
