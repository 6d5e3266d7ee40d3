import Mail
import Testing

@testable import Settings

@Suite("Settings of mail")
struct SendingSettingsTests {
    private static func mailer(_ settings: [String: String]) async throws -> Mailer {
        let environment = Dictionary(uniqueKeysWithValues: settings.map { ("TRIBUTARY_MAIL_\($0)", $1) })
        return try await SendingSettings(SettingsReader(file: nil, environment: environment)).mailer
    }

    @Test func nameAProgramOrAServer() async throws {
        #expect(try await Self.mailer([:]) == .program("sendmail -t -i"))
        #expect(try await Self.mailer(["COMMAND": "msmtp -t"]) == .program("msmtp -t"))
        let login = SMTPServer.Login(user: "ann", password: "s3cret")
        let server = try #require(SMTPServer("mail.example.com:25", security: .off, login: login))
        let settings = ["SMTP": "mail.example.com:25", "TLS": "off", "USER": "ann", "PASSWORD": "s3cret"]
        #expect(try await Self.mailer(settings) == .server(server))
    }

    @Test(
        arguments: [
            ("https://stats.example.com", "https://stats.example.com"),
            ("http://10.0.0.1:8080/", "http://10.0.0.1:8080"),
            ("stats.example.com", nil), ("https://stats.example.com/a", nil), ("javascript:alert(1)", nil),
        ]
    )
    func nameTheDashboard(text: String, address: String?) async {
        let environment = ["TRIBUTARY_DASHBOARD_URL": text]
        let settings = try? await SendingSettings(SettingsReader(file: nil, environment: environment))
        #expect(settings?.dashboard == address)
    }

    @Test(
        arguments: [
            (["SMTP": "mail.example.com:65536"], "TRIBUTARY_MAIL_SMTP must be a host and a port"),
            (["SMTP": "mail.example.com", "TLS": "yes"], "TRIBUTARY_MAIL_TLS must be one of starttls, implicit, off"),
            (["SMTP": "mail.example.com", "USER": "ann"], "mail.user and mail.password"),
            (["SMTP": "mail.example.com", "PASSWORD": "s3cret"], "mail.user and mail.password"),
            (["COMMAND": " "], "TRIBUTARY_MAIL_COMMAND must be a program"),
        ]
    )
    func areRefusedInWords(settings: [String: String], words: String) async {
        await #expect { try await Self.mailer(settings) } throws: {
            "\($0)".contains(words) && !"\($0)".contains("s3cret")
        }
    }
}
