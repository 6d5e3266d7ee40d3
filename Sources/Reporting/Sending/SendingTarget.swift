import Foundation
import Text

/// Where an answer is sent.
package enum SendingTarget: Equatable, Sendable {
    /// An address.
    case mail(String)
    /// The address of an incoming webhook of Slack, or of another chat that takes the same JSON. It is a secret.
    case slack(String)
    /// An address that takes JSON.
    case https(String)
    /// A folder, relative to the one that the daemon's settings name.
    case folder(String)

    /// In bytes.
    private static let limit = 2_000

    /// Whether what it gets is signed: a program that takes JSON can tell who sent it. A chat looks at no signature.
    package var isSigned: Bool { if case .https = self { true } else { false } }

    /// - Parameters:
    ///   - allowsPrivate: the setting `webhook.allow.private`: `http` is good too. The daemon checks it again.
    ///   - isStored: it was taken once. What is wrong with it then fails its runs, with words.
    /// - Throws: `ReportError.usage`.
    package init(_ text: String, allowsPrivate: Bool = true, isStored: Bool = false) throws(ReportError) {
        guard allowsPrivate || !text.hasPrefix("http:") && !text.hasPrefix("slack:http:") else {
            throw .invalid("to", "the URL must begin with https://")
        }
        guard text.utf8.count <= Self.limit else { throw .invalid("to", "a target has at most \(Self.limit) bytes") }
        guard
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.properties.generalCategory != .control })
        else { throw .invalid("to", "a target has no blanks or control characters") }
        func rest(after prefix: String) -> String? {
            text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
        }
        if let address = rest(after: "mail:") {
            guard Self.isAddress(address) else {
                throw .invalid("to", "'\(address)' is no mail address, such as mail:ann@example.com")
            }
            self = .mail(address)
        } else if let address = rest(after: "slack:") {
            guard Self.isURL(address) else {
                throw .invalid("to", "slack: takes the https address of an incoming webhook of Slack")
            }
            if !isStored { try Self.checkPort(of: address) }
            self = .slack(address)
        } else if let path = rest(after: "file:") {
            guard Self.isInside(path) else {
                throw .invalid(
                    "to",
                    "file: takes a folder below the one that question.folder names for the daemon, such as "
                        + "file:weekly; without .. and without a / in front"
                )
            }
            self = .folder(path)
        } else if Self.isURL(text) {
            if !isStored { try Self.checkPort(of: text) }
            self = .https(text)
        } else {
            throw .invalid(
                "to",
                "'\(text.prefix(100))' is no target; "
                    + (Self.isAddress(text)
                        ? "did you mean mail:\(text)?" : "give mail:ADDRESS, slack:URL, https://… or file:FOLDER")
            )
        }
    }

    /// As ``init(_:)`` reads it.
    package var text: String {
        switch self {
        case .mail(let address): "mail:\(address)"
        case .slack(let address): "slack:\(address)"
        case .https(let address): address
        case .folder(let path): "file:\(path)"
        }
    }

    /// For people who may read the app's figures, and not its settings: what kind of target, and no more than its
    /// domain.
    package var kind: String {
        switch self {
        case .mail(let address): "mail to \(address.split(separator: "@").last ?? "")"
        case .slack: "Slack"
        case .https(let address): "https to \(URL(string: address)?.host() ?? "")"
        case .folder: "a file"
        }
    }

    /// A text of a receiver without what is secret of the target: many repeat the path that they were asked for.
    package func hidden(in text: String) -> String {
        let secrets: [String]
        switch self {
        case .mail(let address): secrets = [address]
        case .folder: secrets = []
        case .slack(let address), .https(let address):
            guard let path = address.split(separator: "/", maxSplits: 2).dropFirst(2).first else { return text }
            secrets = ["/\(path)"] + path.split { "/?&=#".contains($0) }.filter { $0.utf8.count >= 8 }.map(String.init)
        }
        return secrets.flatMap { [$0, $0.removingPercentEncoding ?? $0] }
            .reduce(text) { $0.replacingOccurrences(of: $1, with: "…", options: .caseInsensitive) }
    }

    /// One address without a name, as a program passes it to `sendmail -t`: nothing in it can begin an option, another
    /// address or another header.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), (3...255).contains(parts[1].utf8.count),
            parts[0].first != "-", parts[1].contains(".")
        else { return false }
        let forbidden = "\"(),:;<>[\\]"
        return text.allSatisfy { $0.isASCII && !forbidden.contains($0) }
            && parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }

    private static func isURL(_ text: String) -> Bool {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), let url = URLComponents(string: text),
            let host = url.host
        else { return false }
        return !host.isEmpty && url.user == nil
    }

    private static func checkPort(of address: String) throws(ReportError) {
        if URLComponents(string: address)?.hasUsablePort == false {
            throw .invalid("to", "the URL's port must be from 1 to 65535")
        }
    }

    private static func isInside(_ path: String) -> Bool {
        guard !path.isEmpty, !path.hasPrefix("/") else { return false }
        return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0 != "." && $0 != ".." && !$0.hasPrefix("~")
        }
    }
}
