import Foundation

/// A server that takes mails (`mail.smtp`).
package struct SMTPServer: Equatable, Sendable {
    /// How the connection is encrypted (`mail.tls`).
    package enum Security: String, CaseIterable, Sendable {
        /// The connection begins as it is, and becomes TLS before anything is said.
        case starttls
        /// TLS from the first byte.
        case implicit
        case off
    }

    /// Who sends, where the server asks (`mail.user`, `mail.password`).
    package struct Login: Equatable, Sendable {
        package var user: String
        package var password: String

        package init(user: String, password: String) {
            (self.user, self.password) = (user, password)
        }
    }

    package var host: String
    package var port: Int
    package var security: Security
    package var login: Login?

    /// - Parameters:
    ///   - text: `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`. Without a port it is 587, where servers take mails of
    ///     programs.
    ///   - security: nil: as the port and the host say. On this machine nobody listens in between.
    /// - Returns: nil for another text.
    package init?(_ text: String, security: Security? = nil, login: Login? = nil) {
        guard let parts = URLComponents(string: "smtp://\(text)"), let host = parts.host, !host.isEmpty,
            parts.path.isEmpty, parts.user == nil, parts.query == nil, parts.fragment == nil,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), (1...65_535).contains(parts.port ?? 587)
        else { return nil }
        self.host = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
        port = parts.port ?? 587
        let isHere = self.host == "localhost" || self.host == "::1" || self.host.hasPrefix("127.")
        self.security = security ?? (port == 465 ? .implicit : isHere ? .off : .starttls)
        self.login = login
    }
}
