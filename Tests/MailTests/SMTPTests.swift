import Foundation
import NIOSSL
import Testing
import Time

@testable import Mail

@Suite("Mails given to a server")
struct SMTPTests {
    private static let login = SMTPServer.Login(user: "ann", password: "s3cret")

    private static func message(_ body: String = "two people\n") throws -> MailMessage {
        MailMessage(
            from: "reports@example.com",
            to: "ann@example.org",
            subject: "weekly",
            id: "one",
            date: try #require(Timestamp(rfc3339: "2026-11-30T07:00:01Z")),
            body: body
        )
    }

    private static func client(
        _ port: Int,
        host: String = "127.0.0.1",
        _ security: SMTPServer.Security? = nil,
        login: SMTPServer.Login? = nil,
        patience: Duration = .seconds(60)
    ) throws -> SMTPClient {
        var server = try #require(SMTPServer("\(host):\(port)", security: security, login: login))
        server.port = port
        return SMTPClient(server: server, patience: patience, trustRoots: try FakeMailServer.trust)
    }

    @Test func areTaken() async throws {
        try await FakeMailServer.run { server, port in
            try await Self.client(port, login: Self.login).send(Self.message())
            let content = try Self.message().text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(
                server.received.filter { $0 != "QUIT" } == [
                    "EHLO example.com", "AUTH PLAIN AGFubgBzM2NyZXQ=", "MAIL FROM:<reports@example.com>",
                    "RCPT TO:<ann@example.org>", "DATA",
                ] + content.map(String.init) + ["."]
            )
        }
    }

    @Test(arguments: [SMTPServer.Security.starttls, .implicit])
    func sayNothingBeforeTLS(security: SMTPServer.Security) async throws {
        let script = FakeMailServer.Script(hasTLS: true, isImplicit: security == .implicit)
        try await FakeMailServer.run(script) { server, port in
            try await Self.client(port, host: "localhost", security, login: Self.login).send(Self.message())
            let words = server.received.prefix(5).map { $0.prefix { $0 != " " } }
            #expect(
                words
                    == (security == .implicit
                        ? ["EHLO", "AUTH", "MAIL", "RCPT", "DATA"] : ["EHLO", "STARTTLS", "TLS", "EHLO", "AUTH"])
            )
        }
    }

    @Test func areGivenToNobodyElse() async throws {
        try await FakeMailServer.run(.init(hasTLS: true)) { server, port in
            // The certificate is of localhost.
            await #expect { try await Self.client(port, .starttls, login: Self.login).send(Self.message()) } throws: {
                "\($0)".hasSuffix("its certificate is for another host")
            }
            var client = try Self.client(port, host: "localhost", .starttls, login: Self.login)
            client.trustRoots = .default
            await #expect { try await client.send(Self.message()) } throws: {
                "\($0)".hasSuffix("its certificate is not trusted")
            }
            #expect(!server.received.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
        }
        let script = FakeMailServer.Script(hasTLS: true, injected: "250 AUTH PLAIN")
        try await FakeMailServer.run(script) { server, port in
            await #expect { try await Self.client(port, host: "localhost", .starttls).send(Self.message()) } throws: {
                "\($0)".contains("TLS")
            }
            #expect(!server.received.contains { $0.hasPrefix("MAIL") })
        }
    }

    @Test(
        arguments: [
            (["RCPT": "550 5.1.1 <ann@example.org> unknown"], "the mail server answered 550 to RCPT"),
            (["MAIL": "530 5.7.0 log in first"], "the mail server answered 530 to MAIL"),
            (["DATA": "250 what?"], "the mail server answered 250 to DATA"),
            ([".": "451-4.7.1 later\r\n451 please"], "the mail server answered 451 to the mail"),
            (["EHLO": "250 mail.example"], "the mail server takes no user and password (AUTH PLAIN)"),
            (["AUTH": "535 no"], "the mail server answered 535 to AUTH"),
            (["greeting": "554 no"], "the mail server answered 554 to the greeting"),
            (["greeting": "SSH-2.0-OpenSSH_9.2"], "the mail server does not speak SMTP"),
            (["greeting": "a long line"], "the mail server does not speak SMTP"),
            (["greeting": "many lines"], "the mail server does not speak SMTP"),
            (["greeting": "\r\n"], "the mail server does not speak SMTP"),
            (["RCPT": "end"], "the mail server ended the connection at RCPT"),
            (["DATA": "nothing"], "the mail server took longer than 0.3 s"),
            (["greeting": "nothing"], "the mail server took longer than 0.3 s"),
        ] as [([String: String], String)]
    )
    func areNotTaken(answers: [String: String], reason: String) async throws {
        var script = FakeMailServer.Script(answers: answers)
        switch answers["greeting"] {
        case "a long line": script.greeting = String(repeating: "2", count: 100_000)
        case "many lines": script.greeting = String(repeating: "220-x\r\n", count: 1_000)
        case let greeting: script.greeting = greeting ?? script.greeting
        }
        let patience: Duration = answers.values.contains("nothing") ? .milliseconds(300) : .seconds(60)
        try await FakeMailServer.run(script) { _, port in
            await #expect {
                try await Self.client(port, login: Self.login, patience: patience).send(Self.message())
            } throws: {
                // What the server says is apart.
                ($0 as? MailFailure)?.reason == reason
            }
        }
    }

    @Test func areNotTakenWhereTLSIsMissingOrNobodyListens() async throws {
        var free = 0
        try await FakeMailServer.run { server, port in
            free = port
            await #expect { try await Self.client(port, .starttls).send(Self.message()) } throws: {
                "\($0)".contains("mail.tls: off")
            }
            await #expect { try await Self.client(port, .implicit).send(Self.message()) } throws: {
                "\($0)".contains("speaks no TLS")
            }
        }
        await #expect { try await Self.client(free).send(Self.message()) } throws: {
            "\($0)" == "the mail server 127.0.0.1:\(free): connection refused"
        }
    }

    /// A line with a point alone would end the mail.
    @Test func keepTheirPoints() throws {
        let server = try #require(SMTPServer("localhost"))
        var message = try Self.message()
        message.subject = "a"
        var conversation = SMTPConversation(with: server, sending: message)
        for line in ["220 a", "250 b", "250 c", "250 d"] { _ = try conversation.received(line) }
        guard case .send(let content) = try conversation.received("354 e") else { return #expect(Bool(false)) }
        #expect(content.hasSuffix("\r\n."))
        #expect(!content.dropLast().contains("\r\n.\r\n") && !content.contains("\n\n"))
        #expect(SMTPConversation.content("a\n.\n..b\n") == "a\r\n..\r\n...b\r\n.")
    }

    @Test(
        arguments: [
            ("mail.example.com", "mail.example.com 587 starttls"),
            ("mail.example.com:25", "mail.example.com 25 starttls"),
            ("mail.example.com:465", "mail.example.com 465 implicit"), ("localhost:25", "localhost 25 off"),
            ("127.0.0.1:1025", "127.0.0.1 1025 off"), ("[::1]:25", "::1 25 off"),
            ("[2001:db8::1]:25", "2001:db8::1 25 starttls"),
            ("mail.example.com:0", nil), ("mail.example.com:65536", nil), ("mail.example.com:x", nil), ("", nil),
            (":25", nil), ("a b", nil), ("u@mail.example.com", nil), ("mail.example.com/x", nil), ("smtp://a:25", nil),
        ]
    )
    func areForServers(text: String, server: String?) {
        #expect(SMTPServer(text).map { "\($0.host) \($0.port) \($0.security)" } == server)
    }

    // MARK: Programs

    @Test func endAProgramThatHangs() async throws {
        let slow = Sendmail(command: "sleep 30", patience: .milliseconds(100))
        await #expect { try await slow.send("x") } throws: { "\($0)".contains("took longer than") }
        let absent = Sendmail(command: "no-such-program-here")
        await #expect { try await absent.send("x") } throws: { "\($0)".contains("name one with mail.command") }
        // It reads nothing, however long the message is.
        try await Sendmail(command: "true").send(String(repeating: "x", count: 1 << 20))
    }
}
