import ArgumentParser
import Events
import Foundation
import InboundLinks
import Time
import Reporting
import Storage

struct ListRejectedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List rejected events, the newest first.",
        discussion: "CSV and JSON also contain the events, redacted."
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, csv, json
    }

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var selection: RejectedOptions

    @Option(help: "The maximum number of events.")
    var limit = 100

    @Option(help: "The form of the output.")
    var format: Format = .text

    func run() async throws {
        guard (1...1_000_000).contains(limit) else {
            throw CommandFailure(.usage, "--limit takes a number from 1 to 1000000, not \(limit)")
        }
        try selection.check()
        let (letters, count) = try await database.withPool(readsOnly: true) { pool in
            let store = RejectedEventStore(pool: pool)
            let filter = try await selection.filter(pool)
            let letters = try await store.list(filter, limit: limit)
            return (letters, letters.count < limit ? letters.count : try await store.count(filter))
        }
        switch format {
        case .text: printTable(letters)
        case .csv: try printCSV(letters)
        case .json: Record.print(letters.map { Record($0.fields) }, as: .json)
        }
        if letters.isEmpty {
            StandardError.write("there are no rejected events")
        } else if count > letters.count {
            StandardError.write("showing \(letters.count) of \(count); set --limit to show more")
        }
    }

    private func printTable(_ letters: [RejectedEvent]) {
        let rows = letters.map { letter in
            [
                letter.id.description, letter.receivedAt.rfc3339, letter.appID, letter.code, letter.field ?? "-",
                letter.message,
            ]
        }
        print(TextTable.text(rows), terminator: "")
    }

    private func printCSV(_ letters: [RejectedEvent]) throws {
        var text = RejectedEvent.fieldNames.joined(separator: ",") + "\r\n"
        for letter in letters {
            let cells = letter.fields.map { _, value in
                if case .string(let text) = value { CSVWriter.field(text) } else { "" }
            }
            text += cells.joined(separator: ",") + "\r\n"
        }
        try StandardOutput.write(text)
    }
}

extension RejectedEvent {
    static let fieldNames = [
        "id", "received_at", "app_id", "code", "field", "message", "event_id", "key", "event",
    ]

    /// The values of ``fieldNames``, in that order.
    var fields: [(String, InspectionValue)] {
        let values: [String?] = [
            id.description, receivedAt.rfc3339, appID, code, field, message, eventID, keyPrefix, event,
        ]
        return zip(Self.fieldNames, values).map { ($0, .optional($1)) }
    }
}
