import ArgumentParser
import Events
import Importing
import InboundLinks
import Postgres
import Reporting
import Storage
import Time

struct CostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost",
        abstract: "Say what refs, channels and short links cost.",
        discussion: """
            The reports 'refs', 'channels', 'links' and 'breakdown' then show costs beside what they brought, and \
            'retention --pooled' when they have paid for themselves (docs/money.md).

              tributary cost add shop --ref mail --from 2026-11-24 --amount 300
              tributary cost import shop spend.csv
              tributary cost list shop
              tributary cost remove shop 7
            """,
        subcommands: [AddCostCommand.self, ListCostsCommand.self, RemoveCostCommand.self, ImportCostsCommand.self]
    )
}

extension Cost {
    fileprivate var record: Record {
        Record([
            ("number", .number(number)), ("of", .string(kind.rawValue)), ("name", .string(name)),
            ("from", .string(from.description)), ("to", .string(to.description)),
            ("amount", .string(amount.description)), ("currency", .string(currency)),
        ])
    }
}

extension NamedApp {
    fileprivate func withCosts<Result>(
        readsOnly: Bool = false,
        _ body: (CostStore, App) async throws -> Result
    ) async throws -> Result {
        try await withStore(readsOnly: readsOnly) { store, app in try await body(CostStore(pool: store.pool), app) }
    }

    /// Says which names of costs no event has. The costs are stored already, so nothing fails.
    fileprivate func warn(of costs: [Cost], _ store: CostStore, _ app: App) async {
        let warnings = (try? await ReportRunner.warnings(of: costs, in: app, on: store.pool)) ?? []
        for warning in warnings {
            let message = Redaction.redact(warning.message.text(for: .commandLine)).replacing("\n", with: " ")
            StandardError.write("tributary: warning: \(message)")
        }
    }

    fileprivate static let tooMany = CommandFailure(
        .badData,
        "an app has at most \(CostStore.limit) costs; remove old ones, or tell longer spans at once"
    )
}

struct AddCostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a cost.",
        discussion: """
            It is spread evenly over its days, in the app's time zone. --to is the day after the last one; without it, \
            the cost is of one day.
            """
    )

    @OptionGroup var app: NamedApp

    @Option(help: "The ref that it is of.")
    var ref: String?

    @Option(help: "The channel that it is of.", completion: .list(Channel.allCases.map(\.rawValue)))
    var channel: String?

    @Option(help: "The short link that it is of, host/slug.")
    var link: String?

    @Option(help: ArgumentHelp("The first day.", valueName: "date"))
    var from: String

    @Option(help: ArgumentHelp("The day after the last one.", valueName: "date"))
    var to: String?

    @Option(help: "How much, such as 120.50.")
    var amount: String

    @Option(help: "Its currency (default: the app's). One that the app has rates of.")
    var currency: String?

    @OptionGroup var format: RecordFormat

    func run() async throws {
        // Options are named as fields are.
        let given = [
            "ref": ref, "channel": channel, "link": link, "from": from, "to": to, "amount": amount,
            "currency": currency,
        ].compactMapValues(\.self)
        let cost = try await app.withCosts { costs, app -> Cost in
            let cost: Cost
            do throws(CostError) {
                cost = try Cost(ownCurrency: app.profile.currency) { given[$0] }
            } catch {
                let option = error.field == "kind" ? "" : "--\(error.field): "
                throw CommandFailure(.usage, option + error.message)
            }
            switch try await costs.store([cost], of: app, replaces: false) {
            case .stored: break
            case .tooMany: throw NamedApp.tooMany
            case .exists(let known):
                throw CommandFailure(
                    .usage,
                    "cost \(known.number) is of the same \(known.kind.rawValue) and days, with \(known.amount) "
                        + "\(known.currency); remove it first: tributary cost remove \(app.profile.id) \(known.number)"
                )
            }
            await self.app.warn(of: [cost], costs, app)
            return try await costs.list(of: app).first { $0.hasPlace(of: cost) } ?? cost
        }
        cost.record.print(as: format.form)
    }
}

struct ListCostsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List an app's costs, by day.")

    @OptionGroup var app: NamedApp

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let costs = try await app.withCosts(readsOnly: true) { costs, app in try await costs.list(of: app) }
        Record.print(
            costs,
            as: format.form,
            row: { cost in
                [
                    "number \(cost.number)", "\(cost.from)", "\(cost.to)", cost.kind.rawValue, cost.name,
                    "\(cost.amount) \(cost.currency)",
                ]
            },
            record: \.record
        )
        if costs.isEmpty { StandardError.write("there are no costs; 'tributary cost add' adds one") }
    }
}

struct RemoveCostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a cost.")

    @OptionGroup var app: NamedApp

    @Argument(help: "Its number, as 'tributary cost list' shows it.")
    var number: Int64

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let cost = try await app.withCosts { costs, app in try await costs.remove(number, of: app) }
        guard let cost else {
            throw CommandFailure(
                .usage,
                "there is no cost \(number); list them: tributary cost list \(app.id)"
            )
        }
        cost.record.print(as: format.form)
    }
}

struct ImportCostsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Store the costs of a file.",
        discussion: """
            The file is CSV with the columns from and amount, one or several of ref, channel and link, and perhaps to \
            and currency:
              ref,from,to,amount,currency
              newsletter,2026-11-01,2026-12-01,300,EUR

            A cost of the same name and days is replaced, so a file can be imported again. A mistake is refused with \
            its line and status 65, and nothing is stored.
            """
    )

    @OptionGroup var app: NamedApp

    @Argument(help: "The file; - is standard input.", completion: .file(extensions: ["csv"]))
    var file: String

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let (bytes, name) = try MoneyInput.read(file)
        let (count, outcome) = try await app.withCosts { store, app in
            let costs = try CostFile.costs(in: bytes, currency: app.profile.currency, name: name)
            let outcome = try await store.store(costs, of: app, replaces: true)
            if case .stored = outcome { await self.app.warn(of: costs, store, app) }
            return (costs.count, outcome)
        }
        guard case .stored(let changed) = outcome else { throw NamedApp.tooMany }
        Record([
            ("app_id", .string(app.id)), ("costs", .number(Int64(count))), ("changed", .number(Int64(changed))),
        ]).print(as: format.form)
    }
}
