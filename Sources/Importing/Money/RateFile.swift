import Events
package import Storage
import Time

/// Reads a file of exchange rates (docs/money.md): a row for each rate, or the European Central Bank's file with a row
/// for each day and a column for each currency.
package enum RateFile {
    /// The longest file about money, in bytes. That of the European Central Bank has 2 MB.
    package static let byteLimit = 16 << 20

    /// A number above 0, exactly.
    private struct Fraction {
        var numerator: Int128
        var denominator: Int128

        /// At most 15 digits before and after the point together; nil for any other text.
        init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let digits = parts.joined()
            guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), digits.utf8.count <= 15,
                digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int128(digits), number > 0
            else { return nil }
            numerator = number
            denominator = 1
            if parts.count == 2 { for _ in 0..<parts[1].utf8.count { denominator *= 10 } }
        }

        init(of first: Fraction, by second: Fraction) {
            numerator = first.numerator * second.denominator
            denominator = first.denominator * second.numerator
        }

        /// In lowest terms; nil if they are too large to store.
        var lowest: (numerator: Int64, denominator: Int64)? {
            var (larger, smaller) = (numerator, denominator)
            while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
            guard let numerator = Int64(exactly: numerator / larger),
                let denominator = Int64(exactly: denominator / larger)
            else { return nil }
            return (numerator, denominator)
        }
    }

    /// - Parameters:
    ///   - currency: the app's. The file tells what one unit of another currency is worth in it. The European Central
    ///     Bank's tells what one euro is worth in each.
    ///   - name: of the file, for messages.
    /// - Returns: each currency and day once.
    /// - Throws: `ImportError.unusableInput`.
    package static func rates(
        in bytes: [UInt8],
        to currency: String,
        name: String
    ) throws(ImportError) -> [ExchangeRate] {
        var file = try MoneyFile(bytes, name: name)
        let isOfBank = file.columns.first == "date" && file.columns.count > 2 && !file.columns.contains("currency")
        var rates: [ExchangeRate] = []
        if isOfBank {
            try readBank(&file, to: currency, into: &rates)
        } else {
            try readRows(&file, to: currency, into: &rates)
        }
        guard !rates.isEmpty else { throw .unusableInput("\(name) has no rate to \(currency)") }
        return rates
    }

    private static func readRows(
        _ file: inout MoneyFile,
        to own: String,
        into rates: inout [ExchangeRate]
    ) throws(ImportError) {
        let positions = try file.positions(of: ["date", "currency", "rate"])
        var known: [String: Set<Int>] = [:]
        while let row = try file.next() {
            guard row.count == file.columns.count, let date = positions["date"], let place = positions["currency"],
                let value = positions["rate"]
            else { throw file.wrong("the row has \(row.count) columns, the first line \(file.columns.count)") }
            let (day, currency) = (try file.day(row[date]), try file.currency(row[place]))
            guard currency != own else {
                throw file.wrong("\(own) is the app's own currency; leave the row out")
            }
            guard known[currency, default: []].insert(day.number).inserted else {
                throw file.wrong("a second rate of \(currency) for \(day); leave one out")
            }
            try append(try fraction(row[value], file), of: currency, on: day, to: &rates, file)
        }
    }

    private static func readBank(
        _ file: inout MoneyFile,
        to own: String,
        into rates: inout [ExchangeRate]
    ) throws(ImportError) {
        // Its lines end with a comma. Old currencies, which no event can have, are passed over.
        let currencies = file.columns.map { CurrencyCode.normalised($0) }
        if let wrong = file.columns.dropFirst().first(where: { $0.utf8.count != 3 && !$0.isEmpty }) {
            throw file.wrong("'\(wrong)' is not a currency; the columns are date,currency,rate or Date,USD,JPY,…")
        }
        let euro = "EUR"
        let ownPlace = currencies.firstIndex(of: own)
        guard own == euro || ownPlace != nil else {
            throw file.wrong("the file has no column \(own), the app's currency; give it rates by date,currency,rate")
        }
        var days: Set<Int> = []
        while let row = try file.next() {
            guard row.count <= currencies.count, let first = row.first else {
                throw file.wrong("the row has \(row.count) columns, the first line \(currencies.count)")
            }
            let day = try file.day(first)
            guard days.insert(day.number).inserted else { throw file.wrong("a second row for \(day); leave one out") }
            var worth: [(currency: String, perEuro: Fraction)] = []
            for (text, currency) in zip(row, currencies).dropFirst() where text != "N/A" && !text.isEmpty {
                guard let currency else { continue }
                worth.append((currency, try fraction(text, file)))
            }
            if let one = Fraction("1") { worth.append((euro, one)) }
            // Without a rate of the app's currency, the day has none.
            guard let app = worth.first(where: { $0.currency == own }) else { continue }
            for (currency, perEuro) in worth where currency != own {
                try append(Fraction(of: app.perEuro, by: perEuro), of: currency, on: day, to: &rates, file)
            }
        }
    }

    private static func fraction(_ text: String, _ file: MoneyFile) throws(ImportError) -> Fraction {
        guard let fraction = Fraction(text) else {
            throw file.wrong("'\(text)' is not a rate: a number above 0 of at most 15 digits, such as 0.9234")
        }
        return fraction
    }

    private static func append(
        _ fraction: Fraction,
        of currency: String,
        on day: CivilDate,
        to rates: inout [ExchangeRate],
        _ file: MoneyFile
    ) throws(ImportError) {
        guard let lowest = fraction.lowest else { throw file.wrong("the rate of \(currency) has too many digits") }
        guard rates.count < RateStore.limit else {
            throw file.wrong("an app has at most \(RateStore.limit) rates; leave out early days")
        }
        rates.append(
            ExchangeRate(
                currency: currency,
                day: day,
                numerator: lowest.numerator,
                denominator: lowest.denominator
            )
        )
    }
}
