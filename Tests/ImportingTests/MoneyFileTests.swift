import Events
import Importing
import Storage
import Testing
import Time

/// Files of rates and costs (docs/money.md).
@Suite("Files about money")
struct MoneyFileTests {
    private func rates(_ text: String, to currency: String = "USD") throws -> [String] {
        try RateFile.rates(in: Array(text.utf8), to: currency, name: "rates.csv")
            .map { "\($0.day) \($0.currency) \($0.numerator)/\($0.denominator)" }
    }

    @Test func haveARateInEachRow() throws {
        #expect(
            try rates("date,currency,rate\n2026-01-05,EUR,1.1585\n2026-01-05, jpy ,0.0064\r\n\n2026-01-06,EUR,1\n") == [
                "2026-01-05 EUR 2317/2000", "2026-01-05 JPY 4/625", "2026-01-06 EUR 1/1",
            ]
        )
        #expect(try rates("\u{FEFF}Rate,Date,Currency\n2,2026-01-05,EUR") == ["2026-01-05 EUR 2/1"])
    }

    private static let bank = """
        \u{FEFF}Date,USD,JPY,CYP,CHF,
        2026-01-06,1.25,160,N/A,N/A,
        2026-01-05,N/A,150,0.5,0.9,

        """

    /// The file of the European Central Bank tells what a euro is worth. `CYP` has ended.
    @Test func areThoseOfTheEuropeanCentralBankAsTheyAre() throws {
        #expect(
            try rates(Self.bank, to: "EUR") == [
                "2026-01-06 USD 4/5", "2026-01-06 JPY 1/160", "2026-01-05 JPY 1/150", "2026-01-05 CHF 10/9",
            ]
        )
        // By way of the euro. Of the day without a rate of the dollar there is none.
        #expect(try rates(Self.bank) == ["2026-01-06 JPY 1/128", "2026-01-06 EUR 5/4"])
    }

    @Test(arguments: [
        ("", "rates.csv has no first line with the names of its columns"),
        ("date,currency,rate\n", "rates.csv has no rate to USD"),
        (
            "date,currency\n2026-01-05,EUR",
            "rates.csv, line 1: the column 'rate' is missing; the first line is date,currency,rate"
        ),
        (
            "date,currency,rate,by\n",
            "rates.csv, line 1: unknown column 'by'; the columns are date, currency, rate"
        ),
        (
            "date,currency,rate\n2026-01-05,EUR,\"1,15\"",
            "rates.csv, line 2: '1,15' is not a rate: a number above 0 of at most 15 digits, such as 0.9234"
        ),
        (
            "date,currency,rate\n2026-01-05,EUR,0",
            "rates.csv, line 2: '0' is not a rate: a number above 0 of at most 15 digits, such as 0.9234"
        ),
        (
            "date,currency,rate\n05.01.2026,EUR,1",
            "rates.csv, line 2: '05.01.2026' is not a date, such as 2026-11-24"
        ),
        (
            "date,currency,rate\n2026-01-05,EURO,1",
            "rates.csv, line 2: 'EURO' is not an ISO 4217 currency code, such as EUR"
        ),
        (
            "date,currency,rate\n\n2026-01-05,USD,1",
            "rates.csv, line 3: USD is the app's own currency; leave the row out"
        ),
        (
            "date,currency,rate\n2026-01-05,EUR,1\n2026-01-05,EUR,2",
            "rates.csv, line 3: a second rate of EUR for 2026-01-05; leave one out"
        ),
        ("date,currency,rate\n2026-01-05,EUR", "rates.csv, line 2: the row has 2 columns, the first line 3"),
        (
            "Date,JPY,CHF,\n2026-01-05,150,0.9,",
            "rates.csv, line 1: the file has no column USD, the app's currency; give it rates by date,currency,rate"
        ),
    ]) func nameTheLineAndTheRemedy(text: String, message: String) {
        #expect(throws: ImportError.unusableInput(message)) { try rates(text) }
    }

    private func costs(_ text: String) throws -> [String] {
        try CostFile.costs(in: Array(text.utf8), currency: "USD", name: "spend.csv")
            .map { "\($0.kind) \($0.name) \($0.from) \($0.to) \($0.amount) \($0.currency)" }
    }

    @Test func haveACostInEachRow() throws {
        #expect(
            try costs(
                "ref,channel,from,to,amount,currency\nmail,,2026-01-05,2026-02-01,300.5,eur\n,search,2026-01-05,,1,"
            )
                == [
                    "ref mail 2026-01-05 2026-02-01 300.5 EUR", "channel search 2026-01-05 2026-01-06 1 USD",
                ]
        )
    }

    @Test(arguments: [
        (",search,2026-01-05,,-1", "amount: '-1' is not an amount of 0 or more, such as 120.50"),
        (",,2026-01-05,,1", "kind: a cost is of something: give one of ref, channel, link"),
        ("mail,search,2026-01-05,,1", "kind: a cost is of one thing: give one of ref, channel, link"),
        (
            "mail,,2026-01-05,2026-01-05,1",
            "to: 2026-01-05 is not later than 2026-01-05; the end is not included, so it may be 2026-01-06"
        ),
        ("mail,,2026-01-05,2027-01-07,1", "to: a cost has at most 366 days; divide it"),
        ("total,,2026-01-05,,1", "ref: 'total' is the name of a row, not a ref"),
        (
            "mail,,2026-01-05,,1\nmail,,2026-01-05,,2",
            "a second cost of 'mail' for these days; write their sum in one row"
        ),
    ]) func refuseWrongCosts(row: String, message: String) {
        let line = row.contains("\n") ? 3 : 2
        #expect(throws: ImportError.unusableInput("spend.csv, line \(line): \(message)")) {
            try costs("ref,channel,from,to,amount\n\(row)\n")
        }
    }
}
