import HTTPTypes
import HummingbirdCore
import Storage

/// `/money`: what things cost, and what other currencies are worth.
extension Dashboard {
    static let costImportPath = "/money/import"
    static let costRemovalPath = "/money/remove"
    static let ratesPath = "/money/rates"
    static let rateClearingPath = "/money/rates/clear"

    /// The largest files, in bytes. The European Central Bank's has 2 MB.
    private static let costFileLimit = 1 << 20
    private static let rateFileLimit = 4 << 20

    /// - Returns: nil if there is no such page.
    func respondToMoney(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.post, View.money.path):
            return await changing(request, of: .money, again: costsPage) { form, asked throws(DashboardFailure) in
                let fields: [String: String]
                do throws(CostsView.Fault) {
                    fields = try CostsView.fields(of: form, in: asked.app)
                } catch {
                    let state = FormState(fields: form, problem: error.problem, field: error.field)
                    return try await costsPage(state, asked)
                }
                try await stores.addCost(fields, of: asked.app)
                return redirect(to: View.money.path + "?done=added")
            }
        case (.get, Self.costImportPath), (.head, Self.costImportPath):
            return await withView(.money, request) { asked throws(DashboardFailure) in
                importPage(.costs(), asked)
            }
        case (.post, Self.costImportPath):
            return await importing(
                request,
                upTo: Self.costFileLimit,
                as: MoneyFileForm.costs,
                again: importPage
            ) { file, asked throws(DashboardFailure) in
                let outcome = try await stores.importCosts(file.content, of: asked.app)
                return costsPage(try await CostsView(asked, done: outcome.words("cost")), asked)
            }
        case (_, Self.costRemovalPath):
            return await confirming(
                request,
                at: path,
                of: .money,
                fields: ["number"],
                ask: costRemoval,
                missing: { _, _ in redirect(to: View.money.path) }
            ) { form, asked throws(DashboardFailure) in
                let number = Int64(form["number"] ?? "") ?? 0
                _ = try await stores.ask { try await $0.costs.remove(number, of: asked.app) }
                return redirect(to: View.money.path + "?done=removed")
            }
        case (.get, Self.ratesPath), (.head, Self.ratesPath):
            return await withView(.money, request) { asked throws(DashboardFailure) in
                let done = asked["done"] == "removed" ? "The rates are removed." : nil
                return try await ratesPage(asked, done: done)
            }
        case (.post, Self.ratesPath):
            return await importing(
                request,
                upTo: Self.rateFileLimit,
                as: MoneyFileForm.rates,
                again: ratesPage
            ) { file, asked throws(DashboardFailure) in
                let outcome = try await stores.importRates(file.content, of: asked.app)
                return try await ratesPage(asked, done: outcome.words("rate"))
            }
        case (_, Self.rateClearingPath):
            return await confirming(
                request,
                at: path,
                of: .money,
                fields: ["currency"],
                ask: rateClearing,
                missing: { _, _ in redirect(to: Self.ratesPath) }
            ) { form, asked throws(DashboardFailure) in
                // The form for all rates has an empty one.
                guard form.fields.contains(where: { $0.name == "currency" }) else {
                    throw .invalid("‘currency’ is required: the currency whose rates go, or nothing for all.")
                }
                _ = try await stores.ask { try await $0.rates.clear(form["currency"], of: asked.app) }
                return redirect(to: Self.ratesPath + "?done=removed")
            }
        default: return nil
        }
    }

    /// Answers a form with a file, if there is room for one.
    private func importing(
        _ request: Request,
        upTo limit: Int,
        as form: (FileForm, FormState) -> MoneyFileForm,
        again: (MoneyFileForm, ViewRequest) async throws(DashboardFailure) -> Response,
        _ act: (FileForm, ViewRequest) async throws(DashboardFailure) -> Response
    ) async -> Response? {
        await withView(.money, request) { asked throws(DashboardFailure) in
            try importRoom.enter(asked.app)
            defer { importRoom.leave(asked.app) }
            let file = try await fileForm(request, upTo: limit)
            return try await change(
                file.fields,
                asked,
                again: { state, asked throws(DashboardFailure) in try await again(form(file, state), asked) },
                { _, asked throws(DashboardFailure) in try await act(file, asked) }
            )
        }
    }

    private func costsPage(_ form: FormState, _ asked: ViewRequest) async throws(DashboardFailure) -> Response {
        costsPage(try await CostsView(asked, form), asked, status: form.status)
    }

    private func costsPage(_ view: CostsView, _ asked: ViewRequest, status: HTTPResponse.Status = .ok) -> Response {
        let place = Pages.Place(title: View.money.title, path: View.money.path)
        return page(asked, at: place, view, "money", status: status)
    }

    private func importPage(_ form: MoneyFileForm, _ asked: ViewRequest) -> Response {
        let place = Pages.Place(title: "Costs of a file", path: Self.costImportPath)
        return page(asked, at: place, form, "cost-file", status: form.status)
    }

    private func ratesPage(_ asked: ViewRequest, done: String?) async throws(DashboardFailure) -> Response {
        var form = MoneyFileForm.rates()
        form.done = done
        return try await ratesPage(form, asked)
    }

    private func ratesPage(_ form: MoneyFileForm, _ asked: ViewRequest) async throws(DashboardFailure) -> Response {
        let view = try await RatesView(asked, form)
        let place = Pages.Place(title: "Exchange rates", path: Self.ratesPath)
        return page(asked, at: place, view, "rates", status: form.status)
    }

    private func costRemoval(_ fields: FormFields, _ asked: ViewRequest)
        async throws(DashboardFailure) -> Confirmation?
    {
        let costs = try await stores.ask { try await $0.costs.list(of: asked.app) }
        return costs.first { "\($0.number)" == fields["number"] }.map { cost in
            Confirmation(
                title: "Remove this cost?",
                trail: View.money.path,
                trailTitle: "All costs",
                subject: "\(cost.amount) \(cost.currency) of the \(cost.kind.rawValue) \(cost.name)",
                detail: cost.from == cost.through ? "\(cost.from)" : "\(cost.from) to \(cost.through)",
                button: "Remove the cost",
                back: View.money.path
            )
        }
    }

    private func rateClearing(_ fields: FormFields, _ asked: ViewRequest)
        async throws(DashboardFailure) -> Confirmation?
    {
        let spans = try await stores.ask { try await $0.rates.spans(of: asked.app) }
        let currency = fields["currency"]
        let some = spans.filter { currency == nil || $0.last.currency == currency }
        guard !some.isEmpty else { return nil }
        let count = some.reduce(0) { $0 + $1.count }
        return Confirmation(
            title: currency == nil ? "Remove all rates?" : "Remove the rates of this currency?",
            trail: Self.ratesPath,
            trailTitle: "Exchange rates",
            subject: some.map(\.last.currency).joined(separator: ", "),
            detail: "\(NumberText.grouped(Double(count))) \(count == 1 ? "rate" : "rates"). "
                + "Values then leave out what is in \(some.count == 1 ? "this currency" : "these currencies").",
            button: "Remove the rates",
            back: Self.ratesPath,
            backTitle: "Keep them"
        )
    }
}

extension MoneyImport {
    /// What became of the file, as a sentence.
    fileprivate func words(_ what: String) -> String {
        "\(NumberText.grouped(Double(count))) \(what)\(count == 1 ? "" : "s") read, "
            + "\(NumberText.grouped(Double(changed))) of them new or changed. Reports have them at once."
    }
}
