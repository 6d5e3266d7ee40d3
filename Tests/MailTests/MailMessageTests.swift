import Foundation
import Testing
import Time

@testable import Mail

@Suite("Mails")
struct MailMessageTests {
    private static func message(
        subject: String = "weekly: 2026-11-23",
        body: String = "two people\n",
        html: String? = nil,
        attachments: [MailMessage.Attachment] = []
    ) throws -> MailMessage {
        MailMessage(
            from: "reports@example.com",
            to: "ann@example.com",
            subject: subject,
            id: "one-2026-11-23",
            date: try #require(Timestamp(rfc3339: "2026-11-30T07:00:01Z")),
            body: body,
            html: html,
            attachments: attachments
        )
    }

    @Test func areTextAlone() throws {
        let text = try Self.message().text
        #expect(
            text == """
                From: Tributary <reports@example.com>
                To: <ann@example.com>
                Subject: weekly: 2026-11-23
                Date: Mon, 30 Nov 2026 07:00:01 +0000
                Message-ID: <one-2026-11-23@example.com>
                Auto-Submitted: auto-generated
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: base64

                dHdvIHBlb3BsZQo=

                """
        )
    }

    @Test func haveTheirFilesAttached() throws {
        let csv = "ref;people\r\n" + String(repeating: "ü,1\r\n", count: 5_000)
        let file = MailMessage.Attachment(name: "a.csv", type: "text/csv; charset=utf-8", content: csv)
        let text = try Self.message(attachments: [file]).text
        let parts = text.components(separatedBy: "--=_tributary")
        #expect(parts.count == 4 && parts[3] == "--\n")
        #expect(parts[2].contains("filename=\"a.csv\"\nContent-Type: text/csv; charset=utf-8\n"))
        let encoded = try #require(parts[2].components(separatedBy: "\n\n").last).filter { $0 != "\n" }
        #expect(Data(base64Encoded: encoded) == Data(csv.utf8))
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 78 })
    }

    /// RFC 2046: of alternatives, the best comes last. No boundary is the beginning of another.
    @Test func haveHTMLBesideTheText() throws {
        let alone = try Self.message(html: "<p>two people</p>").text
        #expect(alone.contains("Content-Type: multipart/alternative; boundary=\"=_alternative\"\n\n--=_alternative\n"))
        let file = MailMessage.Attachment(name: "a.csv", type: "text/csv", content: "a\r\n")
        let text = try Self.message(html: "<p>two people</p>", attachments: [file]).text
        let parts = text.components(separatedBy: "--=_tributary")
        #expect(parts.count == 4 && parts[2].contains("a.csv") && parts[3] == "--\n")
        let alternatives = parts[1].components(separatedBy: "--=_alternative")
        #expect(alternatives.count == 4 && alternatives[3] == "--\n")
        #expect(alternatives[1].contains("text/plain") && alternatives[2].contains("text/html; charset=utf-8"))
        let encoded = try #require(alternatives[2].components(separatedBy: "\n\n").last).filter { $0 != "\n" }
        #expect(Data(base64Encoded: encoded) == Data("<p>two people</p>".utf8))
    }

    /// RFC 2047: at most 75 characters a word, each of whole characters.
    @Test(
        arguments: [
            "Wöchentlich: 2026-11-23 bis 2026-11-29 · Käsekuchen & Söhne", "週報：" + String(repeating: "漢字", count: 60),
            "=?utf-8?q?not?=", "line\nBcc: eve@example.com", String(repeating: "a", count: 300), "👩‍👩‍👧‍👦 family",
        ]
    )
    func haveEncodedSubjects(_ subject: String) throws {
        let header = MailMessage.header(subject)
        let words = header.components(separatedBy: "\n ")
        var decoded: [UInt8] = []
        for word in words {
            #expect(word.utf8.count <= 75 && word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?="))
            let bytes = [UInt8](try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2)))))
            #expect(String(validating: bytes, as: UTF8.self) != nil)
            decoded += bytes
        }
        #expect(String(decoding: decoded, as: UTF8.self) == subject.replacing("\n", with: " "))
    }
}
