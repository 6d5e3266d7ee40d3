import Foundation
package import Time

/// A mail as RFC 5322 and MIME write it, with lines that end as on this system: `sendmail` takes it so.
package struct MailMessage: Sendable {
    /// A file of the mail.
    package struct Attachment: Sendable {
        /// ASCII letters, digits, `-`, `_` and `.`.
        package var name: String
        /// For example `text/csv; charset=utf-8`.
        package var type: String
        package var content: String

        package init(name: String, type: String, content: String) {
            (self.name, self.type, self.content) = (name, type, content)
        }
    }

    /// Addresses of ASCII, without names.
    package var from: String
    package var to: String
    package var subject: String
    /// Unique, and the same whenever the same mail is sent again, so that a reader or a program knows the copy.
    package var id: String
    package var date: Timestamp
    package var body: String
    /// The same as HTML, which a mail program shows in place of the text; nil for the text alone.
    package var html: String?
    package var attachments: [Attachment]

    /// - Parameter id: in front of the sender's domain.
    package init(
        from: String,
        to: String,
        subject: String,
        id: String,
        date: Timestamp,
        body: String,
        html: String? = nil,
        attachments: [Attachment] = []
    ) {
        (self.from, self.to, self.subject, self.date) = (from, to, subject, date)
        (self.body, self.html, self.attachments) = (body, html, attachments)
        self.id = "\(id)@\(from.split(separator: "@").last ?? "localhost")"
    }

    /// The longest piece of a header's text in one encoded word of 75 characters.
    private static let wordBytes = 42

    var text: String {
        var text = "From: Tributary <\(from)>\n"
        text += "To: <\(to)>\n"
        text += "Subject: \(Self.header(subject))\n"
        text += "Date: \(Self.dateText(date))\n"
        text += "Message-ID: <\(id)>\n"
        // No holiday notice answers it (RFC 3834).
        text += "Auto-Submitted: auto-generated\n"
        text += "MIME-Version: 1.0\n"
        var part = Self.part(type: "text/plain; charset=utf-8", body)
        if let html {
            // Of alternatives, the last that a program knows is shown.
            part = Self.multipart("alternative", [part, Self.part(type: "text/html; charset=utf-8", html)])
        }
        guard !attachments.isEmpty else { return text + part }
        let files = attachments.map {
            "Content-Disposition: attachment; filename=\"\($0.name)\"\n" + Self.part(type: $0.type, $0.content)
        }
        return text + Self.multipart("mixed", [part] + files)
    }

    /// Parts between lines that base64 does not have.
    private static func multipart(_ kind: String, _ parts: [String]) -> String {
        // None may be the beginning of another.
        let boundary = kind == "mixed" ? "=_tributary" : "=_\(kind)"
        return "Content-Type: multipart/\(kind); boundary=\"\(boundary)\"\n\n"
            + parts.map { "--\(boundary)\n\($0)" }.joined() + "--\(boundary)--\n"
    }

    /// Base64: no line is too long, and no program on the way changes it.
    private static func part(type: String, _ content: String) -> String {
        let encoded = Data(content.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        return "Content-Type: \(type)\nContent-Transfer-Encoding: base64\n\n\(encoded)\n"
    }

    /// The text of a header: as it is, or as encoded words (RFC 2047), each of whole characters.
    static func header(_ text: String) -> String {
        let printable = text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
        if printable, text.utf8.count <= 70, !text.contains("=?") { return text }
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F
            let bytes = Array((isControl ? " " : String(scalar)).utf8)
            if words[words.count - 1].count + bytes.count > wordBytes { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\n ")
    }

    /// `Mon, 30 Nov 2026 08:00:01 +0000`.
    static func dateText(_ time: Timestamp) -> String {
        let day = time.date
        let (year, month, number) = day.components
        let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = time.rfc3339.dropFirst(11).prefix(8)
        return "\(weekdays[day.weekday]), \(number) \(months[month - 1]) \(year) \(clock) +0000"
    }
}
