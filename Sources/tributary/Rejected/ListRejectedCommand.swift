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
        try (1...1_000_000).check(limit, of: "--limit")
        try selection.check()
        let (events, count) = try await database.withPool(readsOnly: true) { pool in
            let store = RejectedEventStore(pool: pool)
            let filter = try await selection.filter(pool)
            let events = try await store.list(filter, limit: limit)
            return (events, events.count < limit ? events.count : try await store.count(filter))
        }
        switch format {
        case .text: printTable(events)
        case .csv: try printCSV(events)
        case .json: Record.print(events.map { Record($0.fields) }, as: .json)
        }
        if events.isEmpty {
            StandardError.write("there are no rejected events")
        } else if count > events.count {
            StandardError.write("showing \(events.count) of \(count); set --limit to show more")
        }
    }

    private func printTable(_ events: [RejectedEvent]) {
        let rows = events.map { event in
            [
                event.id.description, event.receivedAt.rfc3339, event.appID, event.code, event.field ?? "-",
                event.message,
            ]
        }
        TextTable(rows: rows).print()
    }

    private func printCSV(_ events: [RejectedEvent]) throws {
        var text = RejectedEvent.fieldNames.joined(separator: ",") + "\r\n"
        for event in events {
            let cells = event.fields.map { _, value in
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
