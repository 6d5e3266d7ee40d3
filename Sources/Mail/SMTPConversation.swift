import Foundation

/// What is said to a server that takes mails, and what it answers (RFC 5321, 3207, 4954). A value without I/O.
struct SMTPConversation {
    enum Action: Equatable {
        /// The answer has more lines.
        case wait
        /// Send it, with `\r\n` behind it.
        case send(String)
        /// Begin TLS, then send it.
        case secure(String)
        /// The server has taken the mail. Nothing more of it is needed.
        case end
    }

    private enum Step: String {
        case greeting = "the greeting"
        case hello = "EHLO"
        case starttls = "STARTTLS"
        case login = "AUTH"
        case sender = "MAIL"
        case recipient = "RCPT"
        case data = "DATA"
        case content = "the mail"
    }

    /// How long an answer may be, in lines.
    private static let lineLimit = 200

    private let server: SMTPServer
    private let message: MailMessage
    private var step = Step.greeting
    private var isSecure: Bool
    /// The lines of the answer up to now, without their code.
    private var answer: [String] = []

    init(with server: SMTPServer, sending message: MailMessage) {
        (self.server, self.message) = (server, message)
        isSecure = server.security == .implicit
    }

    /// Where the conversation is, for people.
    var place: String { step.rawValue }

    /// - Parameter line: without its end.
    mutating func received(_ line: String) throws(MailFailure) -> Action {
        let code = line.prefix(3)
        guard code.utf8.count == 3, code.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(code),
            answer.count < Self.lineLimit
        else { throw MailFailure("the mail server does not speak SMTP", said: line) }
        answer.append(String(line.dropFirst(4)))
        if line.dropFirst(3).first == "-" { return .wait }
        defer { answer = [] }
        let expected = step == .data ? 3 : 2
        guard number / 100 == expected else {
            throw MailFailure("the mail server answered \(number) to \(place)", said: answer.joined(separator: " "))
        }
        return try next()
    }

    private mutating func next() throws(MailFailure) -> Action {
        let hello = "EHLO \(message.from.split(separator: "@").last ?? "localhost")"
        switch step {
        case .greeting:
            step = .hello
            return .send(hello)
        case .hello where server.security == .starttls && !isSecure:
            guard offers("STARTTLS") else {
                throw MailFailure("the mail server offers no TLS; mail.tls: off allows it without")
            }
            step = .starttls
            return .send("STARTTLS")
        case .starttls:
            isSecure = true
            step = .hello
            return .secure(hello)
        case .hello:
            guard let login = server.login else { return begin() }
            guard offers("AUTH", with: "PLAIN") else {
                throw MailFailure("the mail server takes no user and password (AUTH PLAIN)")
            }
            step = .login
            return .send("AUTH PLAIN \(Data("\0\(login.user)\0\(login.password)".utf8).base64EncodedString())")
        case .login: return begin()
        case .sender:
            step = .recipient
            return .send("RCPT TO:<\(message.to)>")
        case .recipient:
            step = .data
            return .send("DATA")
        case .data:
            step = .content
            return .send(Self.content(message.text))
        // The mail is taken, whatever becomes of the good-bye.
        case .content: return .end
        }
    }

    private mutating func begin() -> Action {
        step = .sender
        return .send("MAIL FROM:<\(message.from)>")
    }

    private func offers(_ word: String, with parameter: String? = nil) -> Bool {
        answer.contains { line in
            let words = line.uppercased().split(separator: " ")
            return words.first == word[...] && (parameter.map { words.contains($0[...]) } ?? true)
        }
    }

    /// Lines that end as SMTP wants it, with the point that ends all of them.
    static func content(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(".") ? ".\($0)" : String($0) }
            .joined(separator: "\r\n") + (text.hasSuffix("\n") ? "." : "\r\n.")
    }
}
