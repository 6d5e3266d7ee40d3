import ArgumentParser
import Storage

struct ShowRejectedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a rejected event, redacted, and why it was rejected."
    )

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The id, as 'tributary rejected list' shows it.")
    var id: String

    @OptionGroup var format: RecordFormat

    func run() async throws {
        var filter = RejectedEventFilter()
        filter.ids = [try RejectedOptions.id(id)]
        let events = try await database.withPool(readsOnly: true) { pool in
            try await RejectedEventStore(pool: pool).list(filter, limit: 1)
        }
        guard let event = events.first else { throw CommandFailure(.usage, "there is no rejected event \(id)") }
        Record(event.fields).print(as: format.form)
    }
}
