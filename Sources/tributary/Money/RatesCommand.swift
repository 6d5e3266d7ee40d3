import ArgumentParser
import Events
import Importing
import InboundLinks
import Storage
import Time

struct RatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rates",
        abstract: "Say what other currencies are worth in the app's.",
        discussion: """
            'value' of reports then has conversions in these currencies too, each at the rate of its day \
            (docs/money.md).

              tributary app rates import shop rates.csv
              tributary app rates import shop eurofxref-hist.csv
              tributary app rates list shop
              tributary app rates clear shop
            """,
        subcommands: [ImportRatesCommand.self, ListRatesCommand.self, ClearRatesCommand.self]
    )
}

struct ImportRatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Store the rates of a file.",
        discussion: """
            The file is CSV with the columns date, currency and rate: what one unit of the currency is worth in the \
            app's, so for an app in USD
              date,currency,rate
              2026-11-24,EUR,1.1585
            or the European Central Bank's eurofxref-hist.csv as it is.

            Rates of the same currency and day are replaced, all others stay. Reports have them at once. A mistake is \
            refused with its line and status 65, and nothing is stored.
            """
    )

    @OptionGroup var app: NamedApp

    @Argument(help: "The file; - is standard input.", completion: .file(extensions: ["csv"]))
    var file: String

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let (bytes, name) = try MoneyInput.read(file)
        let (rates, changed) = try await app.withStore { store, app in
            let rates = try RateFile.rates(in: bytes, to: app.profile.currency, name: name)
            return (rates, try await RateStore(pool: store.pool).store(rates, of: app))
        }
        guard let changed else {
            throw CommandFailure(
                .badData,
                "the app would have more than \(RateStore.limit) rates; leave out early days, or clear those of a "
                    + "currency: tributary app rates clear \(app.id) --currency ISK"
            )
        }
        let days = rates.map(\.day)
        Record([
            ("app_id", .string(app.id)), ("rates", .number(Int64(rates.count))), ("changed", .number(Int64(changed))),
            ("currencies", .list(Set(rates.map(\.currency)).sorted())),
            ("first_day", days.min().map { .string($0.description) } ?? .null),
            ("last_day", days.max().map { .string($0.description) } ?? .null),
        ]).print(as: format.form)
    }
}

struct ListRatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the currencies that an app has rates of, each with its last rate."
    )

    @OptionGroup var app: NamedApp

    @Option(help: "List every rate of this currency instead.", transform: MoneyInput.currency)
    var currency: String?

    @OptionGroup var format: RecordFormat

    func run() async throws {
        if let currency {
            let rates = try await app.withStore(readsOnly: true) { store, app in
                try await RateStore(pool: store.pool).rates(of: currency, of: app)
            }
            Record.print(rates, as: format.form, row: { ["\($0.day)", $0.text] }) { rate in
                Record([("date", .string(rate.day.description)), ("rate", .string(rate.text))])
            }
            if rates.isEmpty { StandardError.write("the app '\(app.id)' has no rates of \(currency)") }
            return
        }
        let spans = try await app.withStore(readsOnly: true) { store, app in
            try await RateStore(pool: store.pool).spans(of: app)
        }
        Record.print(
            spans,
            as: format.form,
            row: { span in
                [span.last.currency, span.count.named("rate"), "\(span.first)", "\(span.last.day)", span.last.text]
            },
            record: { span in
                Record([
                    ("currency", .string(span.last.currency)), ("rates", .number(Int64(span.count))),
                    ("first_day", .string(span.first.description)), ("last_day", .string(span.last.day.description)),
                    ("last_rate", .string(span.last.text)),
                ])
            }
        )
        if spans.isEmpty {
            StandardError.write("the app '\(app.id)' has no rates; 'tributary app rates import' stores some")
        }
    }
}

struct ClearRatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove an app's rates.",
        discussion: "Conversions in other currencies are then in no 'value' again."
    )

    @OptionGroup var app: NamedApp

    @Option(help: "Only those of this currency.", transform: MoneyInput.currency)
    var currency: String?

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let removed = try await app.withStore { store, app in
            try await RateStore(pool: store.pool).clear(currency, of: app)
        }
        Record([("app_id", .string(app.id)), ("removed", .number(Int64(removed)))]).print(as: format.form)
    }
}
