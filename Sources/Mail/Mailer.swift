/// Who takes the mails that are sent.
package enum Mailer: Equatable, Sendable {
    /// A program and its arguments (`mail.command`).
    case program(String)
    case server(SMTPServer)

    /// Why no mail may leave a service that may gain no privileges, such as the package's; nil if nothing is known to
    /// be in the way.
    package var obstacle: String? {
        guard case .program(let command) = self else { return nil }
        return Sendmail(command: command).obstacle
    }

    /// - Throws: ``MailFailure``.
    package func send(_ message: MailMessage) async throws(MailFailure) {
        switch self {
        case .program(let command): try await Sendmail(command: command).send(message.text)
        case .server(let server): try await SMTPClient(server: server).send(message)
        }
    }
}
