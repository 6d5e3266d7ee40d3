import ArgumentParser
import Foundation
import InboundLinks
import JSONReading
import Redirects
import Storage
import Time

struct TryLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Show what a visitor of a short link would get, as JSON.",
        discussion: """
            Counts nothing. With a slug, the stored link and its app are tried. Without one, the link is \
            https://links.example.com/abc, and no database is needed. --settings changes the link and its app:
              tributary link try sale --user-agent 'Twitterbot/1.0' --page
              tributary link try --user-agent curl/8 --settings '{"slug":"sale"}'
              tributary link try - < requests.ndjson
            """
    )

    @OptionGroup var options: LinkOptions

    @Argument(
        help: ArgumentHelp(
            """
            The slug of a stored link. - reads requests from standard input: JSON objects, one a line, and prints one \
            result a line.
            """,
            valueName: "slug"
        )
    )
    var input: String?

    @Option(help: "The visitor's browser. Without it, the visitor sends none.")
    var userAgent: String?

    @Option(name: .customLong("header"), help: "Another header, 'Name: value'; may be repeated.")
    var headers: [String] = []

    @Option(help: "The method of the request.")
    var method = "GET"

    @Option(help: "Path and query of the request. The link's own path by default.")
    var path: String?

    @Option(help: "Fields of the link and settings of its app, as a JSON object.")
    var settings: String?

    @Flag(help: "Print the page that the visitor would get, as HTML, in place of the JSON.")
    var page = false

    func validate() throws {
        guard input == "-" else { return }
        guard userAgent == nil, headers.isEmpty, path == nil, settings == nil, !page else {
            throw ValidationError("- takes no other options: each line has its own")
        }
    }

    func run() async throws {
        if input == "-" { return try tryLines() }
        let redirect = try trial(try await stored()).redirect(now: .now)
        guard page else { return print(InspectionValue.object(redirect.record)) }
        guard let html = redirect.html(nonce: "trial") else {
            throw CommandFailure(.badData, "the visitor gets no page: the outcome is \(redirect.outcome.rawValue)")
        }
        try StandardOutput.write(html)
    }

    /// The stored link that is named, with its app.
    private func stored() async throws -> TrialSettings {
        guard let slug = input else { return TrialSettings() }
        return try await options.withStore { store, app in
            TrialSettings(link: try await options.link(slug, in: app, store), app: app.linkApp)
        }
    }

    private func trial(_ stored: TrialSettings) throws -> LinkTrial {
        var given = stored
        let headers = try requestHeaders()
        do throws(LinkFault) {
            if let settings { try given.read(try Self.json(settings, "the value")) }
            return try LinkTrial(
                settings: given,
                visitor: Visitor(method: method, target: path ?? given.path, headers: headers)
            )
        } catch {
            throw CommandFailure(.usage, "--settings: \(error.message)")
        }
    }

    private func requestHeaders() throws(CommandFailure) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let userAgent { fields.append(("User-Agent", userAgent)) }
        for header in headers {
            guard let colon = header.firstIndex(of: ":") else {
                throw CommandFailure(.usage, "--header takes 'Name: value', not '\(header)'")
            }
            let value = header[header.index(after: colon)...].drop { $0 == " " }
            fields.append((String(header[..<colon]), String(value)))
        }
        return fields
    }

    private func tryLines() throws {
        let now = Timestamp.now
        var faults = 0
        while let line = readLine() {
            if line.allSatisfy(\.isWhitespace) { continue }
            var record: [(String, InspectionValue)] = []
            do throws(LinkFault) {
                let json = try Self.json(line, "line")
                if let id = json["id"]?.string { record.append(("id", .string(id))) }
                record += try LinkTrial(json).redirect(now: now).record
            } catch {
                faults += 1
                record += [
                    ("error", .string(error.code.rawValue)), ("field", .string(error.field)),
                    ("message", .string(error.message)),
                ]
            }
            print(InspectionValue.object(record, indented: false))
        }
        if faults > 0 { throw CommandFailure(.badData, "\(faults) lines could not be tried") }
    }

    private static func json(_ text: String, _ field: String) throws(LinkFault) -> JSONNode {
        do throws(JSONError) {
            return try JSONDocument(reading: text.utf8).root
        } catch {
            throw LinkFault(.invalidJSON, field, "\(field) is not JSON")
        }
    }
}
