import Foundation
import Mail
import Settings
import Storage
import Time

/// Mails the link of an invitation, as schedules mail answers.
struct InvitationMail {
    private let mailer: Mailer
    private let from: String

    /// - Throws: ``CommandFailure`` without a sender, or without the address of the dashboard.
    init(_ settings: SendingSettings) throws(CommandFailure) {
        guard let from = settings.mailFrom else {
            throw CommandFailure(.usage, "--mail needs a sender: set mail.from (TRIBUTARY_MAIL_FROM)")
        }
        guard settings.dashboard != nil else {
            throw CommandFailure(
                .usage,
                "--mail needs the address of the dashboard: set dashboard.url (TRIBUTARY_DASHBOARD_URL)"
            )
        }
        mailer = settings.mailer
        self.from = from
    }

    /// - Throws: ``CommandFailure`` if nobody has taken the mail. The invitation stands.
    func send(_ link: String, to email: String, app: AppProfile, as role: AppRole) async throws(CommandFailure) {
        let message = MailMessage(
            from: from,
            to: email,
            subject: "Invitation to \(app.name)",
            id: "tributary-invitation-\(UUID())",
            date: .now,
            body: """
                You are invited to the dashboard of \(app.name), as \(role.rawValue).

                \(link)

                The link works once, for 24 hours. Whoever opens it is let in under \(email): pass it on to nobody.

                """
        )
        do {
            try await mailer.send(message)
        } catch {
            throw CommandFailure(
                .databaseUnavailable,
                "'\(email)' is invited, but the mail was not sent: \(error). Repeat the command, also without --mail"
            )
        }
    }
}
