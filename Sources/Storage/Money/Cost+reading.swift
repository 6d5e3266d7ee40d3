import Events
import InboundLinks
import Time

/// Why a cost cannot be stored.
package struct CostError: Error, Equatable {
    /// `kind`, `ref`, `channel`, `link`, `from`, `to`, `amount` or `currency`.
    package var field: String
    /// What is wrong, and what to do.
    package var message: String
}

extension Cost {
    /// Names of rows of reports that stand for no single ref.
    private static let reservedNames = ["(none)", "(others)", "direct", "total"]

    /// What a cost must be told by, beside one of its kinds.
    package static let requiredFields = ["from", "amount"]
    /// What a cost may be told by.
    package static let fields = Kind.allCases.map(\.rawValue) + ["from", "to", "amount", "currency"]

    /// Reads a cost as people write it.
    ///
    /// - Parameters:
    ///   - text: the text of each of ``fields``; nil if it is left out.
    ///   - ownCurrency: the app's, for a cost that names none.
    package init(ownCurrency: String, reading text: (_ field: String) -> String?) throws(CostError) {
        var names: [Kind: String] = [:]
        for kind in Kind.allCases { names[kind] = text(kind.rawValue) }
        try self.init(
            names: names,
            from: text("from") ?? "",
            to: text("to"),
            amount: text("amount") ?? "",
            currency: text("currency"),
            ownCurrency: ownCurrency
        )
    }

    /// Reads a cost as people write it.
    ///
    /// - Parameters:
    ///   - names: by kind; exactly one is there.
    ///   - to: nil: the cost is of one day.
    ///   - ownCurrency: the app's, for a cost that names none.
    package init(
        names: [Kind: String],
        from: String,
        to: String?,
        amount: String,
        currency: String?,
        ownCurrency: String
    ) throws(CostError) {
        guard names.count == 1, let (kind, name) = names.first else {
            let all = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            let problem = names.isEmpty ? "a cost is of something" : "a cost is of one thing"
            throw CostError(field: "kind", message: "\(problem): give one of \(all)")
        }
        try Self.check(name, of: kind)
        func day(_ text: String, _ field: String) throws(CostError) -> CivilDate {
            guard let day = CivilDate(text) else {
                throw CostError(field: field, message: "'\(text)' is not a date, such as 2026-11-24")
            }
            return day
        }
        let first = try day(from, "from")
        let end = try to.map { text throws(CostError) in try day(text, "to") } ?? CivilDate(number: first.number + 1)
        guard first < end else {
            let next = CivilDate(number: first.number + 1)
            let hint = first == end ? "; the end is not included, so it may be \(next)" : ""
            throw CostError(field: "to", message: "\(end) is not later than \(first)\(hint)")
        }
        guard end.number - first.number <= Self.dayLimit, first.components.year < 9999 else {
            throw CostError(field: "to", message: "a cost has at most \(Self.dayLimit) days; divide it")
        }
        guard let value = DecimalValue(amount), value.millionths >= 0 else {
            throw CostError(field: "amount", message: "'\(amount)' is not an amount of 0 or more, such as 120.50")
        }
        guard let code = CurrencyCode.normalised(currency ?? ownCurrency) else {
            throw CostError(
                field: "currency",
                message: "'\(currency ?? ownCurrency)' is not an ISO 4217 currency code, such as EUR"
            )
        }
        self.init(of: kind, named: name, from: first, to: end, amount: value, currency: code)
    }

    private static func check(_ name: String, of kind: Kind) throws(CostError) {
        let field = kind.rawValue
        guard Redaction.redact(name) == name else {
            throw CostError(field: field, message: "the name holds a secret, such as an access token; leave it out")
        }
        switch kind {
        case .channel:
            guard Channel(rawValue: name) != nil else {
                let all = Channel.allCases.map(\.rawValue).joined(separator: ", ")
                throw CostError(field: field, message: "'\(name)' is not a channel; the channels are \(all)")
            }
        case .ref:
            guard !name.isEmpty, name.utf8.count <= EventLimits.ref, !name.contains("\0") else {
                throw CostError(field: field, message: "a ref has 1 to \(EventLimits.ref) bytes")
            }
            guard !reservedNames.contains(name.lowercased()) else {
                throw CostError(field: field, message: "'\(name)' is the name of a row, not a ref")
            }
        case .link:
            guard LinkAddress(name: name) != nil, name.utf8.count <= 512, !name.contains("\0") else {
                throw CostError(field: field, message: "'\(name)' is not a short link, such as go.shop.example/spring")
            }
        }
    }
}
