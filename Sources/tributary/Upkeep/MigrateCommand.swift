import ArgumentParser
import Foundation
import InboundLinks
import Time
import Postgres
import Storage

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database to this version's schema.",
        discussion: "The daemon does this when it starts. Run it by hand if the daemon may not alter tables."
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Only show which migrations are applied; change nothing.")
    var status = false

    @Flag(
        help: ArgumentHelp(
            "Also spread the tables over the workers of a Citus cluster, by app. Give the address of its coordinator.",
            discussion: "Stop the daemons before. If it is interrupted, run it again. See docs/scaling.md."
        )
    )
    var citus = false

    func validate() throws {
        if status && citus { throw ValidationError("--status changes nothing; leave out --citus") }
    }

    func run() async throws {
        try await database.withPool(migrating: false) { pool in
            if status {
                let entries = try await pool.withConnection { try Migrator().status($0) }
                for entry in entries {
                    let time = entry.appliedAt.map { "  " + Timestamp(microseconds: $0).rfc3339 } ?? ""
                    print(
                        "\(entry.state.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0))  \(entry.name)\(time)"
                    )
                }
                return
            }
            var applied: [String] = []
            if citus {
                applied = try await pool.withConnection { connection in
                    // A run that was interrupted had applied the migrations before it began to distribute.
                    let isBegun = try Distribution.state(connection) == .unfinished
                    let applied = isBegun ? [] : try Migrator().migrate(connection)
                    try Distribution { step in
                        print(step)
                        // Into a file too, each step is written when it begins.
                        fflush(nil)
                    }.run(connection)
                    return applied
                }
            }
            applied += try await pool.withConnection { try Migrator().migrate($0) }
            print(applied.isEmpty ? "nothing to do" : applied.map { "applied  \($0)" }.joined(separator: "\n"))
            switch try await pool.withConnection({ try BIViews().finding($0) }) {
            case .ready, .newer: break
            case .outdated(let advice):
                // Try again, to show the server's error.
                do {
                    try await pool.withConnection { try BIViews().install($0) }
                    StandardError.write("tributary: the views for BI tools could not be created. \(advice)")
                } catch {
                    StandardError.write("tributary: the views for BI tools could not be created: \(error)")
                }
            case .roleIsMissing(let advice):
                StandardError.write(
                    "tributary: the role \(BIViews.role) may not read the views for BI tools. \(advice)"
                )
            }
        }
    }
}
