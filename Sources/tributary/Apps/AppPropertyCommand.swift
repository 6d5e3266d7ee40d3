import ArgumentParser
import InboundLinks
import Reporting
import Storage
import Text

struct AppPropertyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "property",
        abstract: "Declare properties of events as keys of an app's reports.",
        discussion: """
            Reports then group and filter by what events say in 'properties', as by the platform (docs/properties.md).

              tributary app property add shop placement --of touch
              tributary app property add shop plan --of person
              tributary app property add shop tier --of conversion --values 50
              tributary report breakdown --app shop --by placement --where plan=pro
            """,
        subcommands: [AddPropertyCommand.self, ListPropertiesCommand.self, RemovePropertyCommand.self]
    )
}

extension AppProperty.Kind: ExpressibleByArgument {}

struct AddPropertyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Declare a property.",
        discussion: """
            It counts for all of history. 'tributary reread' packs history with it; until then reports that ask for it \
            read every event, which is exact but takes longer.

            --of says what has it:
              touch       each touch has the value that it says itself
              person      a person has the value of the earliest event that says one, and so has every touch, install
                          and conversion of the person
              conversion  each conversion has the value that it says itself
            """
    )

    @OptionGroup var app: NamedApp

    @Argument(help: "The property's name in 'properties'.")
    var name: String

    @Option(name: .customLong("of"), help: "What has it: touch, person or conversion.")
    var kind: AppProperty.Kind

    @Option(help: "How many values have rows of their own, those of the most events; the rest is (others).")
    var values = AppProperty.defaultValueLimit

    @OptionGroup var format: RecordFormat

    func validate() throws {
        if let problem = AppProperty.problem(withName: name) { throw ValidationError(problem) }
    }

    func run() async throws {
        try AppProperty.valueLimits.check(values, of: "--values")
        let property = AppProperty(name, of: kind, values: values)
        try await app.withStore { store, app in
            do {
                try await store.declare(property, of: app)
            } catch AppPropertyError.exists(let known) {
                throw CommandFailure(
                    .usage,
                    "'\(name)' is declared already, of a \(known.kind.rawValue) with \(known.valueLimit) values; remove "
                        + "it first to change that: tributary app property remove \(self.app.id) \(name)"
                )
            } catch AppPropertyError.tooMany {
                throw CommandFailure(
                    .usage,
                    "an app has at most \(AppProperty.countLimit) properties; remove one that no report uses: "
                        + "tributary app property list \(self.app.id)"
                )
            }
        }
        property.record(of: app.id).print(as: format.form)
        StandardError.write(
            "Reports take '\(name)' now. Run 'tributary reread --app \(app.id)' to pack history with it; until then, "
                + "reports that ask for it read every event."
        )
    }
}

struct ListPropertiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the properties that an app has declared."
    )

    @OptionGroup var app: NamedApp

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let properties = try await app.withStore { $1.properties }
        Record.print(properties.map { $0.record(of: app.id) }, as: format.form)
        if properties.isEmpty {
            StandardError.write(
                "the app '\(app.id)' has declared none; begin with: tributary app property add \(app.id) plan --of person"
            )
        }
    }
}

struct RemovePropertyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take the declaration of a property back.",
        discussion: "Events keep what they say. Saved questions that use the property fail until it is declared again."
    )

    @OptionGroup var app: NamedApp

    @Argument(help: "The property's name.")
    var name: String

    func run() async throws {
        try await app.withStore { store, app in
            do {
                try await store.removeProperty(name, of: app)
            } catch AppPropertyError.unknown(_, let known) {
                let hint = closestName(to: name, among: known).map { "; did you mean '\($0)'?" }
                let list =
                    known.isEmpty ? "; it has declared none" : "; it has declared \(known.joined(separator: ", "))"
                let id = self.app.id
                throw CommandFailure(.usage, "the app '\(id)' has declared no property '\(name)'\(hint ?? list)")
            }
        }
    }
}

extension AppProperty {
    fileprivate func record(of app: String) -> Record {
        Record([
            ("app_id", .string(app)), ("name", .string(name)), ("of", .string(kind.rawValue)),
            ("values", .number(Int64(valueLimit))),
        ])
    }
}
