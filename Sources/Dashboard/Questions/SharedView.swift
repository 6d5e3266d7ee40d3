import HTTPTypes
import HummingbirdCore
import InboundLinks
import Ingest
import Reporting
import Storage
import Time

/// A question or a board for whoever has its address, for the template `shared`: its days and conditions are those that
/// are saved, and it leads nowhere.
struct SharedView {
    static let folder = "/shared/"

    var title: String
    var appName: String
    var timeZone: String
    /// Its days and conditions in words; nil if it has none of its own.
    var scope: String?
    var panels: [Panel]

    // The frame, which ``Pages`` fills.
    var assetVersion = ""
    var notices: [String] = []
    var footnotes: [String] = []
    var freshness = ""

    init(_ question: SavedQuestion, _ request: ViewRequest) async throws(DashboardFailure) {
        title = question.name
        appName = request.app.profile.name
        timeZone = request.timeZone
        scope = Self.scope(question.isBoard ? question.range : question.parameters, request)
        if question.isBoard {
            panels = try await BoardView.panels(of: question, in: nil, request)
        } else {
            let figures = try await request.rows(question.report, question.parameters)
            let table = TableView(figures, of: question)
            panels = [Panel(anchor: "answer", heading: question.report, tables: [table])]
        }
        for position in panels.indices { panels[position].more = nil }
    }

    /// `2026-11-19 to 2026-11-25, channel is search`. The tables show what else is asked.
    private static func scope(_ parameters: [(name: String, value: String)], _ request: ViewRequest) -> String? {
        let conditions = parameters.filter { Filters.names.contains($0.name) }.map { Filters.words($0) }
        let words = ([days(parameters, request)].compactMap(\.self) + conditions).joined(separator: ", ")
        return words.isEmpty ? nil : words
    }

    /// Nil if a question names none, or times within days.
    private static func days(_ parameters: [(name: String, value: String)], _ request: ViewRequest) -> String? {
        func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        guard let from = value("from"), let today = CivilDate(request.today) else { return nil }
        func day(_ text: String) -> CivilDate? { ReportInstant.day(text, seenFrom: today) ?? CivilDate(text) }
        let to = value("to")
        let last = to == nil || to == "now" ? today : to.flatMap(day).map { CivilDate(number: $0.number - 1) }
        guard let first = day(from), let last else { return nil }
        return first == last ? "\(first)" : "\(first) to \(last)"
    }

    static func link(_ secret: String, origin: String?) -> String { (origin ?? "") + folder + secret }
}

/// With whom a question is shared, for its page.
struct SharingView {
    struct Page {
        var number: String
        var until: String
        var creator: String
        /// The page that asks whether to end it.
        var end: String
    }

    var pages: [Page]
    /// The page that shares it.
    var form: String

    init(_ question: SavedQuestion, _ request: ViewRequest) async throws(DashboardFailure) {
        let time = LocalTime(timeZone: request.timeZone)
        pages = try await request.stores.ask { try await $0.shares.pages(of: request.app) }
            .filter { $0.question == question.name && $0.isOpen(at: request.now) }
            .map { page in
                let number = "\(page.number)"
                let fields = [("name", question.name), ("number", number)]
                return Page(
                    number: number,
                    until: time.text(page.expiresAt),
                    creator: page.createdBy,
                    end: ShareForm.endPath + "?" + FormFields.encode(fields)
                )
            }
        form = ShareForm.path + "?" + FormFields.encode([("name", question.name)])
    }
}

extension SharedPage {
    fileprivate func isOpen(at now: Timestamp) -> Bool { revokedAt == nil && now < expiresAt }
}

/// The form that shares a question, for the template `share-form`.
struct ShareForm {
    static let path = "/questions/share"
    static let endPath = "/questions/unshare"

    var name: String
    /// The page of the question.
    var page: String
    var days: String
    var path = Self.path
    /// The address, once it is shared.
    var link: String?
    var problem: String?
    var key: WriteKeyField
}

extension Dashboard {
    /// `/shared/…`, for strangers.
    func showShared(_ path: String, _ request: Request) async -> Response? {
        let secret = String(path.dropFirst(SharedView.folder.count))
        var response: Response
        do throws(DashboardFailure) {
            if Session.isPlausible(secret), let (app, question) = try await stores.sharedQuestion(secret) {
                let asked = try ViewRequest(
                    .questions,
                    fields: FormFields(),
                    app: app,
                    source: source,
                    stores: stores,
                    now: now()
                )
                let view = try await SharedView(question, asked)
                let notices = await source.notices(of: app)
                let freshness = await live.freshness(of: app, from: source)
                response = page(
                    status: .ok,
                    pages.shared(view, asked, notices: notices, freshness: freshness)
                )
            } else {
                let problem = "Nothing is shared at this address, or not any more. Ask whoever gave it to you."
                response = plainPage(status: .notFound, title: "Not shared", problem: problem, target: nil)
            }
        } catch {
            response = plainPage(
                status: error.status,
                title: error.mayPass ? "Not now" : "Not shown",
                problem: "\(error)",
                target: error.mayPass ? path : nil
            )
        }
        if let name = HTTPField.Name("X-Robots-Tag") { response.headers[name] = "noindex" }
        return hidingAddress(response)
    }

    /// `/questions/share`: the form that shares a question, and the one that ends it.
    ///
    /// - Returns: nil if there is no such page.
    func respondToShares(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.get, ShareForm.path), (.head, ShareForm.path):
            return await withView(.questions, request, others: ["name"]) { asked throws(DashboardFailure) in
                try await shareForm(FormState(fields: try FormFields(request.uri.query ?? "")), asked)
            }
        case (.post, ShareForm.path):
            return await changing(request, again: shareForm) { form, asked throws(DashboardFailure) in
                let question = try await known(form, asked)
                let questions = try await stores.questions(of: asked.app)
                if let refusal = question.sharingRefusal(among: questions) {
                    throw .invalid(refusal + ".")
                }
                let text = form["days"] ?? ""
                guard let days = Int(text) else {
                    throw .invalid("‘\(Redaction.redact(text))’ is no number of days.")
                }
                let secret = try await stores.ask {
                    try await $0.shares.share(question.name, of: asked.app, days: days).secret
                }
                let link = SharedView.link(secret, origin: Self.origin(request))
                return shareForm(FormState(fields: form), asked, of: question, link: link)
            }
        case (_, ShareForm.endPath):
            return await confirming(
                request,
                at: path,
                fields: ["name", "number"],
                ask: shareEnd,
                missing: { fields, _ in redirect(to: SavedQuestion.page(fields["name"] ?? "")) }
            ) { form, asked throws(DashboardFailure) in
                let number = Int64(form["number"] ?? "") ?? 0
                _ = try await stores.ask { try await $0.shares.revoke(number, of: asked.app) }
                return redirect(to: try await known(form, asked).page)
            }
        default: return nil
        }
    }

    private func shareForm(_ form: FormState, _ asked: ViewRequest) async throws(DashboardFailure) -> Response {
        shareForm(form, asked, of: try await known(form.fields, asked), link: nil)
    }

    private func shareForm(_ form: FormState, _ asked: ViewRequest, of question: SavedQuestion, link: String?)
        -> Response
    {
        let content = ShareForm(
            name: question.name,
            page: question.page,
            days: form["days"] ?? "30",
            link: link,
            problem: form.problem,
            key: form.key
        )
        let place = Pages.Place(title: "Share \(question.name)", path: ShareForm.path)
        return page(asked, at: place, content, "share-form", status: form.status)
    }

    private func shareEnd(_ fields: FormFields, _ asked: ViewRequest)
        async throws(DashboardFailure) -> Confirmation?
    {
        let question = try await known(fields, asked)
        return try await SharingView(question, asked).pages.first { $0.number == fields["number"] }.map { page in
            Confirmation(
                title: "Share \(question.name) no more?",
                trail: question.page,
                trailTitle: question.name,
                subject: "until \(page.until)",
                detail: "by \(page.creator)",
                consequence: "The address leads nowhere then. It cannot be restored.",
                button: "End it",
                back: question.page
            )
        }
    }
}
