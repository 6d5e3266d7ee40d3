/// Why a mail was not sent.
package struct MailFailure: Error, CustomStringConvertible {
    /// It holds no address, no secret, and nothing that a server or a program has said.
    package var reason: String
    /// What the server or the program has said. It may repeat addresses.
    package var said: String

    init(_ reason: String, said: String = "") {
        (self.reason, self.said) = (reason, said)
    }

    package var description: String { said.isEmpty ? reason : "\(reason): \(said)" }
}
