import Foundation
package import Mail

/// How the daemon sends answers to saved questions (docs/schedules.md).
package struct SendingSettings: Equatable, Sendable {
    /// Who takes a mail.
    package var mailer: Mailer
    /// The address that mails come from; nil: no mails are sent.
    package var mailFrom: String?
    /// The folder below which files are written; nil: none are.
    package var folder: String?
    /// Where people reach the dashboard, without a slash at the end: `https://stats.example.com`; nil: no link is sent.
    package var dashboard: String?
    /// Whether `http` and inner addresses are allowed, too.
    package var allowsPrivate: Bool

    package init(mailer: Mailer, mailFrom: String?, folder: String?, dashboard: String? = nil, allowsPrivate: Bool) {
        self.mailer = mailer
        self.mailFrom = mailFrom
        self.folder = folder
        self.dashboard = dashboard
        self.allowsPrivate = allowsPrivate
    }

    package init(_ settings: SettingsReader) async throws(SettingsError) {
        mailer = try await Self.mailer(settings)
        mailFrom = try await settings.string("mail.from")
        if let mailFrom {
            let parts = mailFrom.split(separator: "@", omittingEmptySubsequences: false)
            let forbidden = " \"(),:;<>[\\]"
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
                mailFrom.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }),
                mailFrom.allSatisfy({ !forbidden.contains($0) })
            else { throw settings.error("mail.from", "must be an address, such as reports@example.com") }
        }
        allowsPrivate = try await settings.toggle("webhook.allow.private")
        folder = try await settings.string("question.folder")
        dashboard = try await settings.string("dashboard.url").map { text throws(SettingsError) in
            guard let url = URLComponents(string: text), ["http", "https"].contains(url.scheme),
                url.host?.isEmpty == false,
                url.user == nil, ["", "/"].contains(url.path), url.query == nil, url.fragment == nil
            else { throw settings.error("dashboard.url", "must be an address such as https://stats.example.com") }
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
        if let folder, !folder.hasPrefix("/") {
            throw settings.error("question.folder", "must be an absolute path, such as /var/lib/tributary/questions")
        }
    }

    /// The same for the apps of a further database, whose dashboard has a host of its own.
    package func of(_ database: NamedDatabase) -> SendingSettings {
        guard !database.isMain, let dashboard else { return self }
        var settings = self
        settings.dashboard = dashboard.replacing("://", with: "://\(database.name).", maxReplacements: 1)
        return settings
    }

    private static func mailer(_ settings: SettingsReader) async throws(SettingsError) -> Mailer {
        let command = try await settings.string("mail.command") ?? ""
        if command.allSatisfy({ $0 == " " }) {
            throw settings.error("mail.command", "must be a program and its arguments, such as sendmail -t -i")
        }
        let security = try await settings.word("mail.tls", of: SMTPServer.Security.self)
        let (user, password) = (try await settings.string("mail.user"), try await settings.string("mail.password"))
        guard (user == nil) == (password == nil) else {
            throw settings.error(
                user == nil ? "mail.password" : "mail.user",
                "needs the other of mail.user and mail.password"
            )
        }
        guard let text = try await settings.string("mail.smtp") else { return .program(command) }
        let login = user.flatMap { user in password.map { SMTPServer.Login(user: user, password: $0) } }
        guard let server = SMTPServer(text, security: security, login: login) else {
            throw settings.error("mail.smtp", "must be a host and a port, such as mail.example.com:587")
        }
        return .server(server)
    }
}
