/// How the daemon sends answers to saved questions (docs/schedules.md).
package struct SendingSettings: Equatable, Sendable {
    /// The program that takes a mail on its standard input, and its arguments.
    package var mailCommand: String
    /// The address that mails come from; nil: no mails are sent.
    package var mailFrom: String?
    /// The folder below which files are written; nil: none are.
    package var folder: String?
    /// Whether `http` and inner addresses are allowed, too.
    package var allowsPrivate: Bool

    package init(mailCommand: String, mailFrom: String?, folder: String?, allowsPrivate: Bool) {
        self.mailCommand = mailCommand
        self.mailFrom = mailFrom
        self.folder = folder
        self.allowsPrivate = allowsPrivate
    }

    package init(_ settings: SettingsReader) async throws(SettingsError) {
        mailCommand = try await settings.string("mail.command") ?? "sendmail -t -i"
        if mailCommand.allSatisfy({ $0 == " " }) {
            throw settings.error("mail.command", "must be a program and its arguments, such as sendmail -t -i")
        }
        mailFrom = try await settings.string("mail.from")
        if let mailFrom {
            let parts = mailFrom.split(separator: "@", omittingEmptySubsequences: false)
            let forbidden = " \"(),:;<>[\\]"
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
                mailFrom.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }),
                mailFrom.allSatisfy({ !forbidden.contains($0) })
            else { throw settings.error("mail.from", "must be an address, such as reports@example.com") }
        }
        allowsPrivate = try await settings.toggle("webhook.allow.private", default: false)
        folder = try await settings.string("question.folder")
        if let folder, !folder.hasPrefix("/") {
            throw settings.error("question.folder", "must be an absolute path, such as /var/lib/tributary/questions")
        }
    }
}
