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
            return await withView(.money, request) { asked throws(DashboardFailure) in
                let form = try await form(request)
                if let key = try await refusedKey(form, of: asked.app) {
                    return try await costsPage(asked, form, key: key, status: .forbidden)
                }
                let fields: [String: String]
                do throws(CostsView.Fault) {
                    fields = try CostsView.fields(of: form, in: asked.app)
                } catch {
                    return try await costsPage(asked, form, fault: error, status: .unprocessableContent)
                }
                do throws(DashboardFailure) {
                    try await stores.addCost(fields, of: asked.app)
                } catch .invalid(let problem) {
                    return try await costsPage(asked, form, problem: problem, status: .unprocessableContent)
                }
                return redirect(to: View.money.path + "?done=added")
            }
        case (.get, Self.costImportPath), (.head, Self.costImportPath):
            return await withView(.money, request) { asked throws(DashboardFailure) in
                importPage(asked, .costs())
            }
        case (.post, Self.costImportPath):
            return await importing(request, upTo: Self.costFileLimit) { form, asked throws(DashboardFailure) in
                if let key = try await refusedKey(form.fields, of: asked.app) {
                    return importPage(asked, .costs(form, key: key), status: .forbidden)
                }
                let outcome: MoneyImport
                do throws(DashboardFailure) {
                    outcome = try await stores.importCosts(form.content, of: asked.app)
                } catch .invalid(let problem) {
                    return importPage(asked, .costs(form, problem: problem), status: .unprocessableContent)
                }
                return try await costsPage(asked, done: outcome.words("cost"))
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
                return try await ratesPage(asked, .rates(done: done))
            }
        case (.post, Self.ratesPath):
            return await importing(request, upTo: Self.rateFileLimit) { form, asked throws(DashboardFailure) in
                if let key = try await refusedKey(form.fields, of: asked.app) {
                    return try await ratesPage(asked, .rates(form, key: key), status: .forbidden)
                }
                let outcome: MoneyImport
                do throws(DashboardFailure) {
                    outcome = try await stores.importRates(form.content, of: asked.app)
                } catch .invalid(let problem) {
                    return try await ratesPage(asked, .rates(form, problem: problem), status: .unprocessableContent)
                }
                return try await ratesPage(asked, .rates(done: outcome.words("rate")))
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
        _ answer: (FileForm, ViewRequest) async throws(DashboardFailure) -> Response
    ) async -> Response? {
        await withView(.money, request) { asked throws(DashboardFailure) in
            try importRoom.enter(asked.app)
            defer { importRoom.leave(asked.app) }
            return try await answer(try await fileForm(request, upTo: limit), asked)
        }
    }

    private func costsPage(
        _ asked: ViewRequest,
        _ form: FormFields = FormFields(),
        done: String? = nil,
        fault: CostsView.Fault? = nil,
        problem: String? = nil,
        key: WriteKeyField = WriteKeyField(),
        status: HTTPResponse.Status = .ok
    ) async throws(DashboardFailure) -> Response {
        let view = try await CostsView(asked, form: form, done: done, fault: fault, problem: problem, key: key)
        let place = Pages.Place(title: View.money.title, path: View.money.path)
        return page(asked, at: place, view, "money", status: status)
    }

    private func importPage(
        _ asked: ViewRequest,
        _ form: MoneyFileForm,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let place = Pages.Place(title: "Costs of a file", path: Self.costImportPath)
        return page(asked, at: place, form, "cost-file", status: status)
    }

    private func ratesPage(
        _ asked: ViewRequest,
        _ form: MoneyFileForm,
        status: HTTPResponse.Status = .ok
    ) async throws(DashboardFailure) -> Response {
        let view = try await RatesView(asked, form)
        let place = Pages.Place(title: "Exchange rates", path: Self.ratesPath)
        return page(asked, at: place, view, "rates", status: status)
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
