import ArgumentParser
import Foundation
import InboundLinks
import JSONReading
import Reporting
import Storage
import Time
import Timelines

struct RereadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reread",
        abstract: "Read the links of an app's history again by today's rules.",
        discussion: """
            Rules count for links that arrive after they were set ('tributary app rules'). This command reads the \
            links that are stored, with their secrets redacted, by today's rules: those of the app and those of this \
            version. First it prints how many touches move from which channel and ref to which; with --dry-run, that \
            is all. Then it rewrites them, packs the events again, and has the figures for BI tools computed again. \
            What a sender stated is never changed.

            Events are received meanwhile, and reports are made: they say on standard error, or in the header \
            Tributary-Notice, that history is being read again. If it is interrupted, run it again; what is done is \
            not done again. Run as the owner of the tables. docs/rules.md says more.

              tributary reread --app shop --dry-run
              tributary reread --app shop
              tributary reread --app shop --from 2026-11-01 --format csv
            """
    )

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @Option(help: "The start, included: \(ReportParameter.timeForms) (default: the beginning).")
    var from: String?

    @Option(help: "The end, not included, in the same forms (default: now).")
    var to: String?

    @Flag(help: "Only show what would move.")
    var dryRun = false

    @Option(
        help: "table, csv or json (default: table on a terminal, otherwise csv).",
        completion: .list(ReportFormat.allCases.map(\.rawValue))
    )
    var format: ReportFormat?

    func run() async throws {
        try await database.withPool { pool in
            let app = try await app.app(on: pool)
            let range = try range(of: app, now: .now)
            let store = RereadStore(app: app, pool: pool)
            let preview = try await DeletionProgressLine.with {
                try await store.preview(from: range.from, to: range.to, progress: $0)
            }
            print(text(of: preview), terminator: "")
            fflush(nil)
            tell(preview)
            guard !dryRun else { return }
            let isUnfinished = try await store.isUnfinished()
            guard preview.changed > 0 || isUnfinished else {
                // Packed timelines may lack a property that was declared since.
                let isPacked = try await DeletionProgressLine.with { progress in
                    progress(DeletionProgress("packing the events of \(app.profile.id) again"))
                    return try await TimelinePacker(app: app, pool: pool).rebuildIfMarked()
                }
                return StandardError.write(
                    "nothing to change: today's rules read all links as they are stored"
                        + (isPacked ? "; the events are packed again, with all declared properties" : "")
                )
            }
            let outcome = try await DeletionProgressLine.with { progress in
                try await store.run(from: range.from, to: range.to, progress: progress) {
                    progress(DeletionProgress("packing the events of \(app.profile.id) again"))
                    try await TimelinePacker(app: app, pool: pool).rebuildIfMarked()
                }
            }
            let count = outcome.moves.changed.named("touch", "touches")
            StandardError.write("\(count) rewritten, packed timelines made again")
            if outcome.hasOtherRules {
                StandardError.write("the rules of the app have changed meanwhile: run this command again")
            }
        }
    }

    private func range(of app: App, now: Timestamp) throws -> (from: Timestamp?, to: Timestamp?) {
        guard let zone = ReportTimeZone(app.profile.timeZone) else {
            throw CommandFailure(.internalError, "the app's time zone '\(app.profile.timeZone)' is unknown here")
        }
        let from = try from.map { try ReportInstant.parse($0, field: "from", zone: zone, now: now) }
        let to = try to.map { try ReportInstant.parse($0, field: "to", zone: zone, now: now) }
        if let from, let to, from >= to { throw CommandFailure(.usage, "--from must lie before --to") }
        return (from, to)
    }

    private func tell(_ preview: RereadMoves) {
        var text = preview.moved.named("touch moves", "touches move")
        if preview.others > 0 { text += "; of \(preview.others) more, only other details change" }
        StandardError.write(dryRun ? text + "; nothing was changed" : text)
    }

    private static let columns = ["from_channel", "from_ref", "to_channel", "to_ref", "touches"]

    private static func table(_ rows: [[String]]) -> TextTable {
        TextTable(
            columns: columns.enumerated().map { position, header in
                let isFigure = header == columns.last
                return TextTable.Column(
                    header: header,
                    isText: !isFigure,
                    isKey: !isFigure,
                    cells: rows.map { $0[position] }
                )
            }
        )
    }

    private func text(of moves: RereadMoves) -> String {
        let rows = moves.rows.map { move, count in
            [
                move.fromChannel.rawValue, move.fromRefs.joined(separator: ","), move.toChannel.rawValue,
                move.toRefs.joined(separator: ","), String(count),
            ]
        }
        switch format ?? (isatty(1) == 1 ? .table : .csv) {
        case .table: return rows.isEmpty ? "" : Self.table(rows).text(within: StandardOutput.terminalWidth)
        case .csv:
            return ([Self.columns] + rows).map { row in
                row.map { CSVWriter.field($0) }.joined(separator: ",") + "\r\n"
            }.joined()
        case .json:
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("dry_run", dryRun)
                writer.member("moved", moves.moved)
                writer.member("other_changes", moves.others)
                writer.key("moves")
                writer.array { writer in
                    for (move, count) in moves.rows {
                        writer.object { writer in
                            writer.member("from_channel", move.fromChannel.rawValue)
                            writer.member("from_ref", move.fromRefs)
                            writer.member("to_channel", move.toChannel.rawValue)
                            writer.member("to_ref", move.toRefs)
                            writer.member("touches", count)
                        }
                    }
                }
            }
            return writer.text + "\n"
        }
    }
}

extension ReportFormat: ExpressibleByArgument {}
