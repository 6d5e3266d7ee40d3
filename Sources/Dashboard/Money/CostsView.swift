import InboundLinks
import Storage
import Time

/// What refs, channels and short links cost, the newest first, and the form for more, for the template `money`.
struct CostsView {
    struct Row {
        var kind: String
        var name: String
        var from: String
        var through: String
        var amount: String
        var currency: String
        /// The page that asks whether to remove it.
        var removal: String
    }

    /// What a cost may be of, as the form calls it.
    private static let kinds = [
        (Cost.Kind.ref.rawValue, "a ref"), (Cost.Kind.channel.rawValue, "a channel"),
        (Cost.Kind.link.rawValue, "a short link, host/slug"),
    ]
    static let pageLength = 100
    /// What the page says after a change, by the field `done` of its address.
    private static let outcomes = ["added": "The cost is added.", "removed": "The cost is removed."]

    /// What is wrong with a form, and with which of its fields.
    struct Fault: Error {
        var field: String
        var problem: String
    }

    /// Which field of the form is wrong.
    struct Invalid {
        var isName: Bool
        var isFrom: Bool
        var isThrough: Bool
        var isAmount: Bool
        var isCurrency: Bool

        /// - Parameter field: of the form, or of a cost.
        init(_ field: String) {
            isName = Cost.Kind(rawValue: field) != nil
            isFrom = field == "from"
            isThrough = field == "through" || field == "to"
            isAmount = field == "amount"
            isCurrency = field == "currency"
        }
    }

    /// Whether the one who asks may change costs.
    var isEditable = Caller.may(.analyst)
    var rows: [Row]
    /// What became of a form or of a file.
    var done: String?
    var problem: String?
    // The form.
    var invalid: Invalid?
    var kinds: [Choice]
    var name: String
    var from: String
    var through: String
    var amount: String
    var currency: String
    var key: WriteKeyField
    /// The page before and after; nil if there is none.
    var newer: String?
    var older: String?

    init(
        _ request: ViewRequest,
        _ form: FormState = FormState(),
        done: String? = nil
    ) async throws(DashboardFailure) {
        let costs = try await request.stores.ask { try await $0.costs.list(of: request.app) }
        let pages = max(1, (costs.count + Self.pageLength - 1) / Self.pageLength)
        let page = min(max(1, Int(request["page"] ?? "") ?? 1), pages)
        rows = costs.reversed().dropFirst((page - 1) * Self.pageLength).prefix(Self.pageLength).map { cost in
            Row(
                kind: cost.kind.rawValue,
                name: cost.name,
                from: "\(cost.from)",
                through: "\(cost.through)",
                amount: "\(cost.amount)",
                currency: cost.currency,
                removal: Dashboard.costRemovalPath + "?" + FormFields.encode([("number", "\(cost.number)")])
            )
        }
        func href(_ page: Int) -> String? {
            1...pages ~= page ? View.money.path + (page > 1 ? "?page=\(page)" : "") : nil
        }
        (newer, older) = (href(page - 1), href(page + 1))
        kinds = Choice.list(Self.kinds, chosen: form["kind"] ?? Cost.Kind.ref.rawValue)
        name = form["name"] ?? ""
        from = form["from"] ?? request.today
        through = form["through"] ?? ""
        amount = form["amount"] ?? ""
        currency = form["currency"] ?? request.app.profile.currency
        self.done = done ?? request["done"].flatMap { Self.outcomes[$0] }
        problem = form.problem?.asSentence
        invalid = form.field.map { Invalid($0) }
        key = form.key
    }

    /// The fields of a cost that the form describes. Its last day is included.
    static func fields(of form: FormFields, in app: App) throws(Fault) -> [String: String] {
        let kind = form["kind"].flatMap { Cost.Kind(rawValue: $0) } ?? .ref
        var fields = ["from": form["from"] ?? "", "amount": form["amount"] ?? "", kind.rawValue: form["name"] ?? ""]
        fields["currency"] = form["currency"]
        if let through = form["through"] {
            guard let last = CivilDate(through) else {
                throw Fault(field: "through", problem: "‘\(Redaction.redact(through))’ is not a date")
            }
            if let first = CivilDate(fields["from"] ?? ""), last < first {
                throw Fault(field: "through", problem: "the last day is before the first")
            }
            fields["to"] = "\(CivilDate(number: last.number + 1))"
        }
        do throws(CostError) {
            _ = try Cost(ownCurrency: app.profile.currency) { fields[$0] }
        } catch {
            throw Fault(field: error.field, problem: Redaction.redact(error.message))
        }
        return fields
    }
}

extension Cost {
    /// The last day.
    var through: CivilDate { CivilDate(number: to.number - 1) }
}

extension String {
    /// With a capital and a full stop.
    var asSentence: String {
        prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}
