import Foundation
import Mail
import Settings
import Time

/// The check of mail.
enum MailFindings {
    /// None if no sender is set, and no trial was asked for.
    ///
    /// - Parameter address: where a trial is sent; nil: none is.
    static func all(_ settings: SendingSettings, trialTo address: String?) async -> [DoctorFinding] {
        guard let from = settings.mailFrom else {
            return address == nil
                ? []
                : [DoctorFinding(.warning, "mail: it has no sender", advice: "Set mail.from (TRIBUTARY_MAIL_FROM).")]
        }
        guard let address else { return [looked(at: settings.mailer)] }
        do {
            try await settings.mailer.send(
                MailMessage(
                    from: from,
                    to: address,
                    subject: "Tributary: a trial",
                    id: "tributary-trial-\(UUID())",
                    date: .now,
                    body: "'tributary doctor' sent this. Mails with answers come the same way.\n"
                )
            )
            return [DoctorFinding(.good, "mail: a trial to \(address) was taken")] + obstacles(settings.mailer)
        } catch {
            return [DoctorFinding(.warning, "mail: \(error)", advice: "docs/schedules.md says how mail is sent.")]
        }
    }

    private static func looked(at mailer: Mailer) -> DoctorFinding {
        switch mailer {
        case .server(let server):
            DoctorFinding(.good, "mail: goes to \(server.host):\(server.port); --mail ADDRESS sends a trial")
        case .program(let command):
            obstacles(mailer).first ?? DoctorFinding(.good, "mail: goes to \(command); --mail ADDRESS sends a trial")
        }
    }

    private static func obstacles(_ mailer: Mailer) -> [DoctorFinding] {
        mailer.obstacle.map { [DoctorFinding(.warning, "mail: \($0)", advice: "Set mail.smtp (docs/schedules.md).")] }
            ?? []
    }
}
