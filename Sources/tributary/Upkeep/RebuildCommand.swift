import ArgumentParser
import Foundation
import InboundLinks
import Time
import Postgres
import Reporting
import Storage
import Timelines

struct RebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Pack the events into timelines again, or check the packed timelines.",
        discussion: """
            Reports read packed timelines, which hold the events by person, and the events that were stored since. The \
            daemon packs in the background. This command packs all events again; reports use the old timelines until \
            it is done. It also corrects the links that say which user a device or a click belongs to.

            With --check it changes nothing: it compares timelines and links with the events and prints what differs.

            No event can be lost: timelines are made from the table of events only.

              tributary rebuild
              tributary rebuild --app shop
              tributary rebuild --check
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The app (default: every app).", completion: AppIDs.completion)
    var app: String?

    @Flag(help: "Compare timelines and links with the events; change nothing. Ends with status 65 if they differ.")
    var check = false

    func run() async throws {
        try await database.withPool { pool in
            let store = AppStore(pool: pool)
            let apps = if let app { [try await store.app(id: app)] } else { try await store.list() }
            var differing: [String] = []
            for app in apps {
                if check {
                    let (hasSame, hasLinks) = (try await isSame(app, pool), try await isLinked(app, pool))
                    if !hasSame || !hasLinks { differing.append(app.profile.id) }
                } else {
                    try await rebuild(app, pool)
                }
            }
            guard differing.isEmpty else {
                throw CommandFailure(
                    .badData,
                    "the packed timelines or the links differ from the events of "
                        + "\(differing.joined(separator: ", ")); correct them with 'tributary rebuild'"
                )
            }
        }
    }

    private func rebuild(_ app: App, _ pool: PostgresPool) async throws {
        let started = ContinuousClock.now
        let links = try await DeletionProgressLine.with {
            try await LinkCheck.repair(app, on: pool, progress: $0)
        }
        if !links.isRight {
            print("\(app.profile.id): links corrected: \(links.devices) devices, \(links.clicks) clicks")
        }
        if StandardError.isTerminal { StandardError.rewrite("\(app.profile.id): waiting for its turn to be packed …") }
        let count = try await TimelinePacker(app: app, pool: pool).rebuild { done, all, events in
            guard StandardError.isTerminal else { return }
            StandardError.rewrite("\(app.profile.id): \(done) of \(all) months, \(events) events")
        }
        if StandardError.isTerminal { StandardError.rewrite("") }
        let seconds = Double((ContinuousClock.now - started).wholeMicroseconds) / 1_000_000
        print("\(app.profile.id): \(count.named("event")) packed in \(String(format: "%.1f", seconds)) s")
    }

    private func isLinked(_ app: App, _ pool: PostgresPool) async throws -> Bool {
        let links = try await LinkCheck.run(app, on: pool)
        if !links.isRight {
            print("\(app.profile.id): wrong links: \(links.devices) devices, \(links.clicks) clicks")
        }
        return links.isRight
    }

    private func isSame(_ app: App, _ pool: PostgresPool) async throws -> Bool {
        let compared = try await Progress.whileWaiting("comparing \(app.profile.id)") {
            try await TimelineCheck.run(app, on: pool)
        }
        guard let result = compared else {
            print("\(app.profile.id): nothing is packed")
            return true
        }
        for month in result.months where !month.isSame {
            print(
                "\(app.profile.id): \(month.month.prefix(7)): \(month.events) events, "
                    + "\(month.packedEvents) of them packed or in the delta"
                    + (month.events == month.packedEvents ? "; they differ" : "")
            )
        }
        if result.isSame {
            let events = result.months.reduce(0) { $0 + $1.events }
            print("\(app.profile.id): \(events) events of \(result.people) people match")
        } else if !result.hasSamePeople {
            print(
                "\(app.profile.id): \(result.people) people, \(result.packedPeople) in packed timelines"
                    + (result.people == result.packedPeople ? "; their events differ" : "")
            )
        }
        return result.isSame
    }
}
